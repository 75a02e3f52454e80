"""Estimate the time of a run: a few repeats of some problem sizes are timed, nothing is stored.

This takes `BUDGET` seconds of computing, or one repeat of the cheapest point if that takes longer. Cheap
sizes are timed first; those for which no time is left get the speed of the last one that was timed.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from markone.lab.scenario import Scenario
from markone.lab.schedule.remaining import Ints, Survey, check_task_count, survey_tasks
from markone.lab.schedule.tasks import TASK_SECONDS, foreign_code_states
from markone.lab.schema import Declaration
from markone.lab.store.results import Store
from markone.numerics.arrays import Floats, release_freed_memory
from markone.run.executors import count_cores
from markone.run.outcomes import exception_message
from markone.run.progress import format_duration

Clock = Callable[[], float]
Size = tuple[tuple[str, Any], ...]
# Multiplications of a timed block, some tenths of a second: enough data sets to fill the SIMD lanes.
CALIBRATION = 4e8
BUDGET = 1.0
# Seconds per multiplication, slower than any compiled code.
SLOW = 1e-8


@dataclass(frozen=True)
class TimeEstimate:
    """Core seconds: divide by the number of workers. `at_most` differs with a precision; `points` counts the
    computed ones."""

    points: int
    tasks: int
    repeats: int
    seconds: float
    at_most: float
    sizes: Mapping[Size, float]


@dataclass(frozen=True)
class Plan:
    """Remaining work: grid points, tasks, repeats, the seconds they take on one core, and sentences on the
    power of the claims."""

    name: str
    title: str
    estimate: TimeEstimate
    points: int
    power: Sequence[str] = ()

    @property
    def tasks(self) -> int:
        return self.estimate.tasks

    @property
    def seconds(self) -> float:
        return self.estimate.seconds

    def facts(self) -> dict[str, float]:
        """The numbers of the plan, for `markone check --json`."""
        found = self.estimate
        counts = {"points": found.points, "tasks": found.tasks, "repeats": found.repeats}
        return {**counts, "core_seconds": found.seconds, "at_most": found.at_most}

    def lines(self) -> list[str]:
        found, cores = self.estimate, count_cores()
        size = f"{self.points} grid points"
        size += f", {found.points} of them different" * (found.points < self.points)
        text = f"About {format_duration(found.seconds)} on one core"
        if found.at_most > found.seconds:
            most = format_duration(found.at_most)
            text += f" for the next round, at most {most} until all points reach the precision"
        return [
            f"{self.name}: {self.title}",
            f"{size}, {found.tasks} tasks to run, {found.repeats} repeats in them.",
            f"{text}; {format_duration(found.seconds / cores)} on the {cores} cores here.",
            *self.power,
        ]

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        first, *rest = map(escape, self.lines())
        return f"<p><strong>{first}</strong><br>{'<br>'.join(rest)}</p>"


def plan_run(declaration: Declaration, store: Path, yes_really: bool = False) -> Plan:
    """The work that is missing in a store, which need not exist. More than ten million tasks are refused,
    unless `yes_really`."""
    if not yes_really:
        check_task_count(declaration)
    if store.exists():
        with Store(store, mode="r") as results:
            left = survey_tasks(declaration, results.done(declaration.precision_of))
            found = estimate_run_time(declaration, left)
    else:
        found = estimate_run_time(declaration, survey_tasks(declaration, {}))
    return Plan(declaration.name, declaration.title, found, len(declaration))


def _problem_sizes(declaration: Any, number: Ints) -> tuple[list[Size], Ints]:
    """Problem sizes, which determine the speed: all parameters but the real-valued ones (alpha, noise,
    rates); and the index of the size of each point."""
    # alpha = [1, 2] is real-valued too.
    real = {key for key, value in declaration.point(0).items() if isinstance(value, float)}
    which, rest, known = np.zeros_like(number), number, dict[str, list[Any]]()
    for key in reversed(declaration.grid):
        values = declaration.grid[key]
        rest, place = np.divmod(rest, len(values))
        kept = [None if key in real or isinstance(value, float) else value for value in values]
        known[key] = list({repr(value): value for value in kept}.values())
        code = {repr(value): k for k, value in enumerate(known[key])}
        which = which * len(code) + np.array([code[repr(v)] for v in kept], dtype=number.dtype)[place]
    there = np.bincount(which) > 0
    place = np.cumsum(there, dtype=number.dtype) - 1
    return [_decode_problem_size(k, known, declaration.fixed) for k in np.flatnonzero(there).tolist()], place[
        which
    ]


def _decode_problem_size(code: int, known: dict[str, list[Any]], fixed: Mapping[str, Any]) -> Size:
    """The size with this code."""
    own: dict[str, Any] = {}
    for key in reversed(known):
        code, k = divmod(code, len(known[key]))
        own[key] = known[key][k]
    own |= {key: value for key, value in fixed.items() if not isinstance(value, float)}
    return tuple((key, value) for key, value in own.items() if value is not None)


def seconds_per_unit(
    scenario: Scenario, parameters: Mapping[str, Any], seed: int, most: int, clock: Clock, budget: float
) -> tuple[float, float]:
    """(seconds per unit of `Scenario.cost`, seconds spent), from a block of at most `most` repeats that fits
    into the budget, run once before: a single data set may not load all compiled code."""
    settings = scenario.parameters(**parameters)
    cost = scenario.cost(settings)

    def timed(repeats: int) -> float:
        began = clock()
        try:
            scenario.run(settings, seed, 0, repeats)
        except Exception as error:
            # In a run it would be the outcome of a task.
            point = " ".join(f"{key}={value}" for key, value in parameters.items())
            cause = " ".join(exception_message(error).split())[:200]
            raise ValueError(f"A repeat of {scenario.name} with {point} fails: {cause}") from error
        return clock() - began

    # Imported here, so that an invalid declaration is reported without numba.
    from markone.numerics.numba_internals import record_compilations

    with record_compilations() as compilations:
        spent = one = timed(1)
    if compilations or one > max(SLOW * cost, 0.05):
        # Timed again: the first time included compilation or loading, unless the declared cost is too small.
        spent = one = timed(1)
    affordable = int((budget - spent) / 2 / max(one, 1e-12))
    repeats = max(1, min(most, int(CALIBRATION / cost), affordable))
    if repeats == 1:
        return one / cost, spent
    before, found = timed(repeats), timed(repeats)
    return found / (repeats * cost), spent + before + found


def _measure_speeds(
    scenario: Scenario, middle: Mapping[Size, Any], seed: int, most: int, clock: Clock
) -> dict[Size, float]:
    """Seconds per unit of cost of each size, the cheapest first, within the budget; `middle` has a point of
    each size."""
    price = {key: scenario.cost(scenario.parameters(**point)) for key, point in middle.items()}
    found: dict[Size, float] = {}
    left, last = BUDGET, 0.0
    for number, key in enumerate(sorted(middle, key=lambda key: price[key])):
        # The remaining budget is divided; a size that would exceed it gets the speed of the one before.
        if found and left < 2 * last * price[key]:
            found[key] = last
            continue
        share = left / (len(middle) - number)
        found[key], spent = seconds_per_unit(scenario, middle[key], seed, most, clock, share)
        left, last = left - spent, found[key]
    return found


def _cost_by_size(declaration: Any, todo: Survey) -> tuple[list[Size], Floats, list[int]]:
    """The sizes; the remaining and the largest cost of each; and the index of its middle point, which
    represents it: the first is often its cheapest."""
    known, which = _problem_sizes(declaration, todo.number)
    remaining = np.bincount(which, weights=todo.cost * todo.repeats)
    at_most = np.bincount(which, weights=todo.cost) * declaration.most_repeats
    ends = np.cumsum(np.bincount(which))
    order = np.argsort(which, kind="stable")
    middle = order[(ends + np.append(0, ends[:-1])) // 2]
    return known, np.stack([remaining, at_most]), todo.number[middle].tolist()


def estimate_run_time(declaration: Any, todo: Survey, clock: Clock = time.process_time) -> TimeEstimate:
    """Time of the remaining tasks, and of all rounds that the precision may require."""
    known, cost, middle = _cost_by_size(declaration, todo)
    declared, (_, tasks, repeats) = len(todo.number), todo.total_counts()
    # For a million points these are the largest arrays, and the timed runs need memory too.
    del todo
    release_freed_memory()
    # Sizes without remaining tasks are not timed.
    points = {
        key: declaration.point(k) for key, k, left in zip(known, middle, cost[0], strict=True) if left > 0
    }
    speed = _measure_speeds(
        declaration.scenario_object, points, declaration.seed, declaration.most_repeats, clock
    )
    rates = np.array([speed.get(key, 0.0) for key in known])
    seconds = float(rates @ cost[0])
    most = float(rates @ cost[1]) if declaration.precision else seconds
    if any(foreign_code_states(declaration.scenario_object, point) for point in points.values()):
        tasks = max(tasks, ceil(seconds / TASK_SECONDS))
    return TimeEstimate(declared, tasks, repeats, seconds, max(seconds, most), speed)
