"""Pause the garbage collector while this package compiles: it takes a quarter of the time and frees little.

The compiler creates a million objects that live until it is done, and Python repeatedly searches them for
unreachable cycles. Paused from the start of an outermost compilation of this package to its end.
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
        own = found.data["dispatcher"].py_func.__module__.startswith(PACKAGE)
        if self.open == 0 and own and gc.isenabled():
            self.paused = True
            gc.disable()
        self.open += 1

    def on_end(self, found: Any) -> None:
        self.open -= 1
        if self.open == 0 and self.paused:
            self.paused = False
            _move_to_old_generation()
            gc.enable()


def _move_to_old_generation() -> None:
    """Move all objects to the oldest generation, unless the program uses gc.freeze itself."""
    if not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()


LISTENER = CompilePause()


def register_pause() -> None:
    """Register the listener with numba; called by `compiling`."""
    event.register("numba:compile", LISTENER)  # type: ignore[no-untyped-call]  # numba has no types
