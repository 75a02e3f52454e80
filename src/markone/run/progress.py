"""Progress of a run: a bar on a terminal, elsewhere a line every 30 s, and later every 5 % of the time."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TextIO

Report = Callable[[int, int, Any], None]
EVERY = 30.0  # seconds between plain lines; at least, and this share of the time since the start
SHARE = 0.05
# Variables of processes started by MPI, some of whose launchers offer a terminal but keep every update.
LAUNCHED = ("PMI_RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK")


@dataclass
class Pace:
    """Rate and remaining time; tasks stored before this run do not count."""

    clock: Callable[[], float] = time.monotonic
    began: float = field(init=False)
    first: int | None = None
    done: int = 0
    total: int = 0

    def __post_init__(self) -> None:
        self.began = self.clock()

    def record_progress(self, done: int, total: int) -> None:
        if self.first is None:
            self.first = max(done - 1, 0)
        self.done, self.total = done, total

    @property
    def seconds(self) -> float:
        return self.clock() - self.began

    @property
    def rate(self) -> float:
        return (self.done - (self.first or 0)) / max(self.seconds, 1e-9)

    @property
    def left(self) -> float:
        return (self.total - self.done) / self.rate if self.rate > 0 else float("nan")

    def facts(self) -> dict[str, Any]:
        left = round(self.left, 1) if self.rate > 0 else None
        return {
            "done": self.done,
            "total": self.total,
            "seconds": round(self.seconds, 3),
            "rate": round(self.rate, 3),
            "left": left,
        }


def format_duration(seconds: float) -> str:
    """Duration as text: '41 s', '12 min', '3 h 20 min', '5 days'; '?' if unknown."""
    if seconds != seconds or seconds == float("inf"):
        return "?"
    if seconds < 100:
        return f"{seconds:.2g} s" if seconds < 10 else f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 100:
        return f"{minutes} min"
    if minutes < 3000:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{minutes / 1440:.1f} days"


def progress_lines(
    title: str, out: TextIO, pace: Pace, every: float = EVERY, as_json: bool = False
) -> Report:
    """Callback that prints a line every `every` seconds and at the end, plain or as a JSON object. Plain
    lines become rarer: a log of days has some hundred."""
    last = pace.seconds

    def report_progress(done: int, total: int, task: Any) -> None:
        nonlocal last
        pace.record_progress(done, total)
        wait = every if as_json else max(every, SHARE * pace.seconds)
        if done < total and pace.seconds - last < wait:
            return
        last = pace.seconds
        if as_json:
            text = json.dumps({"event": "progress", "experiment": title, **pace.facts()})
        else:
            text = (
                f"{title}: {done} of {total} tasks, {pace.rate:.3g} tasks/s, "
                f"{format_duration(pace.left)} left"
            )
        print(text, file=out, flush=True)

    return report_progress


@contextmanager
def progress_bar(title: str, pace: Pace) -> Iterator[Report]:
    """Callback that updates a rich bar with rate and remaining time."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[pace]}"),
    )
    with Progress(*columns) as display:
        row = display.add_task(title, total=None, pace="")

        def report_progress(done: int, total: int, task: Any) -> None:
            pace.record_progress(done, total)
            text = f"{pace.rate:.3g} tasks/s, {format_duration(pace.left)} left"
            display.update(row, completed=done, total=total, pace=text)

        yield report_progress


def is_in_notebook() -> bool:
    """True in a Jupyter notebook, where rich draws into the page; an IPython console is a terminal."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


@contextmanager
def watch_progress(title: str, *, quiet: bool = False, as_json: bool = False) -> Iterator[Report]:
    """Callback for `run(..., progress=)`, chosen by the output: JSON, none, a bar or lines."""
    pace = Pace()
    if as_json:
        yield progress_lines(title, sys.stdout, pace, every=1.0, as_json=True)
    elif quiet:
        yield lambda done, total, task: None
    elif (sys.stdout.isatty() and not any(name in os.environ for name in LAUNCHED)) or is_in_notebook():
        with progress_bar(title, pace) as report:
            yield report
    else:
        yield progress_lines(title, sys.stdout, pace)
