"""Tasks: pieces of work with permanent names, and which of a declaration's are still to be done."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from pydantic import BaseModel

from markone.lab.own_code import CodeState
from markone.lab.rounds import Block, PointState, point_state
from markone.lab.scenario import Scenario
from markone.lab.schema import Declaration, complete
from markone.lab.sharing import computed
from markone.numerics.arrays import Floats

# Multiplications a task: about a second of compiled work.
TARGET = 1e9
# Multiplications of a year, and of a repeat that nobody can mean.
A_YEAR, MOST_COST = 3e16, 1e17
# Data sets that run side by side in the lanes of one processor: blocks are whole multiples of it.
LANES = 16
# More must be meant: a store of so many rows has a gigabyte.
MOST_TASKS = 10_000_000

# Of each point with something done, by its name: its finished blocks (rounds.py).
Done = Mapping[str, Mapping[Block, Floats | None]]
Shard = tuple[int, int]

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


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


class Share(NamedTuple):
    """What one point still asks for; `cost` is that of a repeat, `number` its place in the grid."""

    number: int
    parameters: Mapping[str, Any]
    cost: float
    tasks: int
    repeats: int


class Counts(NamedTuple):
    """Tasks done and tasks that come next, and the repeats in the latter."""

    done: int
    missing: int
    repeats: int


def digest(content: Any) -> str:
    """The names of points and tasks."""
    return hashlib.sha256(_encode(content).encode()).hexdigest()[:20]


def block_size(scenario: Scenario, parameters: Mapping[str, Any]) -> int:
    """Repeats of one task. It depends on the declared cost alone, never on the machine."""
    return size_of_blocks(cost_of(scenario, parameters))


def size_of_blocks(cost: float) -> int:
    size = int(min(max(1.0, TARGET // cost), 2.0**31))
    return size if size < LANES else size - size % LANES


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


def tasks(declaration: Declaration, done: Done, shard: Shard | None = None) -> list[Task]:
    """The next tasks, given the finished blocks; [] when nothing is left.

    A shard (i, n) takes what has hash % n == i: tasks, or with a precision whole points, because a point
    can only be judged by who has all its values.
    """
    return list(remaining(declaration, done, shard))


def remaining(declaration: Declaration, done: Done, shard: Shard | None = None) -> Iterator[Task]:
    """The same one after the other: a million need no memory."""
    for _, first, state, _ in states(declaration, done):
        for block in state.missing():
            task = first.part(block)
            if belongs(declaration, task, shard):
                yield task


def count(declaration: Declaration, done: Done, shard: Shard | None = None) -> Counts:
    """How many there are; without a shard no task is made for it."""
    if shard is None:
        return Counts(0, *totals(shares(declaration, done))) if not done else _counted(declaration, done)
    finished = missing = repeats = 0
    for _, first, state, _ in states(declaration, done):
        mine = [t for t in map(first.part, state.missing()) if belongs(declaration, t, shard)]
        finished += sum(belongs(declaration, first.part(block), shard) for block in state.behind)
        missing += len(mine)
        repeats += sum(task.stop - task.start for task in mine)
    return Counts(finished, missing, repeats)


def _counted(declaration: Declaration, done: Done) -> Counts:
    finished = missing = repeats = 0
    for _, _, state, _ in states(declaration, done):
        finished += state.finished
        missing += state.left
        repeats += state.repeats
    return Counts(finished, missing, repeats)


def totals(found: Iterable["Share"]) -> tuple[int, int]:
    """Tasks and repeats."""
    tasks = repeats = 0
    for share in found:
        tasks += share.tasks
        repeats += share.repeats
    return tasks, repeats


def shares(declaration: Declaration, done: Done) -> Iterator[Share]:
    """What each point still asks for that is computed: of several that come to the same numbers the first."""
    if done:
        for number, first, state, cost in states(declaration, done):
            yield Share(number, first.parameters, cost, state.left, state.repeats)
        return
    # Nothing is done: no point needs a name, and a million are counted in seconds.
    scenario, repeats = declaration.scenario_object, min(declaration.repeats, declaration.most_repeats)
    for number, given, settings in computed(declaration):
        cost = price(scenario, settings)
        yield Share(number, given, cost, -(-repeats // size_of_blocks(cost)), repeats)


def not_too_many(declaration: Declaration, counted: int | None = None) -> None:
    """Counted before anything is listed: a slip of three digits must not fill the memory for a day."""
    if counted is None and len(declaration) * declaration.repeats <= MOST_TASKS:
        return  # a task has a repeat at least
    found = count(declaration, {}).missing if counted is None else counted
    if found > MOST_TASKS:
        raise ValueError(
            f"{declaration.name} asks for {found} tasks, more than {MOST_TASKS}: ask for fewer repeats or "
            "values. If you mean it, say --yes-really (in Python yes_really=True)."
        )


def states(declaration: Declaration, done: Done) -> Iterator[tuple[int, Task, PointState, float]]:
    """Each point that is computed: number, a task without repeats, how far it is, the cost of a repeat."""
    scenario = declaration.scenario_object
    for number, given, settings in computed(declaration):
        parameters = complete(given, settings)
        code = code_of(scenario, parameters)
        first = Task(scenario.name, scenario.version, parameters, declaration.seed, 0, 0, code)
        cost = price(scenario, settings)
        yield number, first, _state(declaration, first, size_of_blocks(cost), done), cost


def state_of(declaration: Declaration, first: Task, done: Done) -> PointState:
    """Of the point that a task belongs to."""
    return _state(declaration, first, block_size(declaration.scenario_object, first.parameters), done)


def _state(declaration: Declaration, first: Task, size: int, done: Done) -> PointState:
    return point_state(declaration, size, done.get(first.point, {}) if done else {})


def code_of(scenario: Scenario, parameters: Mapping[str, Any]) -> tuple[CodeState, ...]:
    """The states of what a point runs that is not markone's."""
    return scenario.code(parameters) if scenario.code else ()


def belongs(declaration: Declaration, task: Task, shard: Shard | None) -> bool:
    if shard is None:
        return True
    i, n = shard
    if not 0 <= i < n:
        raise ValueError(f"Shard {i} of {n} does not exist: shards are counted from 0 to {n - 1}.")
    return int(task.point if declaration.precision else task.id, 16) % n == i


def describe(task: Task) -> str:
    """storage N=20 alpha=0.5, repeats 0 to 63"""
    settings = " ".join(f"{key}={value}" for key, value in task.parameters.items())
    return f"{task.scenario} {settings}, repeats {task.start} to {task.stop - 1}"
