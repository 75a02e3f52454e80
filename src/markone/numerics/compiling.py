"""Compilation and its disk cache: `entry` for functions called from Python, `part` for what they consist of.

An entry is cached on disk and loaded by the next process in milliseconds. Numba detects changes of a
function only in its own file, so a changed *part* in another file would silently leave stale code
behind. The cache folder is therefore named after a hash of all that determines the machine code:
every compiled source, this file with its flags, the compilers' versions and settings, the CPU.
"""

import hashlib
import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core import config
from numba.core.types import unliteral

from markone.numerics import compile_notice, compile_pause, cpu
from markone.numerics._linked_code import compile_linked
from markone.numerics._plain_code import Plain
from markone.numerics.kept_code import KeptCode
from markone.numerics.private_folder import UnsafeFolder, make_private_folder

numba_config: Any = config

# fastmath=True would also promise "no NaN, no infinity" and make isnan(nan) False. These flags are
# enough to vectorise a dot product.
FLAGS = {"reassoc", "contract", "nsz", "arcp", "afn"}

PACKAGE = Path(__file__).resolve().parent.parent
# Numba's settings (environment variables NUMBA_...) that change the machine code.
SETTINGS = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "USING_SVML")


def code_hash() -> str:
    """Hash of all compiled files (`_*.py`), this file, the compilers and the CPU: twelve hex digits."""
    digest = hashlib.sha256()
    for path in (*sorted(PACKAGE.rglob("_[!_]*.py")), Path(__file__)):
        name = path.name if path == Path(__file__) else path.relative_to(PACKAGE).as_posix()
        digest.update(f"{name} {path.stat().st_size} ".encode() + path.read_bytes())
    chosen = [str(getattr(numba_config, name, None)) for name in SETTINGS]
    digest.update(
        "\n".join([numba.__version__, llvmlite.__version__, *cpu.compile_target(), *chosen]).encode()
    )
    return digest.hexdigest()[:12]


def _user_cache() -> Path | None:
    """Return the user's cache folder, or None if there is no home directory."""
    if sys.platform == "win32":
        given, below = os.environ.get("LOCALAPPDATA"), ["AppData", "Local"]
    elif sys.platform == "darwin":
        given, below = None, ["Library", "Caches"]
    else:
        given, below = os.environ.get("XDG_CACHE_HOME"), [".cache"]
    try:
        return Path(given) if given else Path.home().joinpath(*below)
    except RuntimeError:
        return None


def cache_folder() -> Path | None:
    """Return the folder for compiled code (below `MARKONE_CACHE_DIR`, else below the user's cache folder).

    A folder that others can write to is refused, and the user's own is used instead. None if no folder is
    writable: then code is compiled again in each process.
    """
    user, chosen = _user_cache(), os.environ.get("MARKONE_CACHE_DIR")
    roots = [Path(chosen).absolute()] if chosen else []
    roots += [user / "markone"] if user else []
    # Several users may share MARKONE_CACHE_DIR: one folder per user.
    owner = f"-{os.getuid()}" if hasattr(os, "getuid") else ""
    for root in roots:
        try:
            return make_private_folder(root / f"compiled-{code_hash()}{owner}")
        except UnsafeFolder as reason:
            warnings.warn(
                f"Compiled code is not kept in {root}: {reason}, so code loaded from there could come "
                "from another user. Set MARKONE_CACHE_DIR to a folder that only you can write to.",
                RuntimeWarning,
                stacklevel=2,
            )
    return None


CACHE = cache_folder()
compile_notice.register_notice()
compile_pause.register_pause()


def entry(function: Callable[..., Any]) -> Any:
    """Compile on first call, for types and not for values, and keep the result on disk; releases the GIL."""
    return _compile_cached(function, FLAGS)


def proof_entry(function: Callable[..., Any]) -> Any:
    """An entry whose roundings are exactly those written: with FLAGS a TwoSum would be optimised away."""
    return _compile_cached(function, False, pipeline_class=Plain)


def vector_entry(function: Callable[..., Any]) -> Any:
    """An entry whose long loops are written as vectors already, so that less optimisation is needed."""
    return _compile_cached(function, FLAGS, pipeline_class=Plain)


def _compile_cached(function: Callable[..., Any], fastmath: Any, **more: Any) -> Any:
    outside = numba_config.CACHE_DIR
    # Numba reads the setting while it decorates; it is restored at once, for other packages.
    numba_config.CACHE_DIR = str(CACHE or "")
    try:
        # No wrapper for calls by address, which are not used: it takes a seventh of the compile time.
        options = {"nogil": True, "fastmath": fastmath, "no_cfunc_wrapper": True}
        made = numba.njit(**options, **more)(function)
        if CACHE is not None:
            made._cache = KeptCode(function)
        return _ignore_literals(made)
    finally:
        numba_config.CACHE_DIR = outside


def _ignore_literals(made: Any) -> Any:
    """Use types instead of literals: numba would recompile an entry for each integer constant."""
    template = made.get_call_template

    def plain(args: Any, kws: Any) -> Any:
        return template([unliteral(a) for a in args], {name: unliteral(a) for name, a in kws.items()})

    made.get_call_template = plain
    return made


def part(function: Callable[..., Any]) -> Any:
    """A function that is inlined into entries; called from Python only in tests."""
    return numba.njit(inline="always", nogil=True, fastmath=FLAGS)(function)


def piece(function: Callable[..., Any]) -> Any:
    """A function that only compiled code calls, optimised inside each of its callers.

    Cheaper to compile than a part if it is long or has several callers, and always cheaper than an entry. It
    must not compute sums that several callers share: their copies may add in another order.
    """
    return _ignore_literals(
        compile_linked(function, {"nogil": True, "fastmath": FLAGS, "no_cfunc_wrapper": True})
    )


def proof_part(function: Callable[..., Any]) -> Any:
    """A part of a proof. Not inlined by numba as a part is: it would take the flags of its caller."""
    options: Any = {"nogil": True, "fastmath": False, "no_cfunc_wrapper": True}
    return _ignore_literals(compile_linked(function, options))
