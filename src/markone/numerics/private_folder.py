"""A folder for executable code that only its owner can write to.

Compiled code is stored as pickles: write access to them would allow running any code as this user.
"""

import os
import stat
import tempfile
from pathlib import Path


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
