"""Run the missing tasks of a declaration with any executor; this process stores the results."""

import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby

from threadpoolctl import threadpool_limits

from markone.errors import RunInterrupted, StoreError
from markone.lab.cpu_kinds import of_our_kind
from markone.lab.runner.executors import threads
from markone.lab.runner.limits import limit_of
from markone.lab.runner.pool import Pool
from markone.lab.runner.worker import Terms
from markone.lab.schema import Declaration
from markone.lab.store.provenance import identity
from markone.lab.store.results import Store
from markone.lab.survey import count, not_too_many, remaining, survey
from markone.lab.tasks import Done, Shard, Task, TaskOutcome, state_of

# Seconds without a result after which a cluster without workers is an error.
STALL = 120.0

Progress = Callable[[int, int, Task], None]


@dataclass(frozen=True)
class RunSummary:
    """Tasks done and failed by this run, and those that were done before."""

    done: int
    failed: int
    skipped: int
    seconds: float
    # Tasks that were running when an earlier run crashed: run each in its own process.
    alone: int = 0


@dataclass
class Ledger:
    """Finished and open tasks during a run."""

    declaration: Declaration
    store: Store
    open: Counter[str] = field(default_factory=Counter)
    failed_points: set[str] = field(default_factory=set)
    skipped: int = 0
    done: int = 0
    failed: int = 0
    expected: int = 0
    alone: int = 0

    @property
    def finished(self) -> Done:
        return self.store.done(self.declaration.precision_of)

    def survey(self, shard: Shard | None = None) -> Iterator[Task]:
        """Count finished and missing tasks, then yield the latter."""
        found = survey(self.declaration, self.finished) if shard is None else None
        counted = found.counts() if found else count(self.declaration, self.finished, shard)
        self.skipped, self.expected, _ = counted
        return self.ask(remaining(self.declaration, self.finished, shard, found))

    def ask(self, new: Iterable[Task]) -> Iterator[Task]:
        """Yield the tasks; with a precision count the open ones of each point, whose next round needs all."""
        if not self.declaration.precision:
            yield from new
            return
        for point, tasks in groupby(new, key=lambda task: task.point):
            block = list(tasks)
            self.open[point] += len(block)
            yield from block

    def enter(self, task: Task, outcome: TaskOutcome) -> list[Task]:
        """Store an outcome, then return the tasks of the point's next round, if it needs one."""
        outcome = of_our_kind(outcome)
        self.store.add(task, outcome)
        if outcome.error:
            self.failed += 1
        else:
            self.done += 1
        return self._next_round(task, outcome) if self.declaration.precision else []

    def _next_round(self, task: Task, outcome: TaskOutcome) -> list[Task]:
        self.open[task.point] -= 1
        if outcome.error:
            self.failed_points.add(task.point)
        if self.open[task.point] or task.point in self.failed_points:
            return []
        state = state_of(self.declaration, task, self.finished)
        self.expected += state.left
        return list(self.ask(task.part(block) for block in state.missing()))

    @property
    def progress(self) -> tuple[int, int]:
        return self.skipped + self.done + self.failed, self.skipped + self.expected


def run(
    declaration: Declaration,
    store: Store,
    make_executor: Callable[[], Executor] | None = None,
    *,
    progress: Progress | None = None,
    shard: Shard | None = None,
    stall: float = STALL,
    yes_really: bool = False,
) -> RunSummary:
    """Run the missing tasks. Failed tasks of earlier runs are tried again, once.

    `make_executor` returns an executor (executors.py has threads, processes, loky, dask, mpi). More than ten
    million tasks are refused, unless `yes_really`.
    """
    began = time.monotonic()
    ledger = Ledger(declaration, store)
    todo = ledger.survey(shard)
    if not yes_really:
        not_too_many(declaration, ledger.expected)
    store.declare(declaration, ledger.progress[1])
    if ledger.expected:
        work_through(ledger, todo, make_executor or threads(), progress, stall)
        store.declare(declaration, ledger.progress[1])
    return RunSummary(ledger.done, ledger.failed, ledger.skipped, time.monotonic() - began, ledger.alone)


def work_through(
    ledger: Ledger,
    todo: Iterator[Task],
    make_executor: Callable[[], Executor],
    progress: Progress | None,
    stall: float,
) -> None:
    own_process = getattr(make_executor, "own_process", False)
    code = identity()

    def terms_of(task: Task) -> Terms:
        return Terms(code, limit_of(ledger.declaration, task), own_process)

    pool = Pool(make_executor, stall, terms_of=terms_of, begin=ledger.store.begin)
    pool.source = todo if own_process else set_apart(ledger, todo, pool)
    clean = False
    try:
        # For threads; worker processes do this themselves.
        with threadpool_limits(1):
            for task, outcome in pool.results():
                pool.put(ledger.enter(task, outcome))
                if progress:
                    progress(*ledger.progress, task)
        clean = True
    except KeyboardInterrupt as stop:
        for task, outcome in pool.finished():
            ledger.enter(task, outcome)
        number = getattr(stop, "signal", signal.SIGINT)
        raise RunInterrupted(ledger.skipped + ledger.done, ledger.progress[1], number) from None
    finally:
        if not clean:
            with suppress(StoreError):
                ledger.store.forget()
        pool.close(at_once=not clean)


def set_apart(ledger: Ledger, todo: Iterator[Task], pool: Pool) -> Iterator[Task]:
    """Yield all tasks but those that were running when an earlier run crashed: these are set aside, since
    they could end this process again."""
    suspects = ledger.store.suspects()
    for task in todo:
        if suspects and task.id in suspects:
            ledger.alone += 1
            pool.set_aside(task)
        else:
            yield task
