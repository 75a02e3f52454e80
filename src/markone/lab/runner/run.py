"""Run the missing tasks of a declaration with any executor; this process stores the results."""

import json
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise
from math import inf

from threadpoolctl import threadpool_limits

from markone.errors import RunInterrupted, StoreError
from markone.lab.formatting import describe_cpu
from markone.lab.runner.worker import run_group
from markone.lab.schedule.remaining import (
    check_task_count,
    count_tasks,
    iterate_remaining_tasks,
    survey_tasks,
)
from markone.lab.schedule.tasks import (
    TASK_SECONDS,
    Block,
    Done,
    Shard,
    Task,
    TaskGroup,
    block_size_of_cost,
    cut_gaps,
    differ_in_points_only,
    sized_point_state,
)
from markone.lab.schema import Declaration
from markone.lab.store.results import Store, computed_stop
from markone.numerics import cpu
from markone.run.executors import count_cores, thread_workers
from markone.run.outcomes import TaskOutcome, Terms
from markone.run.pool import Pool
from markone.run.worker_process import code_identity

# Smallest limit in seconds, and the multiple of the declared cost (1e9 per second).
LEAST_SECONDS, COST_FACTOR = 1800.0, 100.0
# Short tasks are computed and stored together: seconds, tasks and values of a measure of a group at most, and
# the declared cost in multiplications.
GROUP_SECONDS, GROUP_TASKS, GROUP_VALUES, GROUP_COST = 0.25, 1024, 65_536, 2.5e8
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
class RunState:
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
    # Number of workers, and the repeats that were missing at the start.
    workers: int = 1
    missing_repeats: int = 0
    # Seconds per unit of the declared cost of foreign code, by the parameters that are not real numbers.
    rates: dict[str, float] = field(default_factory=dict)
    # Tasks that are computed and stored together, by the time of the last ones.
    together: int = 1

    @property
    def finished_blocks(self) -> Done:
        return self.store.done(self.declaration.precision_of)

    def plan_tasks(self, shard: Shard | None = None) -> Iterator[Task]:
        """Count finished and missing tasks, then yield the latter."""
        found = survey_tasks(self.declaration, self.finished_blocks) if shard is None else None
        counted = (
            found.total_counts() if found else count_tasks(self.declaration, self.finished_blocks, shard)
        )
        self.skipped, self.expected, self.missing_repeats = counted
        tasks = iterate_remaining_tasks(
            self.declaration, self.finished_blocks, shard, found, self.next_block_size
        )
        return self.register_tasks(self._count_planned(tasks, self.expected))

    def _count_planned(self, tasks: Iterable[Task], expected: int) -> Iterator[Task]:
        """Yield the tasks; correct the expected number, since those of foreign code are cut by time."""
        number = 0
        for number, task in enumerate(tasks, 1):
            if number > expected:
                self.expected += 1
            yield task
        self.expected -= max(0, expected - number)

    def next_block_size(self, first: Task, size: int) -> int:
        """Repeats of the next task of a point. For foreign code they follow from the time measured so far,
        and all workers get tasks; no result depends on it."""
        if not first.code:
            return size
        rate = self.rates.get(_rate_key(first))
        if rate:
            size = int(min(TASK_SECONDS / (rate * first.cost), 2.0**31))
        return max(1, min(size, -(-self.missing_repeats // (2 * self.workers))))

    def task_time_limit(self, task: Task) -> float:
        """The declared limit in seconds, or a large multiple of the scenario's cost."""
        if self.declaration.task_limit is not None:
            return self.declaration.task_limit
        return max(LEAST_SECONDS, COST_FACTOR * 1e-9 * task.cost * (task.stop - task.start))

    def _record_rate(self, task: Task, outcome: TaskOutcome) -> None:
        # A single repeat may have imported or compiled something: it says little about the next ones.
        if task.code and outcome.repeats > 1:
            self.rates[_rate_key(task)] = max(outcome.seconds, 1e-6) / (outcome.repeats * task.cost)

    def register_tasks(self, new: Iterable[Task]) -> Iterator[Task]:
        """Yield the tasks; with a precision count the open ones of each point, whose next round needs all."""
        if not self.declaration.precision:
            yield from new
            return
        for point, tasks in groupby(new, key=lambda task: task.point):
            block = list(tasks)
            self.open[point] += len(block)
            yield from block

    def store_outcome(self, task: Task, outcome: TaskOutcome) -> list[Task]:
        """Store an outcome; return the tasks of what is left of the task, and of the point's next round."""
        outcome = reject_other_cpu(outcome)
        self.store.add(task, outcome)
        if outcome.error:
            self.failed += 1
            rest = []
        else:
            self.done += 1
            self._record_rate(task, outcome)
            rest = self._cut_range(task, [(computed_stop(task, outcome), task.stop)])
        return [*rest, *self._next_round(task, outcome)] if self.declaration.precision else rest

    def join_tasks(self, tasks: Iterable[Task]) -> Iterator[TaskGroup]:
        """Join short tasks that follow each other, and differ in their points only, into groups."""
        group: list[Task] = []
        for task in tasks:
            if group and not differ_in_points_only(group[0], task):
                yield TaskGroup(tuple(group))
                group = []
            group.append(task)
            repeats = (task.stop - task.start) * len(group)
            if len(group) >= self.together or task.cost * repeats > GROUP_COST or repeats >= GROUP_VALUES:
                yield TaskGroup(tuple(group))
                group = []
        if group:
            yield TaskGroup(tuple(group))

    def store_group(self, group: TaskGroup, outcome: TaskOutcome) -> list[TaskGroup]:
        """Store the outcome of a group; return the groups of what is left of it, and of further rounds."""
        first, *others = group.tasks
        if not others:
            self.together = 1 if outcome.error else self._next_group_size(1, outcome.seconds)
            return [TaskGroup((task,)) for task in self.store_outcome(first, outcome)]
        outcome = reject_other_cpu(outcome)
        n = outcome.repeats // group.repeats
        if outcome.error:
            # Of the first task, or of the whole group: the others are computed one by one.
            rest = [TaskGroup((task,)) for task in group.tasks[not outcome.ended :]]
            self.together = 1
            if not outcome.ended:
                self.store_outcome(first, outcome)
        else:
            rest = [TaskGroup(group.tasks[n:])] if n < len(group.tasks) else []
            self.together = self._next_group_size(n, outcome.seconds)
            self.store.add_group(TaskGroup(group.tasks[:n]), outcome)
            self.done += n
        if rest:
            self.store.clear_started(group)
        return rest

    def _next_group_size(self, n: int, seconds: float) -> int:
        """Number of tasks that take about GROUP_SECONDS, if n of them take so many seconds."""
        limit = self.declaration.task_limit or inf
        affordable = int(min(GROUP_SECONDS, limit / 4) * n / max(seconds, 1e-9))
        return 1 if self.declaration.precision else max(1, min(affordable, 4 * n, GROUP_TASKS))

    def _cut_range(self, task: Task, gaps: Sequence[Block], size: int = 2**31) -> list[Task]:
        """New tasks of the point of a task."""
        blocks = cut_gaps(gaps, lambda: self.next_block_size(task, size))
        found = list(self.register_tasks(task.with_block(block) for block in blocks))
        self.expected += len(found)
        return found

    def _next_round(self, task: Task, outcome: TaskOutcome) -> list[Task]:
        self.open[task.point] -= 1
        if outcome.error:
            self.failed_points.add(task.point)
        if self.open[task.point] or task.point in self.failed_points:
            return []
        size = block_size_of_cost(task.cost)
        state = sized_point_state(self.declaration, task, size, self.finished_blocks)
        return self._cut_range(task, state.gaps, state.size)

    @property
    def progress_counts(self) -> tuple[int, int]:
        return self.skipped + self.done + self.failed, self.skipped + self.expected


def _rate_key(task: Task) -> str:
    """What the speed of a student depends on: the parameters that are not real numbers."""
    return repr([value for value in task.parameters.values() if not isinstance(value, float)])


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
    ledger = RunState(declaration, store)
    todo = ledger.plan_tasks(shard)
    if not yes_really:
        check_task_count(declaration, ledger.expected)
    store.declare(declaration, ledger.progress_counts[1])
    if ledger.expected:
        _run_pool(ledger, todo, make_executor or thread_workers(), progress, stall)
        if not store.path.is_file():
            raise StoreError(
                f"{store.path} was deleted or moved while the run wrote to it. What was stored is gone with "
                "it: put it back, or run the same command to compute everything again."
            )
        store.declare(declaration, ledger.progress_counts[1])
    return RunSummary(ledger.done, ledger.failed, ledger.skipped, time.monotonic() - began, ledger.alone)


def _run_pool(
    ledger: RunState,
    todo: Iterator[Task],
    make_executor: Callable[[], Executor],
    progress: Progress | None,
    stall: float,
) -> None:
    own_process = getattr(make_executor, "own_process", False)
    code = code_identity()
    ledger.workers = max(1, getattr(make_executor, "workers", count_cores)() or 1)

    def terms_of(group: TaskGroup) -> Terms:
        return Terms(code, ledger.task_time_limit(group.tasks[0]), own_process)

    pool = Pool(make_executor, run_group, stall, terms_of=terms_of, begin=ledger.store.mark_started)
    pool.source = ledger.join_tasks(todo if own_process else _separate_suspects(ledger, todo, pool))
    clean = False
    try:
        # For threads; worker processes do this themselves.
        with threadpool_limits(1):
            for group, outcome in pool.iterate_outcomes():
                pool.add_tasks(ledger.store_group(group, outcome))
                if progress:
                    progress(*ledger.progress_counts, group.tasks[-1])
        clean = True
    except KeyboardInterrupt as stop:
        for group, outcome in pool.completed_outcomes():
            ledger.store_group(group, outcome)
        number = getattr(stop, "signal", signal.SIGINT)
        raise RunInterrupted(ledger.skipped + ledger.done, ledger.progress_counts[1], number) from None
    finally:
        if not clean:
            with suppress(StoreError):
                ledger.store.clear_started()
        pool.close(at_once=not clean)


def _separate_suspects(ledger: RunState, todo: Iterator[Task], pool: Pool[TaskGroup]) -> Iterator[Task]:
    """Yield all tasks but those that were running when an earlier run crashed: these are set aside, since
    they could end this process again."""
    ranges, suspects = ledger.store.suspect_ranges(), ledger.store.suspect_tasks()
    if not suspects:
        yield from todo
        return
    for whole in todo:
        known = ranges.get(whole.point, {})
        cuts = sorted({k for block in known for k in block if whole.start < k < whole.stop})
        ledger.expected += len(cuts)
        for block in pairwise([whole.start, *cuts, whole.stop]):
            task = whole.with_block(block) if cuts else whole
            if task.id in suspects or any(a <= block[0] and block[1] <= b for a, b in known):
                ledger.alone += 1
                pool.set_aside(TaskGroup((task,)))
            else:
                yield task


def reject_other_cpu(outcome: TaskOutcome) -> TaskOutcome:
    """In a portable run replace the values of a worker with another kind of CPU by an error."""
    if not cpu.portable_requested() or not outcome.cpu or outcome.cpu == cpu.cpu_kind():
        return outcome
    message = (
        f"The run is portable, but the worker computed {describe_cpu(json.loads(outcome.cpu))}: "
        f"start the workers with {cpu.PORTABLE_VARIABLE}=1."
    )
    return replace(outcome, values={}, error=message)
