"""Tasks, blocks of repeats with permanent ids, and the progress of a point.

The repeats of a point come in rounds, each cut into blocks; the precision may require further rounds.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
    """Repeats start .. stop-1 of one grid point. Its id is a hash of all that its result depends on."""

    scenario: str
    version: int
    parameters: Mapping[str, Any]
    seed: int
    start: int
    stop: int
    code: tuple[CodeState, ...] = ()

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
        task = replace(self, start=block[0], stop=block[1])
        task.__dict__["point"] = self.point
        return task


def hash_content(content: Any) -> str:
    """Name of a point or a task: 20 hex digits."""
    return hashlib.sha256(encode_json(content).encode()).hexdigest()[:20]


def block_size(scenario: Scenario, parameters: Mapping[str, Any]) -> int:
    """Repeats of one task. It depends on the declared cost only, never on the machine."""
    return block_size_of_cost(repeat_cost(scenario, parameters))


def block_size_of_cost(cost: float) -> int:
    size = int(min(max(1.0, TARGET // cost), 2.0**31))
    return size if size < LANES else size - size % LANES


def block_sizes_of_costs(costs: Floats) -> NDArray[np.int64]:
    """`block_size_of_cost` for an array."""
    sizes = np.minimum(np.maximum(1.0, np.floor_divide(TARGET, costs)), 2.0**31).astype(np.int64)
    return np.where(sizes < LANES, sizes, sizes - sizes % LANES)


def repeat_cost(scenario: Scenario, parameters: Mapping[str, Any]) -> float:
    """Multiplications of one repeat, as declared by the scenario."""
    return checked_cost(scenario, scenario.parameters.model_validate(dict(parameters)))


def checked_cost(scenario: Scenario, settings: BaseModel) -> float:
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


@dataclass(frozen=True)
class PointState:
    """Finished blocks of a point, and its first unfinished round start .. stop in blocks of `size`."""

    behind: Sequence[Block]
    start: int = 0
    stop: int = 0
    size: int = 1
    known: Mapping[Block, Any] = field(default_factory=dict)

    @property
    def n_finished(self) -> int:
        return len(self.behind)

    @property
    def left(self) -> int:
        return len(range(self.start, self.stop, self.size)) - self._done_in_round[0]

    @property
    def repeats(self) -> int:
        return self.stop - self.start - self._done_in_round[1]

    @cached_property
    def _done_in_round(self) -> tuple[int, int]:
        """Number of blocks and of repeats of the unfinished round that are done."""
        blocks = [block for block in self.behind if self.start <= block[0] < self.stop]
        return len(blocks), sum(stop - start for start, stop in blocks)

    def missing(self) -> Iterator[Block]:
        for start in range(self.start, self.stop, self.size):
            block = start, min(start + self.size, self.stop)
            if block not in self.known:
                yield block


def _point_state(declaration: Declaration, size: int, known: Mapping[Block, Floats | None]) -> PointState:
    """Progress of a point. A further round depends on all values of the rounds before, in no order."""
    behind: list[Block] = []
    values: list[Floats] = []
    for start, stop in _iterate_rounds(declaration):
        found = sorted(block for block in known if _is_block_of_round(block, start, stop, size))
        behind += found
        if len(found) < len(range(start, stop, size)):
            return PointState(behind, start, stop, size, known)
        if declaration.precision:
            values += [v for v in (known[block] for block in found) if v is not None]
            if values and stopping_error(np.concatenate(values)) <= declaration.precision:
                break
    return PointState(behind)


def _is_block_of_round(block: Block, start: int, stop: int, size: int) -> bool:
    """True if the block is one of this round; blocks cut for another number of repeats are not."""
    first, last = block
    return start <= first < stop and (first - start) % size == 0 and last == min(first + size, stop)


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


def task_point_state(declaration: Declaration, first: Task, done: Done) -> PointState:
    """Progress of the point of a task."""
    size = block_size(declaration.scenario_object, first.parameters)
    return sized_point_state(declaration, first, size, done)


def sized_point_state(declaration: Declaration, first: Task, size: int, done: Done) -> PointState:
    """Progress of the point of a task, given the size of its blocks."""
    return _point_state(declaration, size, done.get(first.point, {}) if done else {})


def point_task(declaration: Declaration, parameters: Mapping[str, Any]) -> Task:
    """Task without repeats, which stands for the point."""
    scenario = declaration.scenario_object
    code = foreign_code_states(scenario, parameters)
    version = point_version(scenario, parameters)
    return Task(scenario.name, version, parameters, declaration.seed, 0, 0, code)


def foreign_code_states(scenario: Scenario, parameters: Mapping[str, Any]) -> tuple[CodeState, ...]:
    """States of the foreign code that a point runs."""
    return scenario.code(parameters) if scenario.code else ()


def describe_task(task: Task) -> str:
    """storage N=20 alpha=0.5, repeats 0 to 63"""
    settings = " ".join(f"{key}={value}" for key, value in task.parameters.items())
    return f"{task.scenario} {settings}, repeats {task.start} to {task.stop - 1}"
