"""How compiled code is made and kept: `entry` for what Python calls, `part` for what entries are built of.

An entry is kept on disk and loaded by the next process in milliseconds. Numba notices an edited
function only in its own file, so a changed *part* in another file would silently leave stale code
behind. The cache folder is therefore named after a hash of every compiled source.
"""

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import config
from numba.core.types import unliteral

numba_config: Any = config

# fastmath=True would also promise "no NaN, no infinity" and make isnan(nan) False. These flags are
# enough to vectorise a dot product.
FLAGS = {"reassoc", "contract", "nsz", "arcp", "afn"}

PACKAGE = Path(__file__).resolve().parent.parent


def sources_hash() -> str:
    """Twelve hex digits that change with any compiled file (`_*.py`) of the package."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("_[!_]*.py")):
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def _user_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def cache_folder() -> Path | None:
    """Where compiled code is kept (`MARKONE_CACHE_DIR`, else the user's cache folder).

    None where nothing can be written: then code is compiled anew in each process.
    """
    root = Path(os.environ.get("MARKONE_CACHE_DIR") or _user_cache() / "markone")
    folder = root / f"compiled-{sources_hash()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None


CACHE = cache_folder()


def entry(function: Callable[..., Any]) -> Any:
    """Compile on first call, for types and not for values, and keep the result on disk; releases the GIL."""
    return _kept(function, FLAGS)


def proof_entry(function: Callable[..., Any]) -> Any:
    """An entry whose every rounding is the one written: with FLAGS a TwoSum is optimised into nonsense."""
    return _kept(function, False)


def _kept(function: Callable[..., Any], fastmath: Any) -> Any:
    outside = numba_config.CACHE_DIR
    # Read by numba while it decorates: restored at once, so that other packages keep their own.
    numba_config.CACHE_DIR = str(CACHE or "")
    try:
        return _for_types(numba.njit(cache=CACHE is not None, nogil=True, fastmath=fastmath)(function))
    finally:
        numba_config.CACHE_DIR = outside


def _for_types(made: Any) -> Any:
    """Numba would compile an entry anew for each whole number that other entries pass to it by name."""
    template = made.get_call_template

    def plain(args: Any, kws: Any) -> Any:
        return template([unliteral(a) for a in args], {name: unliteral(a) for name, a in kws.items()})

    made.get_call_template = plain
    return made


def part(function: Callable[..., Any]) -> Any:
    """A piece of an entry: compiled into it, never called from Python in earnest."""
    return numba.njit(inline="always", nogil=True, fastmath=FLAGS)(function)


def proof_part(function: Callable[..., Any]) -> Any:
    """A piece of a proof. Not inlined by numba as a part is: it would take the flags of whoever calls it."""
    return numba.njit(nogil=True, fastmath=False)(function)
