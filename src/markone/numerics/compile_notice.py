"""A notice on the terminal when a first call compiles for seconds, so that it does not seem to hang.

Printed once per process to stderr if that is a terminal; never in workers. The environment variable
MARKONE_COMPILE_NOTICE=0 silences it, =1 prints it wherever stderr leads. It listens to numba's compile
events, so that calls whose code is on disk have no overhead.
"""

import multiprocessing
import os
import sys
from typing import Any

from numba.core import event

# CPU seconds of a first fit, by the class or function called: measured by `python -m benchmarks compiling`.
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
    """Prints the notice at the first compilation of this package, once."""

    def __init__(self) -> None:
        self.printed = False

    def on_start(self, found: Any) -> None:
        if self.printed or not found.data["dispatcher"].py_func.__module__.startswith(PACKAGE):
            return
        self.printed = True
        if notice_wanted():
            sys.stderr.write(notice_text(outermost_caller()) + "\n")
            sys.stderr.flush()

    def on_end(self, found: Any) -> None:
        pass


def notice_wanted() -> bool:
    setting = os.environ.get(SETTING)
    if setting is not None:
        return setting != "0"
    if sys.stderr is None or multiprocessing.parent_process() is not None:
        return False
    # A notebook is interactive, though it has no terminal.
    return sys.stderr.isatty() or "ipykernel" in sys.modules


def outermost_caller() -> str:
    """Name of the class or function of this package that the user called: the outermost on the stack."""
    name, frame = "", sys._getframe(1)
    while frame is not None:
        if str(frame.f_globals.get("__name__", "")).startswith(PACKAGE + "."):
            own = frame.f_locals.get("self")
            mine = own is not None and type(own).__module__.startswith(PACKAGE)
            name = type(own).__name__ if mine else frame.f_code.co_name
        frame = frame.f_back  # type: ignore[assignment]  # None ends the loop
    return name


def notice_text(name: str) -> str:
    about = f"about {SECONDS[name]} s" if name in SECONDS else "some seconds"
    return (
        f"markone: compiling {name} once, {about} of processor time; later processes load it from disk "
        f"(`markone doctor --warm` compiles all; {SETTING}=0 silences this)."
    )


LISTENER = CompileNotice()


def register_notice() -> None:
    """Register the listener with numba; called by `compiling`."""
    event.register("numba:compile", LISTENER)  # type: ignore[no-untyped-call]  # numba has no types
