"""How long will it take? A few repeats of some sizes of the problem are timed, nothing is stored.

The answer comes within `BUDGET` seconds of computing, or after one repeat of the cheapest point if that takes
longer. Cheap sizes are timed first; those for which no time is left get the speed of the last that was timed.
"""

import time
from array import array
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from markone.lab.runner.worker import sentence
from markone.lab.scenario import Scenario
from markone.lab.tasks import Share

Clock = Callable[[], float]
Size = tuple[tuple[str, Any], ...]
# Multiplications of a timed block, some tenths of a second: enough sets to fill the lanes side by side.
CALIBRATION = 4e8
BUDGET = 1.0
# Seconds a multiplication that no compiled code needs.
SLOW = 1e-8


@dataclass(frozen=True)
class TimeEstimate:
    """Core seconds: divide by the number of workers. `at_most` differs when precision decides; `points` are
    those that are computed."""

    points: int
    tasks: int
    repeats: int
    seconds: float
    at_most: float
    sizes: Mapping[Size, float]


def grid_points(declared: int, found: TimeEstimate) -> str:
    """2804 grid points, 582 of them different"""
    return f"{declared} grid points" + (f", {found.points} of them different" * (found.points < declared))


@dataclass
class Sum:
    """Of the points of one size: their numbers, and the cost of what is to be done."""

    points: "array[int]" = field(default_factory=lambda: array("q"))
    cost: float = 0.0
    at_most: float = 0.0


def size(parameters: Mapping[str, Any], real: Collection[str] = ()) -> Size:
    """What decides the speed: all parameters but the real-valued ones (alpha, noise, rates)."""
    return tuple(
        (key, value) for key, value in parameters.items() if key not in real and not isinstance(value, float)
    )


def seconds_per_unit(
    scenario: Scenario, parameters: Mapping[str, Any], seed: int, most: int, clock: Clock, budget: float
) -> tuple[float, float]:
    """(seconds per unit of `Scenario.cost`, seconds spent), from a block of at most `most` repeats that fits
    into the budget, done once before: a single set may not reach all the code that must be loaded."""
    settings = scenario.parameters(**parameters)
    cost = scenario.cost(settings)

    def timed(repeats: int) -> float:
        began = clock()
        try:
            scenario.run(settings, seed, 0, repeats)
        except Exception as error:
            # In a run it would be the row of a task.
            told = " ".join(f"{key}={value}" for key, value in parameters.items())
            cause = " ".join(sentence(error).split())[:200]
            raise ValueError(f"A repeat of {scenario.name} with {told} fails: {cause}") from error
        return clock() - began

    spent = one = timed(1)
    if one > max(SLOW * cost, 0.05):
        # So slow is only a compiler, which will not come again, or a cost that says too little.
        spent = one = timed(1)
    affordable = int((budget - spent) / 2 / max(one, 1e-12))
    repeats = max(1, min(most, int(CALIBRATION / cost), affordable))
    if repeats == 1:
        return one / cost, spent
    before, found = timed(repeats), timed(repeats)
    return found / (repeats * cost), spent + before + found


def speeds(
    scenario: Scenario, middle: Mapping[Size, Any], seed: int, most: int, clock: Clock
) -> dict[Size, float]:
    """Of each size, the cheapest first, as long as the budget lasts; `middle` has a point of each."""
    price = {key: scenario.cost(scenario.parameters(**point)) for key, point in middle.items()}
    found: dict[Size, float] = {}
    left, last = BUDGET, 0.0
    for number, key in enumerate(sorted(middle, key=lambda key: price[key])):
        # The rest is shared; a size that would take longer than all of it gets the speed of the one before.
        if found and left < 2 * last * price[key]:
            found[key] = last
            continue
        share = left / (len(middle) - number)
        found[key], spent = seconds_per_unit(scenario, middle[key], seed, most, clock, share)
        left, last = left - spent, found[key]
    return found


def estimate(declaration: Any, todo: Iterable[Share], clock: Clock = time.process_time) -> TimeEstimate:
    """The time of what is to be done, and of all that precision may still ask for; `todo` has every point
    that is computed."""
    scenario = declaration.scenario_object
    found: dict[Size, Sum] = {}
    points = tasks = repeats = 0
    # alpha = [1, 2] means real numbers too.
    real = {key for key, value in declaration.point(0).items() if isinstance(value, float)}
    for share in todo:
        entry = found.setdefault(size(share.parameters, real), Sum())
        entry.points.append(share.number)
        entry.cost += share.cost * share.repeats
        entry.at_most += share.cost * declaration.most_repeats
        points, tasks, repeats = points + 1, tasks + share.tasks, repeats + share.repeats
    # The middle point of a size stands for it: the first is often its cheapest.
    middle = {key: declaration.point(s.points[len(s.points) // 2]) for key, s in found.items()}
    speed = speeds(scenario, middle, declaration.seed, declaration.most_repeats, clock)
    asked = sum(speed[key] * entry.cost for key, entry in found.items())
    at_most = asked
    if declaration.precision:
        at_most = sum(speed[key] * entry.at_most for key, entry in found.items())
    return TimeEstimate(points, tasks, repeats, asked, max(asked, at_most), speed)
