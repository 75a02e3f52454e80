"""A fit is never silent: a bar on a terminal, elsewhere a line after 2 s, 4 s, ... and then every 30 s."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import TextIO

from markone.lab.runner.progress import EVERY, Pace, duration

FIRST = 2.0  # seconds
# Seconds in which a single fit says little about the others: the first one compiles.
WARM_UP = 15.0


def sentence(pace: Pace) -> str:
    """'3 of 50 fits, 0.81 fits/s, about 58 s left'; before the first fit, how long it has been at work."""
    if not pace.total:
        return f"reading the table, {duration(pace.seconds)}"
    if pace.done == pace.total:
        return f"all {pace.total} fits done, putting the answer together, {duration(pace.seconds)}"
    early = pace.done - (pace.first or 0) < 2 and pace.seconds < WARM_UP
    if early or not pace.left >= 0:
        return f"{pace.done} of {pace.total} fits, {duration(pace.seconds)}"
    return f"{pace.done} of {pace.total} fits, {pace.rate:.2g} fits/s, about {duration(pace.left)} left"


def note(pace: Pace, done: int, total: int) -> None:
    """Fits that an earlier run has left are not counted as speed."""
    if pace.first is None:
        pace.first = done
    pace.done, pace.total = done, total


@contextmanager
def lines(out: TextIO, pace: Pace, first: float = FIRST) -> Iterator[Callable[[int, int], None]]:
    """From a thread of its own: a single fit may take long."""
    ended = Event()

    def speak() -> None:
        wait = first
        while not ended.wait(wait):
            print(sentence(pace), file=out, flush=True)
            wait = min(2 * wait, EVERY)

    thread = Thread(target=speak, daemon=True)
    thread.start()
    try:
        yield lambda done, total: note(pace, done, total)
    finally:
        ended.set()
        thread.join()


@contextmanager
def bar(hidden: bool) -> Iterator[Callable[[int, int], None]]:
    """The callback for `fit`: what is shown fits where it is shown."""
    pace = Pace()
    if hidden:
        yield lambda done, total: None
    elif not sys.stderr.isatty():
        with lines(sys.stderr, pace) as report:
            yield report
    else:
        with drawn(pace) as report:
            yield report


@contextmanager
def drawn(pace: Pace) -> Iterator[Callable[[int, int], None]]:
    """rich draws it anew ten times a second, so the clock runs also while nothing is finished."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, Task
    from rich.text import Text

    class Said(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(sentence(pace))

    with Progress(
        SpinnerColumn(), BarColumn(), Said(), console=Console(stderr=True), transient=True
    ) as shown:
        row = shown.add_task("", total=None)

        def report(done: int, total: int) -> None:
            note(pace, done, total)
            shown.update(row, completed=done, total=total)

        yield report
