"""No search for garbage while we compile: it takes a quarter of the time and finds next to nothing.

A compiler makes a million objects that live until it is done, and Python looks through all of them again and
again for cycles that nobody holds. Paused from the start of an outermost compilation of ours to its end.
"""

import gc
from typing import Any

from numba.core import event

PACKAGE = __name__.partition(".")[0]


class CompilePause(event.Listener):
    """Numba compiles under one lock, in one thread at a time: a plain count is enough."""

    def __init__(self) -> None:
        self.open = 0
        self.paused = False

    def on_start(self, found: Any) -> None:
        ours = found.data["dispatcher"].py_func.__module__.startswith(PACKAGE)
        if self.open == 0 and ours and gc.isenabled():
            self.paused = True
            gc.disable()
        self.open += 1

    def on_end(self, found: Any) -> None:
        self.open -= 1
        if self.open == 0 and self.paused:
            self.paused = False
            grow_old()
            gc.enable()


def grow_old() -> None:
    """All objects join the old ones, rarely looked through; not where somebody has set some apart."""
    if not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()


LISTENER = CompilePause()


def listen() -> None:
    """Called by `compiling` as soon as there is anything to compile."""
    event.register("numba:compile", LISTENER)  # type: ignore[no-untyped-call]  # numba has no types
