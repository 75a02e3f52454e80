"""A sentence on the terminal where a first call compiles for seconds, so that nobody thinks it hangs.

Said once a process, on stderr, to a person: nothing where stderr is a file or a pipe, nothing in workers. The
environment variable MARKONE_COMPILE_NOTICE=0 silences it, =1 says it wherever stderr leads to. It hears numba
compile, so that calls whose code is on disk already cost nothing more.
"""

import multiprocessing
import os
import sys
from typing import Any

from numba.core import event

# CPU seconds of a first fit, by who was called from outside: `python -m benchmarks compiling` measures them.
SECONDS = {
    "AdaTron": 2,
    "BayesPoint": 4,
    "CommitteeMachine": 2,
    "KernelAdaTron": 4,
    "LVQ1": 2,
    "MinOver": 2,
    "ParityMachine": 5,
    "Pocket": 2,
    "Rosenblatt": 2,
    "separability": 2,
}
SETTING = "MARKONE_COMPILE_NOTICE"
PACKAGE = __name__.partition(".")[0]


class CompileNotice(event.Listener):
    """Speaks at the first compilation of ours, then never again."""

    def __init__(self) -> None:
        self.said = False

    def on_start(self, found: Any) -> None:
        if self.said or not found.data["dispatcher"].py_func.__module__.startswith(PACKAGE):
            return
        self.said = True
        if wanted():
            sys.stderr.write(sentence(caller()) + "\n")
            sys.stderr.flush()

    def on_end(self, found: Any) -> None:
        pass


def wanted() -> bool:
    setting = os.environ.get(SETTING)
    if setting is not None:
        return setting != "0"
    if sys.stderr is None or multiprocessing.parent_process() is not None:
        return False
    # A notebook has a person in front of it, though no terminal.
    return sys.stderr.isatty() or "ipykernel" in sys.modules


def caller() -> str:
    """The class or function of ours that was called from outside: the outermost on the stack."""
    name, frame = "", sys._getframe(1)
    while frame is not None:
        if str(frame.f_globals.get("__name__", "")).startswith(PACKAGE + "."):
            own = frame.f_locals.get("self")
            mine = own is not None and type(own).__module__.startswith(PACKAGE)
            name = type(own).__name__ if mine else frame.f_code.co_name
        frame = frame.f_back  # type: ignore[assignment]  # None ends the loop
    return name


def sentence(name: str) -> str:
    about = f"about {SECONDS[name]} s" if name in SECONDS else "some seconds"
    return (
        f"markone: compiling {name} once, {about} of processor time; later processes load it from disk "
        f"(`markone doctor --warm` compiles all; {SETTING}=0 silences this)."
    )


LISTENER = CompileNotice()


def listen() -> None:
    """Called by `compiling` as soon as there is anything to compile."""
    event.register("numba:compile", LISTENER)  # type: ignore[no-untyped-call]  # numba has no types
