"""Tasks go out to any executor, results come back to one writer. Restarting is the normal way to run."""

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field

from threadpoolctl import threadpool_limits

from markone.errors import RunInterrupted
from markone.lab.cpu_kinds import of_our_kind
from markone.lab.runner.executors import threads
from markone.lab.runner.pool import Pool
from markone.lab.schema import Declaration
from markone.lab.store.results import Store
from markone.lab.tasks import Shard, Task, TaskOutcome, point_state, survey
from markone.numerics.arrays import Floats

# Seconds without any result after which a cluster without workers is given up.
STALL = 120.0

Progress = Callable[[int, int, Task], None]


@dataclass(frozen=True)
class RunSummary:
    """Tasks done and failed now, and those that were there before."""

    done: int
    failed: int
    skipped: int
    seconds: float


@dataclass
class Ledger:
    """What is done and what is open, as the results come in."""

    declaration: Declaration
    store: Store
    finished: dict[str, Floats | None]
    open: Counter[str] = field(default_factory=Counter)
    failed_points: set[str] = field(default_factory=set)
    skipped: int = 0
    done: int = 0
    failed: int = 0
    expected: int = 0

    def ask(self, new: list[Task]) -> list[Task]:
        self.open.update(task.point for task in new)
        self.expected += len(new)
        return new

    def enter(self, task: Task, outcome: TaskOutcome) -> list[Task]:
        """Store first; then the tasks of the next round, if this point asks for one."""
        outcome = of_our_kind(outcome)
        self.store.add(task, outcome)
        self.open[task.point] -= 1
        if outcome.error:
            self.failed += 1
            self.failed_points.add(task.point)
            return []
        self.done += 1
        if not self.declaration.precision:
            return []
        self.finished[task.id] = outcome.values.get(self.declaration.precision_of or "")
        if self.open[task.point] or task.point in self.failed_points:
            return []
        scenario = self.declaration.scenario_object
        return self.ask(point_state(self.declaration, scenario, task.parameters, self.finished)[1])

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
) -> RunSummary:
    """Do what is missing. Failed tasks of earlier runs are tried again, once.

    `make_executor` makes anything with `submit` (executors.py has threads, processes, loky, dask, mpi).
    """
    began = time.monotonic()
    ledger = Ledger(declaration, store, store.done(declaration.precision_of))
    behind, ahead = survey(declaration, ledger.finished, shard)
    ledger.skipped, todo = len(behind), ledger.ask(ahead)
    store.declare(declaration, ledger.progress[1])
    if todo:
        work_through(ledger, todo, make_executor or threads(), progress, stall)
        store.declare(declaration, ledger.progress[1])
    return RunSummary(ledger.done, ledger.failed, ledger.skipped, time.monotonic() - began)


def work_through(
    ledger: Ledger,
    todo: list[Task],
    make_executor: Callable[[], Executor],
    progress: Progress | None,
    stall: float,
) -> None:
    pool = Pool(make_executor, stall)
    pool.put(todo)
    clean = False
    try:
        # Here for threads; worker processes see to it themselves.
        with threadpool_limits(1):
            for task, outcome in pool.results():
                pool.put(ledger.enter(task, outcome))
                if progress:
                    progress(*ledger.progress, task)
        clean = True
    except KeyboardInterrupt:
        for task, outcome in pool.finished():
            ledger.enter(task, outcome)
        raise RunInterrupted(ledger.skipped + ledger.done, ledger.progress[1]) from None
    finally:
        pool.close(at_once=not clean)
