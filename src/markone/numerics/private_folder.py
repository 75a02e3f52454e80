"""A folder for code that will be run: nobody but its owner may put files into it.

Compiled code is kept in pickles, and whoever can write a pickle that we load can run what he likes as us.
"""

import os
import stat
import tempfile
from pathlib import Path


class Unsafe(Exception):
    """Others could put files there; the message is the sentence."""


def private(folder: Path) -> Path | None:
    """Make the folder, or find it as it should be. None where nothing can be written."""
    try:
        for missing in reversed([p for p in (folder, *folder.parents) if not p.exists()]):
            missing.mkdir(mode=0o700, exist_ok=True)
        if hasattr(os, "getuid"):
            _check(folder)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None


def _check(folder: Path) -> None:
    status = os.lstat(folder)
    if not stat.S_ISDIR(status.st_mode):
        raise Unsafe(f"{folder} is no folder of its own (a link?)")
    if status.st_uid != os.getuid():
        raise Unsafe(f"{folder} belongs to another user (number {status.st_uid})")
    if status.st_mode & 0o022:
        raise Unsafe(f"{folder} can be written by other users (mode {stat.S_IMODE(status.st_mode):o})")
    if status.st_mode & 0o077:
        folder.chmod(0o700)
    owner = folder.parent.stat().st_uid
    if owner not in (os.getuid(), 0):
        raise Unsafe(f"{folder.parent} belongs to another user (number {owner})")
    # As it is named, where links may be exchanged, and where it really lies.
    for above in {*folder.absolute().parents, *folder.resolve().parents}:
        _hold(above)


def _hold(above: Path) -> None:
    """Nobody else can replace what lies below: the sticky bit (as of /tmp) forbids it as well."""
    status = above.stat()
    mode = stat.S_IMODE(status.st_mode)
    # Where every user has a group of his own, of the same number, folders are often writable by it.
    own_group = status.st_gid == status.st_uid == os.getuid()
    others = mode & (0o002 if own_group else 0o022)
    if others and not mode & stat.S_ISVTX:
        raise Unsafe(f"{above} can be written by other users (mode {mode:o})")
