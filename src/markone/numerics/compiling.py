"""Compilation and its disk cache: `entry` for functions called from Python, `part` for what they consist of.

An entry is cached on disk and loaded by the next process in milliseconds. The cache folder is named after a
hash of all that determines the machine code: every compiled source, this file with its flags, the compilers'
versions and settings, the CPU. With NUMBA_DISABLE_JIT=1 all functions run as Python, for debugging.
"""

import hashlib
import multiprocessing
import os
import sys
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numba
from numba import config

from markone.numerics.files import UnsafeFolder, make_private_folder
from markone.numerics.numba_internals import (
    AVAILABLE,
    NO_ALLOCATION,
    compile_cached,
    compile_linked,
    ignore_literals,
    listen_to_compilations,
    numba_target,
)

__all__ = ["AVAILABLE", "entry", "loop_piece", "part", "piece", "proof_entry", "proof_part"]

numba_config: Any = config

# fastmath=True would also promise "no NaN, no infinity" and make isnan(nan) False. These flags are
# enough to vectorise a dot product.
FLAGS = {"reassoc", "contract", "nsz", "arcp", "afn"}

PACKAGE = Path(__file__).resolve().parent.parent
# Numba's settings (environment variables NUMBA_...) that change the machine code.
SETTINGS = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "USING_SVML")

# CPU seconds of a first fit, by the class or function called: measured by `python -m benchmarks
# compiling`, rounded up, two at least.
SECONDS = {
    "AdaTron": 4,
    "BayesPoint": 6,
    "CommitteeMachine": 2,
    "KernelAdaTron": 4,
    "LVQ1": 2,
    "MinOver": 2,
    "ParityMachine": 5,
    "Pocket": 2,
    "Rosenblatt": 2,
    "separability": 5,
}
NOTICE_VARIABLE = "MARKONE_COMPILE_NOTICE"
OWN_PREFIX = __name__.partition(".")[0]


def code_hash() -> str:
    """Hash of all compiled files (`_*.py`), this file, the compilers and the CPU: twelve hex digits."""
    digest = hashlib.sha256()
    for path in (*sorted(PACKAGE.rglob("_[!_]*.py")), Path(__file__)):
        name = path.name if path == Path(__file__) else path.relative_to(PACKAGE).as_posix()
        digest.update(f"{name} {path.stat().st_size} ".encode() + path.read_bytes())
    chosen = [str(getattr(numba_config, name, None)) for name in SETTINGS]
    versions = [numba.__version__, version("llvmlite")]
    digest.update("\n".join([*versions, *numba_target(), *chosen]).encode())
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


CACHE = None if numba_config.DISABLE_JIT else cache_folder()


def entry(function: Callable[..., Any]) -> Any:
    """Compile on first call, for types and not for values, and keep the result on disk; releases the GIL."""
    return ignore_literals(compile_cached(function, CACHE, {"nogil": True, "fastmath": FLAGS}))


def proof_entry(function: Callable[..., Any]) -> Any:
    """An entry whose roundings are exactly those written: with FLAGS a TwoSum would be optimised away."""
    return ignore_literals(compile_cached(function, CACHE, {"nogil": True, "fastmath": False}))


def part(function: Callable[..., Any]) -> Any:
    """A function that is inlined into entries; called from Python only in tests."""
    return numba.njit(inline="always", nogil=True, fastmath=FLAGS)(function)


def piece(function: Callable[..., Any]) -> Any:
    """A function that only compiled code calls, compiled once for all its callers.

    Cheaper to compile than a part if it is long or has several callers. Sums that several entries share
    belong in a part: of several copies of a piece the one loaded first runs, and may add in another order.
    """
    return ignore_literals(compile_linked(function, {"nogil": True, "fastmath": FLAGS}))


def loop_piece(function: Callable[..., Any]) -> Any:
    """A piece that makes no arrays, so that the use of its arguments is not counted.

    To count a tuple of 15 arrays takes longer than a short loop.
    """
    return ignore_literals(compile_linked(function, {"nogil": True, "fastmath": FLAGS, **NO_ALLOCATION}))


def proof_part(function: Callable[..., Any]) -> Any:
    """A part of a proof. Not inlined by numba as a part is: it would take the flags of its caller."""
    return ignore_literals(compile_linked(function, {"nogil": True, "fastmath": False}))


def notice_wanted() -> bool:
    """Whether to print a notice at the first compilation: to a terminal or a notebook, never in workers.

    The environment variable MARKONE_COMPILE_NOTICE=0 silences it, =1 prints it wherever stderr leads.
    """
    setting = os.environ.get(NOTICE_VARIABLE)
    if setting is not None:
        return setting != "0"
    if sys.stderr is None or multiprocessing.parent_process() is not None:
        return False
    return sys.stderr.isatty() or "ipykernel" in sys.modules


def outermost_caller() -> str:
    """Name of the class or function of this package that the user called: the outermost on the stack."""
    name, frame = "", sys._getframe(1)
    while frame is not None:
        if str(frame.f_globals.get("__name__", "")).startswith(OWN_PREFIX + "."):
            own = frame.f_locals.get("self")
            is_method = own is not None and type(own).__module__.startswith(OWN_PREFIX)
            name = type(own).__name__ if is_method else frame.f_code.co_name
        frame = frame.f_back  # type: ignore[assignment]  # None ends the loop
    return name


def notice_text(name: str) -> str:
    about = f"about {SECONDS[name]} s" if name in SECONDS else "some seconds"
    return (
        f"markone: compiling {name} once, {about} of processor time; later processes load it from disk "
        f"(`markone doctor --warm` compiles all; {NOTICE_VARIABLE}=0 silences this)."
    )


def _print_notice() -> None:
    """Tell the user that a first call compiles for seconds, so that it does not seem to hang."""
    if notice_wanted():
        sys.stderr.write(notice_text(outermost_caller()) + "\n")
        sys.stderr.flush()


listen_to_compilations(OWN_PREFIX, _print_notice)
