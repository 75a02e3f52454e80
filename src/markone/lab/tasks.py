"""Tasks: pieces of work with permanent names, and which of a declaration's are still to be done."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from markone.lab.own_code import CodeState
from markone.lab.scenario import Scenario
from markone.lab.schema import Declaration
from markone.numerics.arrays import Floats
from markone.numerics.statistics import agresti_coull_error, is_fraction, standard_error

# Multiplications a task: about a second of compiled work.
TARGET = 1e9
# Data sets that run side by side in the lanes of one processor: blocks are whole multiples of it.
LANES = 16

Done = Mapping[str, Floats | None]
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
        return _digest([*asked, *(str(state) for state in self.code)])

    @cached_property
    def id(self) -> str:
        return _digest([self.point, self.start, self.stop])


@dataclass(frozen=True)
class TaskOutcome:
    """What came back: values, or the sentence of the error."""

    values: Mapping[str, Floats] = field(default_factory=dict)
    seconds: float = 0.0
    worker: str = ""
    error: str = ""
    cpu: str = ""  # its kind (numerics/cpu.py)


def _digest(content: Any) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def block_size(scenario: Scenario, parameters: Mapping[str, Any]) -> int:
    """Repeats of one task. It depends on the declared cost alone, never on the machine."""
    cost = float(scenario.cost(scenario.parameters.model_validate(dict(parameters))))
    if not cost > 0:
        raise ValueError(
            f"The scenario {scenario.name} says that a repeat costs {cost:g}: it must be positive."
        )
    size = int(min(max(1.0, TARGET // cost), 2.0**31))
    return size if size < LANES else size - size % LANES


def tasks(declaration: Declaration, done: Done, shard: Shard | None = None) -> list[Task]:
    """The next tasks, given the finished ones; [] when nothing is left.

    `done` has an entry for each finished task: the values of `precision_of`, or None without precision.
    A shard (i, n) takes what has hash % n == i: tasks, or with a precision whole points, because a point
    can only be judged by who has all its values.
    """
    return survey(declaration, done, shard)[1]


def survey(declaration: Declaration, done: Done, shard: Shard | None = None) -> tuple[list[Task], list[Task]]:
    """What the declaration asks for: the part that is done, and what comes next."""
    scenario = declaration.scenario_object
    finished, missing = [], []
    for parameters in declaration.points():
        behind, ahead = point_state(declaration, scenario, parameters, done)
        finished += [task for task in behind if belongs(declaration, task, shard)]
        missing += [task for task in ahead if belongs(declaration, task, shard)]
    return finished, missing


def belongs(declaration: Declaration, task: Task, shard: Shard | None) -> bool:
    if shard is None:
        return True
    i, n = shard
    if not 0 <= i < n:
        raise ValueError(f"Shard {i} of {n} does not exist: shards are counted from 0 to {n - 1}.")
    return int(task.point if declaration.precision else task.id, 16) % n == i


def point_state(
    declaration: Declaration, scenario: Scenario, parameters: Mapping[str, Any], done: Done
) -> tuple[list[Task], list[Task]]:
    """Finished tasks, and the unfinished ones of the first unfinished round. A further round is opened only
    by the values of the rounds before, all of them: the order in which they came plays no part."""
    size = block_size(scenario, parameters)
    finished: list[Task] = []
    values: list[Floats] = []
    for start, stop in rounds(declaration):
        block = blocks(declaration, scenario, parameters, start, stop, size)
        missing = [task for task in block if task.id not in done]
        finished += [task for task in block if task.id in done]
        if missing:
            return finished, missing
        if declaration.precision:
            values += [v for v in (done[task.id] for task in block) if v is not None]
            if values and error_of(np.concatenate(values)) <= declaration.precision:
                break
    return finished, []


def rounds(declaration: Declaration) -> Iterator[tuple[int, int]]:
    """repeats, then as many again, ... up to max_repeats."""
    for start in range(0, declaration.most_repeats, declaration.repeats):
        yield start, min(start + declaration.repeats, declaration.most_repeats)


def blocks(
    declaration: Declaration,
    scenario: Scenario,
    parameters: Mapping[str, Any],
    start: int,
    stop: int,
    size: int,
) -> list[Task]:
    code = code_of(scenario, parameters)
    return [
        Task(scenario.name, scenario.version, parameters, declaration.seed, k, min(k + size, stop), code)
        for k in range(start, stop, size)
    ]


def code_of(scenario: Scenario, parameters: Mapping[str, Any]) -> tuple[CodeState, ...]:
    return scenario.code(parameters) if scenario.code else ()


def error_of(values: Floats) -> float:
    """The standard error that decides on further repeats; NaN (no value) is left out."""
    values = values[~np.isnan(values)]
    if len(values) > 1 and is_fraction(values):
        return agresti_coull_error(values)
    return standard_error(values)


def describe(task: Task) -> str:
    """storage N=20 alpha=0.5, repeats 0 to 63"""
    settings = " ".join(f"{key}={value}" for key, value in task.parameters.items())
    return f"{task.scenario} {settings}, repeats {task.start} to {task.stop - 1}"
