"""Tasks, blocks of repeats with permanent ids, and the progress of a point.

The repeats of a point come in rounds; the precision may require further ones. What is stored is a range of
repeats: whatever the finished blocks cover is not computed again, however it was cut, and only the gaps are
cut into new blocks.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from markone.lab.foreign_code import CodeState
from markone.lab.scenario import Scenario, point_version
from markone.lab.schedule.grid import encode_json
from markone.lab.schema import Declaration
from markone.numerics.arrays import Floats
from markone.numerics.statistics import agresti_coull_error, are_zero_or_one, standard_error

# Multiplications a task: about a second of compiled work.
TARGET = 1e9
# Seconds that a task of foreign code should take, as measured: its declared cost is a guess.
TASK_SECONDS = 2.5
# Multiplications of a year, and the largest accepted cost of a repeat.
A_YEAR, MOST_COST = 3e16, 1e17
# Data sets that run in parallel in SIMD lanes: blocks are multiples of it.
LANES = 16
# Repeats start .. stop-1 of a point.
Block = tuple[int, int]
# Finished blocks of each point, by its name.
Done = Mapping[str, Mapping[Block, Floats | None]]
Shard = tuple[int, int]


@dataclass(frozen=True)
class Task:
    """Repeats start .. stop-1 of one grid point. Its id is a hash of all that its result depends on; `cost`
    is the declared one of a repeat."""

    scenario: str
    version: int
    parameters: Mapping[str, Any]
    seed: int
    start: int
    stop: int
    code: tuple[CodeState, ...] = ()
    cost: float = field(default=0.0, compare=False)

    @cached_property
    def point(self) -> str:
        """Name of the grid point, shared by its blocks of repeats."""
        content = [self.scenario, self.version, dict(self.parameters), self.seed]
        return hash_content([*content, *(str(state) for state in self.code)])

    @cached_property
    def id(self) -> str:
        return hash_content([self.point, self.start, self.stop])

    def with_block(self, block: Block) -> "Task":
        """Task for other repeats of the same point; its name is not hashed again."""
        task = self.copy_with(start=block[0], stop=block[1], point=self.point)
        task.__dict__.pop("id", None)
        return task

    def copy_with(self, **changes: Any) -> "Task":
        """As `dataclasses.replace`, in a fifth of the time."""
        task = object.__new__(Task)
        task.__dict__.update(self.__dict__, **changes)
        return task


@dataclass(frozen=True)
class TaskGroup:
    """Tasks for the same repeats of several points, which are computed and stored together."""

    tasks: tuple[Task, ...]

    @property
    def id(self) -> str:
        """Id of the first task."""
        return self.tasks[0].id

    @property
    def point(self) -> str:
        """The names of the points, one after the other."""
        return "".join(task.point for task in self.tasks)

    @property
    def repeats(self) -> int:
        """Repeats of each task."""
        return self.tasks[0].stop - self.tasks[0].start


def differ_in_points_only(one: Task, other: Task) -> bool:
    same_repeats = one.start == other.start and one.stop == other.stop
    return same_repeats and one.version == other.version and one.code == other.code


def hash_content(content: Any) -> str:
    """Name of a point or a task: 20 hex digits."""
    return hashlib.sha256(encode_json(content).encode()).hexdigest()[:20]


def block_size_of_cost(cost: float) -> int:
    """Repeats of one task. It depends on the declared cost only, never on the machine."""
    size = int(min(max(1.0, TARGET // cost), 2.0**31))
    return size if size < LANES else size - size % LANES


def block_sizes_of_costs(costs: Floats) -> NDArray[np.int64]:
    """`block_size_of_cost` for an array."""
    sizes = np.minimum(np.maximum(1.0, np.floor_divide(TARGET, costs)), 2.0**31).astype(np.int64)
    return np.where(sizes < LANES, sizes, sizes - sizes % LANES)


def checked_cost(scenario: Scenario, settings: BaseModel) -> float:
    """Multiplications of one repeat, as declared by the scenario."""
    try:
        cost = float(scenario.cost(settings))
    except ArithmeticError as error:
        raise ValueError(
            f"The scenario {scenario.name} cannot be run with {_format_settings(settings)}: {error}."
        ) from error
    if not cost > 0:
        raise ValueError(
            f"The scenario {scenario.name} declares a cost of {cost:g} for a repeat: it must be positive."
        )
    if cost > MOST_COST:
        raise ValueError(
            f"A repeat of {scenario.name} with {_format_settings(settings)} would take "
            f"about {cost / A_YEAR:.2g} years "
            "on one core: choose smaller parameters."
        )
    return cost


def _format_settings(settings: BaseModel) -> str:
    return " ".join(f"{key}={value}" for key, value in settings.model_dump(mode="json").items())


def find_gaps(blocks: Iterable[Block], start: int, stop: int) -> list[Block]:
    """The ranges of start .. stop-1 that no block covers. Blocks may overlap, and may be cut in any way."""
    gaps = []
    for first, last in sorted(blocks):
        if first >= stop:
            break
        if last > first > start:
            gaps.append((start, first))
        start = max(start, last) if last > first else start
    return [*gaps, (start, stop)] if start < stop else gaps


def cut_gaps(gaps: Iterable[Block], size: Callable[[], int]) -> Iterator[Block]:
    """Cut ranges of repeats into blocks; the size of each is asked for when it is yielded."""
    for start, stop in gaps:
        while start < stop:
            block = start, min(start + size(), stop)
            yield block
            start = block[1]


@dataclass(frozen=True)
class PointState:
    """Finished blocks of a point, the missing ranges of its first unfinished round, and the block size."""

    finished: Sequence[Block]
    gaps: Sequence[Block] = ()
    size: int = 1

    @property
    def n_finished(self) -> int:
        return len(self.finished)

    @property
    def left(self) -> int:
        """Number of missing blocks."""
        return sum(-(-(stop - start) // self.size) for start, stop in self.gaps)

    @property
    def repeats(self) -> int:
        """Number of missing repeats."""
        return sum(stop - start for start, stop in self.gaps)

    def missing(self) -> Iterator[Block]:
        return cut_gaps(self.gaps, lambda: self.size)


def _point_state(declaration: Declaration, size: int, known: Mapping[Block, Floats | None]) -> PointState:
    """Progress of a point. A further round depends on all values of the rounds before, in no order."""
    finished: list[Block] = []
    for start, stop in _iterate_rounds(declaration):
        finished = sorted(block for block in known if 0 <= block[0] < min(stop, block[1]))
        if gaps := find_gaps(finished, start, stop):
            return PointState(finished, gaps, size)
        if declaration.precision:
            values = _join_values(finished, known, stop)
            if len(values) and stopping_error(values) <= declaration.precision:
                break
    return PointState(finished, size=size)


def _join_values(blocks: Iterable[Block], known: Mapping[Block, Floats | None], stop: int) -> Floats:
    """The values of the repeats below `stop` in their order, each once."""
    parts, reached = [np.zeros(0)], 0
    for first, last in blocks:
        values = known[first, last]
        if values is not None and last > reached:
            parts.append(values[max(reached - first, 0) : stop - first])
            reached = last
    return np.concatenate(parts)


def _iterate_rounds(declaration: Declaration) -> Iterator[tuple[int, int]]:
    """Rounds of `repeats` repeats each, up to max_repeats."""
    for start in range(0, declaration.most_repeats, declaration.repeats):
        yield start, min(start + declaration.repeats, declaration.most_repeats)


def stopping_error(values: Floats) -> float:
    """Standard error used for the stopping rule; NaN values are left out."""
    values = values[~np.isnan(values)]
    if len(values) > 1 and are_zero_or_one(values):
        return agresti_coull_error(values)
    return standard_error(values)


def sized_point_state(declaration: Declaration, first: Task, size: int, done: Done) -> PointState:
    """Progress of the point of a task, given the size of its blocks."""
    return _point_state(declaration, size, done.get(first.point, {}) if done else {})


def point_task(scenario: Scenario, parameters: Mapping[str, Any], seed: int) -> Task:
    """Task without repeats, which stands for the point."""
    code = foreign_code_states(scenario, parameters)
    return Task(scenario.name, point_version(scenario, parameters), parameters, seed, 0, 0, code)


def foreign_code_states(scenario: Scenario, parameters: Mapping[str, Any]) -> tuple[CodeState, ...]:
    """States of the foreign code that a point runs."""
    return scenario.code(parameters) if scenario.code else ()


def describe_task(task: Task) -> str:
    """storage N=20 alpha=0.5, repeats 0 to 63"""
    settings = " ".join(f"{key}={value}" for key, value in task.parameters.items())
    return f"{task.scenario} {settings}, repeats {task.start} to {task.stop - 1}"
