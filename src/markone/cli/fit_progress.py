"""Progress of a fit: a bar on a terminal, elsewhere lines, every 2 s in the first minute.

Lines become rarer, to keep logs short: every 10 s after a minute, every 30 s after ten.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import TextIO

from markone.run.progress import Pace, format_duration

# (until, interval): seconds between lines until so many seconds have passed.
LINE_INTERVALS = ((60.0, 2.0), (600.0, 10.0), (float("inf"), 30.0))
# Seconds in which a single fit is no basis for an estimate: the first one compiles.
WARM_UP = 15.0


def progress_text(pace: Pace) -> str:
    """'3 of 50 fits, 0.81 fits/s, about 58 s left'; before the first fit, the elapsed time."""
    if not pace.total:
        return f"reading the table, {format_duration(pace.seconds)}"
    if pace.done == pace.total:
        return f"all {pace.total} fits done, writing the results, {format_duration(pace.seconds)}"
    early = pace.done - (pace.first or 0) < 2 and pace.seconds < WARM_UP
    if early or not pace.left >= 0:
        return f"{pace.done} of {pace.total} fits, {format_duration(pace.seconds)}"
    return (
        f"{pace.done} of {pace.total} fits, {pace.rate:.2g} fits/s, about {format_duration(pace.left)} left"
    )


def record_progress(pace: Pace, done: int, total: int) -> None:
    """Record the progress; fits of an earlier run do not count for the rate."""
    if pace.first is None:
        pace.first = done
    pace.done, pace.total = done, total


def line_interval(seconds: float) -> float:
    """Seconds to wait for the next line, after so many seconds."""
    return next(wait for until, wait in LINE_INTERVALS if seconds < until)


@contextmanager
def print_progress_lines(
    out: TextIO, pace: Pace, wait: Callable[[float], float] = line_interval
) -> Iterator[Callable[[int, int], None]]:
    """Print progress lines from a separate thread: a single fit may take long."""
    ended = Event()

    def print_lines() -> None:
        while not ended.wait(wait(pace.seconds)):
            print(progress_text(pace), file=out, flush=True)

    thread = Thread(target=print_lines, daemon=True)
    thread.start()
    try:
        yield lambda done, total: record_progress(pace, done, total)
    finally:
        ended.set()
        thread.join()


@contextmanager
def fit_progress(hidden: bool) -> Iterator[Callable[[int, int], None]]:
    """Yield the progress callback of `fit`: nothing, lines, or a bar on a terminal."""
    pace = Pace()
    if hidden:
        yield lambda done, total: None
    elif not sys.stderr.isatty():
        with print_progress_lines(sys.stderr, pace) as report:
            yield report
    else:
        with _draw_progress_bar(pace) as report:
            yield report


@contextmanager
def _draw_progress_bar(pace: Pace) -> Iterator[Callable[[int, int], None]]:
    """Show a rich progress bar, redrawn ten times a second, so the clock runs while nothing is finished."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, Task
    from rich.text import Text

    class PaceColumn(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(progress_text(pace))

    with Progress(
        SpinnerColumn(), BarColumn(), PaceColumn(), console=Console(stderr=True), transient=True
    ) as shown:
        row = shown.add_task("", total=None)

        def report(done: int, total: int) -> None:
            record_progress(pace, done, total)
            shown.update(row, completed=done, total=total)

        yield report
