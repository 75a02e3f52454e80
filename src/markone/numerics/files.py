"""Atomic writes (a temporary file of unpredictable name, then moved into place) and private folders."""

import glob
import os
import re
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

# Beginnings of texts that a spreadsheet would evaluate as formulas.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


@contextmanager
def staged_file(path: Path) -> Iterator[Path]:
    """Yield a temporary file with the same suffix that replaces `path` at the end; removed on failure."""
    path.parent.mkdir(parents=True, exist_ok=True)
    remove_leftovers(path.parent, path.name)
    part = path.with_name(temporary_path(path.parent, path.name).name + path.suffix)
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
    remove_leftovers(folder, "all")
    part = temporary_path(folder, "all")
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


def temporary_path(folder: Path, name: str) -> Path:
    return folder / f".{name}.part-{os.getpid()}-{secrets.token_hex(8)}"


def remove_leftovers(folder: Path, name: str) -> None:
    """Remove temporary files of processes that were killed."""
    for part in folder.glob(f".{glob.escape(name)}.part-*-*"):
        found = re.search(r"\.part-(\d+)-[0-9a-f]{16}(\.\w+)?$", part.name)
        if not found or process_exists(int(found[1])):
            continue
        with suppress(OSError):
            if part.is_dir() and not part.is_symlink():
                shutil.rmtree(part)
            else:
                part.unlink()


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


class UnsafeFolder(Exception):
    """Other users could write to the folder; the message says why."""


def make_private_folder(folder: Path) -> Path | None:
    """Create the folder, or check an existing one. None if it is not writable."""
    try:
        for missing in reversed([p for p in (folder, *folder.parents) if not p.exists()]):
            missing.mkdir(mode=0o700, exist_ok=True)
        if hasattr(os, "getuid"):
            _check_folder(folder)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None


def _check_folder(folder: Path) -> None:
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode):
        raise UnsafeFolder(f"{folder} is not a real folder (a link?)")
    if status.st_uid != os.getuid():
        raise UnsafeFolder(f"{folder} belongs to another user (number {status.st_uid})")
    if status.st_mode & 0o022:
        raise UnsafeFolder(f"{folder} can be written by other users (mode {stat.S_IMODE(status.st_mode):o})")
    if status.st_mode & 0o077:
        folder.chmod(0o700)
    owner = folder.parent.stat().st_uid
    if owner not in (os.getuid(), 0):
        raise UnsafeFolder(f"{folder.parent} belongs to another user (number {owner})")
    # Both the path as given, whose links may be replaced, and the resolved path.
    for above in {*folder.absolute().parents, *folder.resolve().parents}:
        _check_parent(above)


def _check_parent(above: Path) -> None:
    """Raise if other users can replace what lies below; the sticky bit (as of /tmp) also prevents that."""
    status = above.stat()
    mode = stat.S_IMODE(status.st_mode)
    # With user private groups (group id = user id) folders are often group-writable.
    own_group = status.st_gid == status.st_uid == os.getuid()
    others = mode & (0o002 if own_group else 0o022)
    if others and not mode & stat.S_ISVTX:
        raise UnsafeFolder(f"{above} can be written by other users (mode {mode:o})")
