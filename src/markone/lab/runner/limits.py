"""Time limits of tasks."""

import faulthandler
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from io import TextIOWrapper
from math import isfinite
from threading import Lock

from markone.lab.runner.progress import format_duration
from markone.lab.schema import Declaration
from markone.lab.tasks import Task

# Smallest limit in seconds, and the multiple of the declared cost (1e9 per second).
LEAST, TIMES = 1800.0, 100.0

# Deadlines of the tasks in this process.
_deadlines: dict[str, float] = {}
_lock = Lock()


def task_time_limit(declaration: Declaration, task: Task) -> float:
    """The declared limit in seconds, or a large multiple of the scenario's cost."""
    if declaration.task_limit is not None:
        return declaration.task_limit
    scenario = declaration.scenario_object
    cost = float(scenario.cost(scenario.parameters.model_validate(dict(task.parameters))))
    return max(LEAST, TIMES * 1e-9 * cost * (task.stop - task.start))


@contextmanager
def limit_task_time(task: str, seconds: float, own_process: bool) -> Iterator[None]:
    """Register the deadline of a task; `own_process` ends the process then, also inside compiled code."""
    with _lock:
        _deadlines[task] = time.monotonic() + seconds
        _arm_timer(own_process)
    try:
        yield
    finally:
        with _lock:
            _deadlines.pop(task, None)
            _arm_timer(own_process)


def overdue_tasks() -> list[str]:
    """Tasks of this process past their deadline."""
    now = time.monotonic()
    with _lock:
        return [task for task, end in _deadlines.items() if end < now]


def _arm_timer(own_process: bool) -> None:
    """Set the timer to the earliest deadline: a C thread, which needs no GIL to end the process."""
    if not own_process:
        return
    first = min(_deadlines.values(), default=float("inf"))
    if isfinite(first):
        wait = max(first - time.monotonic(), 1e-3)
        faulthandler.dump_traceback_later(wait, exit=True, file=_null_device())
    else:
        faulthandler.cancel_dump_traceback_later()


@cache
def _null_device() -> TextIOWrapper:
    """Null device, open as long as the process runs."""
    return open(os.devnull, "w", encoding="utf-8")


def time_limit_message(seconds: float) -> str:
    """Error message of a task that exceeded its limit."""
    return (
        f"The task ran longer than its limit of {format_duration(seconds)}: it may never "
        "end. If it is only slow, "
        f"give it more with --set task_limit={4 * seconds:g} (seconds) and run the same command again."
    )
