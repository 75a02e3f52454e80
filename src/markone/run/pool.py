"""Fault-tolerant pool: bounded window of tasks, executor rebuilt when it breaks, suspects isolated."""

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import suppress
from math import inf
from typing import Any, Generic

from markone.errors import ForeignCode, WorkersLost
from markone.run import worker_process
from markone.run.executors import count_cores
from markone.run.isolation import J, Work, run_isolated, shut_down_executor
from markone.run.outcomes import TaskOutcome, Terms, exception_message

# Breaks of the pool during a task after which the task is a suspect.
STRIKES = 2
# Submitted tasks per worker: enough to hide the latency of a cluster, few enough to lose.
AHEAD = 4
# Seconds between two checks.
CHECK_SECONDS = 5.0


class WorkerMonitor:
    """Counts workers by `make.workers()`, or by the executor's own number, if there is one."""

    def __init__(self, make: Any, stall: float) -> None:
        self.make, self.stall = make, stall
        self.alive: int | None = None
        self.looked = self.moved = time.monotonic()

    @property
    def window_size(self) -> int:
        """Largest number of submitted futures."""
        return max(1, AHEAD * (count_cores() if self.alive is None else self.alive))

    def start_counting(self, executor: Any) -> None:
        self.alive = self.count_workers(executor)
        self.moved = time.monotonic()

    def count_workers(self, executor: Any) -> int | None:
        known = getattr(self.make, "workers", None)
        count = known() if known else getattr(executor, "_max_workers", None)
        return count if isinstance(count, int) else None

    def check_workers(self, executor: Any, moved: bool) -> None:
        """Raise WorkersLost if no worker is left and nothing was returned for `stall` seconds."""
        now = time.monotonic()
        self.moved = now if moved else self.moved
        if now - self.looked < CHECK_SECONDS:
            return
        self.looked, self.alive = now, self.count_workers(executor)
        if now - self.moved >= self.stall and self.alive == 0:
            raise WorkersLost(
                f"All workers have died, and no result arrived for {now - self.moved:.0f} s. Earlier results "
                "are saved: start workers and run the same command to continue."
            )


