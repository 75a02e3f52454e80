"""Atomic writes: files are written under an unpredictable temporary name, then moved into place."""

import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

# Beginnings of texts that a spreadsheet would evaluate as formulas.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


@contextmanager
def staged_file(path: Path) -> Iterator[Path]:
    """Yield a temporary file with the same suffix that replaces `path` at the end; removed on failure."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(path.parent, path.name)
    part = path.with_name(_temporary_path(path.parent, path.name).name + path.suffix)
    # Exclusive: an existing file or link of this name is not followed.
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    try:
        yield part
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def write_atomically(path: Path, data: bytes) -> None:
    with staged_file(path) as part:
        part.write_bytes(data)


@contextmanager
def staged_folder(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder in `folder`; its files are moved there at the end, one after the other."""
    folder.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(folder, "all")
    part = _temporary_path(folder, "all")
    part.mkdir(mode=0o777)
    try:
        yield part
        files = [file for file in sorted(part.rglob("*")) if file.is_file()]
        for parent in {file.parent for file in files}:
            (folder / parent.relative_to(part)).mkdir(exist_ok=True)
        # Deepest first, so that pages appear after the figures they show.
        for file in sorted(files, key=lambda file: -len(file.parts)):
            os.replace(file, folder / file.relative_to(part))
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _temporary_path(folder: Path, name: str) -> Path:
    return folder / f".{name}.part-{os.getpid()}-{secrets.token_hex(8)}"


def _remove_leftovers(folder: Path, name: str) -> None:
    """Remove temporary files of processes that were killed."""
    for part in folder.glob(f".{_escape_glob(name)}.part-*-*"):
        found = re.search(r"\.part-(\d+)-[0-9a-f]{16}(\.\w+)?$", part.name)
        if not found or process_exists(int(found[1])):
            continue
        with suppress(OSError):
            if part.is_dir() and not part.is_symlink():
                shutil.rmtree(part)
            else:
                part.unlink()


def _escape_glob(name: str) -> str:
    return re.sub(r"([*?[])", r"[\1]", name)


def process_exists(process: int) -> bool:
    """Whether the process exists on this machine; those of other users count as existing."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def escape_formula(cell: object) -> object:
    """Put an apostrophe before a text that a spreadsheet would take for a formula; numbers stay unchanged."""
    if not isinstance(cell, str) or not cell.lstrip(" ").startswith(FORMULA_STARTS):
        return cell
    with suppress(ValueError):
        float(cell)
        return cell
    return f"'{cell}"
