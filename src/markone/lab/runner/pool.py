"""An executor that survives: bounded window, rebuilt when it breaks, suspects tried alone."""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import suppress
from typing import Any

from markone.errors import WorkersLost
from markone.lab.runner.isolation import ended, run_alone
from markone.lab.runner.liveness import LOOK, Liveness
from markone.lab.runner.worker import sentence, work
from markone.lab.tasks import Task, TaskOutcome

# Times that a task may be there when a pool breaks.
STRIKES = 2


class Pool:
    """`put` tasks, and take (task, outcome) from `results` until nothing is left.

    `work(task)` makes the outcome; whatever has an `id` and can be pickled may be a task.
    """

    def __init__(self, make: Callable[[], Executor], stall: float, work: Callable[[Any], Any] = work) -> None:
        self.make, self.stall, self.work = make, stall, work
        self.queue: deque[Task] = deque()
        self.flight: dict[Future[TaskOutcome], Task] = {}
        self.suspects: deque[Task] = deque()
        self.strikes: Counter[str] = Counter()
        self.fruitless = 0
        self.executor: Executor | None = None
        self.liveness = Liveness(make, stall)

    def put(self, tasks: list[Task]) -> None:
        self.queue.extend(tasks)

    def results(self) -> Iterator[tuple[Task, TaskOutcome]]:
        while self.queue or self.flight or self.suspects:
            if self.suspects and not self.flight:
                yield from run_alone(self.suspects, self.work)
                continue
            self._fill()
            ready, _ = wait(self.flight, timeout=LOOK, return_when=FIRST_COMPLETED)
            self.liveness.look(self.executor, bool(ready))
            yield from self._collect(ready)

    def _collect(self, ready: set[Future[TaskOutcome]]) -> Iterator[tuple[Task, TaskOutcome]]:
        cause: BaseException | None = None
        for future in ready:
            task = self.flight.pop(future)
            try:
                outcome = future.result()
            except (BrokenExecutor, CancelledError) as error:
                cause = error
                self._strike(task)
            except Exception:
                # Not the task's own error, which is an outcome: Dask's KilledWorker, or a lost result.
                self._strike(task)
            else:
                self.fruitless = 0
                yield task, outcome
        if cause and self.executor is not None:
            yield from self._rebuild(cause)

    def _strike(self, task: Task) -> None:
        self.strikes[task.id] += 1
        if self.strikes[task.id] >= STRIKES:
            self.suspects.append(task)
        else:
            self.queue.appendleft(task)

    def _fill(self) -> None:
        """No new work while suspects wait: they are tried when the pool is empty."""
        executor = self._running()
        while self.queue and not self.suspects and len(self.flight) < self.liveness.window:
            task = self.queue.popleft()
            try:
                self.flight[executor.submit(self.work, task)] = task
            except (BrokenExecutor, RuntimeError) as error:
                # It broke a moment ago: those under way will say so, or it is made anew.
                self.queue.appendleft(task)
                if not self.flight:
                    self._discard()
                    self._fruitless(error)
                return

    def _running(self) -> Executor:
        if self.executor is None:
            try:
                self.executor = self.make()
            except OSError as error:
                raise WorkersLost(f"The workers cannot be reached: {sentence(error)}") from error
            self.liveness.start(self.executor)
        return self.executor

    def _rebuild(self, cause: BaseException) -> Iterator[tuple[Task, TaskOutcome]]:
        """All futures of a broken pool end now, some with results that came before the break."""
        self._discard()
        while self.flight:
            ready, rest = wait(self.flight, timeout=LOOK, return_when=FIRST_COMPLETED)
            yield from self._collect(ready)
            for future in rest if not ready else ():
                future.cancel()
                self._strike(self.flight.pop(future))
        self._fruitless(cause)

    def _fruitless(self, cause: BaseException) -> None:
        """Nothing but breaks: is it the tasks, or can no worker even start?"""
        self.fruitless += 1
        if self.fruitless <= 2 * STRIKES:
            return
        try:
            self._running().submit(int).result(timeout=max(self.stall, 60.0))
            self.fruitless = 0
        except (Exception, CancelledError):
            raise WorkersLost(f"The workers die before they do anything: {sentence(cause)}") from cause

    def finished(self) -> Iterator[tuple[Task, TaskOutcome]]:
        """What has come back and is not yet taken: not to be lost when we are interrupted."""
        for future, task in self.flight.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                yield task, future.result()

    def _discard(self) -> None:
        if self.executor is not None:
            ended(self.executor)
            self.executor = None

    def close(self, at_once: bool = False) -> None:
        executor, self.executor = self.executor, None
        with suppress(Exception):
            if at_once:
                ended(executor, at_once)
            elif executor is not None:
                executor.shutdown(wait=True)
        with suppress(Exception):
            getattr(self.make, "close", lambda: None)()