class Pool(Generic[J]):
    """Runs tasks from `source` and those added by `add_tasks`; yields (task, outcome) until none is left.

    `terms_of` returns the terms of a task; `begin` is called with tasks that are about to run in this
    process, where a crash would end the program. Tasks that were `set_aside` run last, each in its own
    process. `work(task, terms)` returns the outcome; a task is any picklable object with an `id`.
    """

    def __init__(
        self,
        make: Callable[[], Executor],
        work: Work,
        stall: float,
        source: Iterable[J] = (),
        terms_of: Callable[[J], Terms] = lambda task: Terms(),
        begin: Callable[[list[J]], None] = lambda tasks: None,
    ) -> None:
        self.work = work
        self.make, self.stall, self.terms_of, self.begin = make, stall, terms_of, begin
        self.own_process: bool = getattr(make, "own_process", False)
        self.source = iter(source)
        self.queue: deque[J] = deque()
        self.flight: dict[Future[TaskOutcome], J] = {}
        self.suspects: deque[J] = deque()
        self.aside: deque[J] = deque()
        self.strikes: Counter[str] = Counter()
        self.fruitless = self.stuck = 0
        self.shortest = inf
        self.executor: Executor | None = None
        self.monitor = WorkerMonitor(make, stall)

    def add_tasks(self, tasks: Iterable[J]) -> None:
        self.queue.extend(tasks)

    def set_aside(self, task: J) -> None:
        self.aside.append(task)

    def iterate_outcomes(self) -> Iterator[tuple[J, TaskOutcome]]:
        while True:
            if self.suspects and not self.flight:
                yield from run_isolated(self.suspects, self.terms_of, self.work)
                continue
            self._submit_tasks()
            if self.flight:
                ready, _ = wait(
                    self.flight, timeout=min(CHECK_SECONDS, self.shortest), return_when=FIRST_COMPLETED
                )
                self.monitor.check_workers(self.executor, bool(ready))
                yield from self._collect_outcomes(ready)
                yield from self._overdue_outcomes()
            elif self.aside:
                self.suspects, self.aside = self.aside, deque()
            elif not (self.queue or self.suspects):
                return

    def _overdue_outcomes(self) -> Iterator[tuple[J, TaskOutcome]]:
        """Give up overdue tasks of threads, which cannot be ended, and start a new thread for each."""
        names = set() if self.own_process else set(worker_process.overdue_tasks())
        for future, task in list(self.flight.items()) if names else ():
            if task.id in names and not future.done():
                del self.flight[future]
                self.stuck += 1
                getattr(self.executor, "add_thread", lambda: None)()
                seconds = self.terms_of(task).seconds
                yield (
                    task,
                    TaskOutcome(
                        seconds=seconds, error=worker_process.time_limit_message(seconds), ended=True
                    ),
                )

    def _collect_outcomes(self, ready: set[Future[TaskOutcome]]) -> Iterator[tuple[J, TaskOutcome]]:
        cause: BaseException | None = None
        for future in ready:
            task = self.flight.pop(future)
            try:
                outcome = future.result()
            except (BrokenExecutor, CancelledError) as error:
                cause = error
                self._record_break(task)
            except (AttributeError, ImportError, TypeError) as error:
                # The same code can unpickle all tasks.
                raise ForeignCode("A worker", f"which cannot read its task: {error}") from error
            except Exception:
                # Errors of the task itself are outcomes; this is Dask's KilledWorker, or a lost result.
                self._record_break(task)
            else:
                self._require_same_code(task, outcome)
                self.fruitless = 0
                yield task, outcome
        if cause and self.executor is not None:
            yield from self._collect_broken(cause)

    def _require_same_code(self, task: J, outcome: TaskOutcome) -> None:
        """Raise if the outcome was computed by other code."""
        required, given = self.terms_of(task).code, getattr(outcome, "code", "")
        if required and given != required:
            raise ForeignCode(
                f"The worker {outcome.worker}", f"markone {given or 'of an older version'}", required
            )

    def _record_break(self, task: J) -> None:
        self.strikes[task.id] += 1
        if self.strikes[task.id] >= STRIKES:
            self.suspects.append(task)
        else:
            self.queue.appendleft(task)

    def _submit_tasks(self) -> None:
        """Submit new tasks, but none while suspects wait: they run when the pool is empty."""
        new = self._next_tasks()
        if not new:
            return
        executor = self._current_executor()
        if not self.own_process:
            self.begin(list(new))
        while new:
            task = new.popleft()
            try:
                terms = self.terms_of(task)
                self.flight[executor.submit(self.work, task, terms)] = task
                self.shortest = min(self.shortest, terms.seconds)
            except (BrokenExecutor, RuntimeError) as error:
                # It has just broken: the running futures will fail, or it is rebuilt here.
                self.queue.extendleft([*reversed(new), task])
                if not self.flight:
                    self._discard_executor()
                    self._check_worker_start(error)
                return

    def _next_tasks(self) -> deque[J]:
        """As many tasks as fit into the window."""
        new: deque[J] = deque()
        free = 0 if self.suspects else self.monitor.window_size - len(self.flight)
        while len(new) < free:
            task = self.queue.popleft() if self.queue else next(self.source, None)
            if task is None:
                break
            new.append(task)
        return new

    def _current_executor(self) -> Executor:
        if self.executor is None:
            try:
                self.executor = self.make()
            except OSError as error:
                raise WorkersLost(f"The workers cannot be reached: {exception_message(error)}") from error
            self.monitor.start_counting(self.executor)
        return self.executor

    def _collect_broken(self, cause: BaseException) -> Iterator[tuple[J, TaskOutcome]]:
        """Collect all futures of a broken pool, some with results, and discard its executor."""
        self._discard_executor()
        while self.flight:
            ready, rest = wait(self.flight, timeout=CHECK_SECONDS, return_when=FIRST_COMPLETED)
            yield from self._collect_outcomes(ready)
            for future in rest if not ready else ():
                future.cancel()
                self._record_break(self.flight.pop(future))
        self._check_worker_start(cause)

    def _check_worker_start(self, cause: BaseException) -> None:
        """After repeated breaks without any result check that a worker can start at all."""
        self.fruitless += 1
        if self.fruitless <= 2 * STRIKES:
            return
        try:
            self._current_executor().submit(int).result(timeout=max(self.stall, 60.0))
            self.fruitless = 0
        except (Exception, CancelledError):
            raise WorkersLost(f"All workers die at their start: {exception_message(cause)}") from cause

    def completed_outcomes(self) -> Iterator[tuple[J, TaskOutcome]]:
        """Completed outcomes that were not yet yielded, to be stored after an interrupt."""
        for future, task in self.flight.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                yield task, future.result()

    def _discard_executor(self) -> None:
        if self.executor is not None:
            shut_down_executor(self.executor)
            self.executor = None

    def close(self, at_once: bool = False) -> None:
        executor, self.executor = self.executor, None
        with suppress(Exception):
            if at_once:
                shut_down_executor(executor, at_once)
            elif executor is not None:
                executor.shutdown(wait=not self.stuck)
        with suppress(Exception):
            getattr(self.make, "close", lambda: None)()
