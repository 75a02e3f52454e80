"""Run suspect tasks, which were running when a process ended, each in its own process."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from contextlib import suppress
from dataclasses import replace
from typing import Any, Generic, TypeVar

from markone.run import worker_process
from markone.run.executors import count_cores, process_workers
from markone.run.outcomes import Job, TaskOutcome, Terms

J = TypeVar("J", bound=Job)
# Called in a worker with a task and its terms; returns the outcome.
Work = Callable[..., Any]


class IsolatedProcess(Generic[J]):
    """One process for one task at a time, replaced when it ends."""

    def __init__(self, work: Work) -> None:
        self.make, self.work = process_workers(1), work
        self.executor: Executor = self.make()
        self.task: J | None = None
        self.terms, self.began = Terms(), 0.0

    def start_task(self, task: J, terms: Terms) -> Future[TaskOutcome]:
        self.task, self.terms, self.began = task, replace(terms, own_process=True), time.monotonic()
        return self.executor.submit(self.work, task, self.terms)

    def get_outcome(self, future: Future[TaskOutcome]) -> TaskOutcome:
        """Outcome of the task; a crash can only be caused by it and becomes its error."""
        try:
            return future.result()
        except (Exception, CancelledError) as error:
            seconds = time.monotonic() - self.began
            shut_down_executor(self.executor)
            self.executor = self.make()
            late = seconds >= self.terms.seconds
            text = f"The task ends its process, also when it runs alone. {error}"
            text = worker_process.time_limit_message(self.terms.seconds) if late else text
            return TaskOutcome(seconds=seconds, error=text, ended=True)


def run_isolated(
    suspects: deque[J], terms_of: Callable[[J], Terms], work: Work
) -> Iterator[tuple[J, TaskOutcome]]:
    """Run suspects in parallel, each in its own process."""
    free: list[IsolatedProcess[J]] = [IsolatedProcess(work) for _ in range(min(len(suspects), count_cores()))]
    busy: dict[Future[TaskOutcome], IsolatedProcess[J]] = {}
    try:
        while suspects or busy:
            while suspects and free:
                task, process = suspects.popleft(), free.pop()
                busy[process.start_task(task, terms_of(task))] = process
            for future in wait(busy, return_when=FIRST_COMPLETED).done:
                process = busy.pop(future)
                free.append(process)
                assert process.task is not None
                yield process.task, process.get_outcome(future)
    except BaseException:
        for process in [*free, *busy.values()]:
            shut_down_executor(process.executor, at_once=True)
        raise
    for process in free:
        shut_down_executor(process.executor)


def shut_down_executor(executor: Any, at_once: bool = False) -> None:
    """Shut down an executor without waiting; `at_once` also terminates its processes."""
    processes = list((getattr(executor, "_processes", None) or {}).values())
    for process in processes if at_once else ():
        with suppress(Exception):
            process.terminate()
    with suppress(Exception):
        try:
            # A broken process pool ends its own futures, and fails on those that are cancelled.
            executor.shutdown(wait=False, cancel_futures=not processes)
        except TypeError:
            # Dask's executor has only the first option, which cancels.
            executor.shutdown(wait=False)
