"""Files that appear when complete: written beside, under a name that nobody can guess, then moved."""

import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

# What a spreadsheet would compute instead of showing it.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


@contextmanager
def staged(path: Path) -> Iterator[Path]:
    """A new file beside `path`, with its ending, that takes its place; nothing is left of a failure."""
    path.parent.mkdir(parents=True, exist_ok=True)
    clear(path.parent, path.name)
    part = path.with_name(beside(path.parent, path.name).name + path.suffix)
    # Exclusive: whatever is planted under this name, a link above all, is not followed.
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    try:
        yield part
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def write_whole(path: Path, data: bytes) -> None:
    with staged(path) as part:
        part.write_bytes(data)


@contextmanager
def staged_folder(folder: Path) -> Iterator[Path]:
    """A new folder in `folder`, whose files are moved there at the end, one right after the other."""
    folder.mkdir(parents=True, exist_ok=True)
    clear(folder, "all")
    part = beside(folder, "all")
    part.mkdir(mode=0o777)
    try:
        yield part
        files = [file for file in sorted(part.rglob("*")) if file.is_file()]
        for parent in {file.parent for file in files}:
            (folder / parent.relative_to(part)).mkdir(exist_ok=True)
        # What lies deeper first: pages come when the figures they show are there.
        for file in sorted(files, key=lambda file: -len(file.parts)):
            os.replace(file, folder / file.relative_to(part))
    finally:
        shutil.rmtree(part, ignore_errors=True)


def beside(folder: Path, name: str) -> Path:
    return folder / f".{name}.part-{os.getpid()}-{secrets.token_hex(8)}"


def clear(folder: Path, name: str) -> None:
    """What processes that were killed have left."""
    for part in folder.glob(f".{glob_quoted(name)}.part-*-*"):
        found = re.search(r"\.part-(\d+)-[0-9a-f]{16}(\.\w+)?$", part.name)
        if not found or alive(int(found[1])):
            continue
        with suppress(OSError):
            if part.is_dir() and not part.is_symlink():
                shutil.rmtree(part)
            else:
                part.unlink()


def glob_quoted(name: str) -> str:
    return re.sub(r"([*?[])", r"[\1]", name)


def alive(process: int) -> bool:
    """On this machine; one of another user lives."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def harmless(cell: object) -> object:
    """A text that a spreadsheet would take for a formula gets an apostrophe; numbers stay what they are."""
    if not isinstance(cell, str) or not cell.lstrip(" ").startswith(FORMULA):
        return cell
    with suppress(ValueError):
        float(cell)
        return cell
    return f"'{cell}"
