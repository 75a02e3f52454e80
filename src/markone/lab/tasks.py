"""Tasks: pieces of work with permanent names; survey.py says which of a declaration's are to be done."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from markone.lab.expansion import encode
from markone.lab.own_code import CodeState
from markone.lab.rounds import Block, PointState, point_state
from markone.lab.scenario import Scenario
from markone.lab.schema import Declaration
from markone.numerics.arrays import Floats

# Multiplications a task: about a second of compiled work.
TARGET = 1e9
# Multiplications of a year, and of a repeat that nobody can mean.
A_YEAR, MOST_COST = 3e16, 1e17
# Data sets that run side by side in the lanes of one processor: blocks are whole multiples of it.
LANES = 16
# Of each point with something done, by its name: its finished blocks (rounds.py).
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
        """Name of the grid point: what different blocks of repeats share."""
        asked = [self.scenario, self.version, dict(self.parameters), self.seed]
        return digest([*asked, *(str(state) for state in self.code)])

    @cached_property
    def id(self) -> str:
        return digest([self.point, self.start, self.stop])

    def part(self, block: Block) -> "Task":
        """Other repeats of the same point, whose name is hashed once."""
        task = replace(self, start=block[0], stop=block[1])
        task.__dict__["point"] = self.point
        return task


@dataclass(frozen=True)
class TaskOutcome:
    """What came back: values, or the sentence of the error."""

    values: Mapping[str, Floats] = field(default_factory=dict)
    seconds: float = 0.0
    worker: str = ""
    error: str = ""
    cpu: str = ""  # its kind (numerics/cpu.py)
    code: str = ""  # markone's version and a hash of its sources (store/provenance.py)
    ended: bool = False  # the task did not fail, it ended its process or never came back


def digest(content: Any) -> str:
    """The names of points and tasks."""
    return hashlib.sha256(encode(content).encode()).hexdigest()[:20]


def block_size(scenario: Scenario, parameters: Mapping[str, Any]) -> int:
    """Repeats of one task. It depends on the declared cost alone, never on the machine."""
    return size_of_blocks(cost_of(scenario, parameters))


def size_of_blocks(cost: float) -> int:
    size = int(min(max(1.0, TARGET // cost), 2.0**31))
    return size if size < LANES else size - size % LANES


def sizes_of_blocks(costs: Floats) -> NDArray[np.int64]:
    """The same of many at once."""
    sizes = np.minimum(np.maximum(1.0, np.floor_divide(TARGET, costs)), 2.0**31).astype(np.int64)
    return np.where(sizes < LANES, sizes, sizes - sizes % LANES)


def cost_of(scenario: Scenario, parameters: Mapping[str, Any]) -> float:
    """Multiplications of one repeat, as the scenario declares them."""
    return price(scenario, scenario.parameters.model_validate(dict(parameters)))


def price(scenario: Scenario, settings: BaseModel) -> float:
    try:
        cost = float(scenario.cost(settings))
    except ArithmeticError as error:
        raise ValueError(
            f"The scenario {scenario.name} cannot be done with {told(settings)}: {error}."
        ) from error
    if not cost > 0:
        raise ValueError(
            f"The scenario {scenario.name} says that a repeat costs {cost:g}: it must be positive."
        )
    if cost > MOST_COST:
        raise ValueError(
            f"A repeat of {scenario.name} with {told(settings)} would take about {cost / A_YEAR:.2g} years "
            "on one core: ask for something smaller."
        )
    return cost


def told(settings: BaseModel) -> str:
    return " ".join(f"{key}={value}" for key, value in settings.model_dump(mode="json").items())


def state_of(declaration: Declaration, first: Task, done: Done) -> PointState:
    """Of the point that a task belongs to."""
    size = block_size(declaration.scenario_object, first.parameters)
    return state_of_size(declaration, first, size, done)


def state_of_size(declaration: Declaration, first: Task, size: int, done: Done) -> PointState:
    """The same where the size of its blocks is known."""
    return point_state(declaration, size, done.get(first.point, {}) if done else {})


def first_task(declaration: Declaration, parameters: Mapping[str, Any]) -> Task:
    """A task without repeats: the point."""
    scenario = declaration.scenario_object
    code = code_of(scenario, parameters)
    return Task(scenario.name, scenario.version, parameters, declaration.seed, 0, 0, code)


def code_of(scenario: Scenario, parameters: Mapping[str, Any]) -> tuple[CodeState, ...]:
    """The states of what a point runs that is not markone's."""
    return scenario.code(parameters) if scenario.code else ()


def describe(task: Task) -> str:
    """storage N=20 alpha=0.5, repeats 0 to 63"""
    settings = " ".join(f"{key}={value}" for key, value in task.parameters.items())
    return f"{task.scenario} {settings}, repeats {task.start} to {task.stop - 1}"
