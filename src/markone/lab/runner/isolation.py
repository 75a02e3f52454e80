"""Tasks that were there when a pool broke, one at a time in a process of their own."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from typing import Any

from markone.lab.runner.executors import processes
from markone.lab.runner.worker import work
from markone.lab.tasks import Task, TaskOutcome


def run_alone(suspects: deque[Task], work: Callable[[Any], Any] = work) -> Iterator[tuple[Task, TaskOutcome]]:
    """Now a crash has one possible cause, and becomes the outcome of that task."""
    make = processes(1)
    executor = make()
    try:
        while suspects:
            task = suspects.popleft()
            try:
                outcome = executor.submit(work, task).result()
            except (Exception, CancelledError) as error:
                ended(executor)
                executor = make()
                outcome = TaskOutcome(error=f"The task ends its process, also when it runs alone. {error}")
            yield task, outcome
    except BaseException:
        ended(executor, at_once=True)
        raise
    ended(executor)


def ended(executor: Any, at_once: bool = False) -> None:
    """Nothing is awaited; `at_once` also stops processes that still compute."""
    processes = list((getattr(executor, "_processes", None) or {}).values())
    for process in processes if at_once else ():
        with suppress(Exception):
            process.terminate()
    with suppress(Exception):
        try:
            # A process pool ends its own futures, and trips over those that somebody else has cancelled.
            executor.shutdown(wait=False, cancel_futures=not processes)
        except TypeError:
            # Dask's has only the first option, which cancels.
            executor.shutdown(wait=False)
