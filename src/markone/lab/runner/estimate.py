"""How long will it take? A small block for each size of the problem is timed, nothing is stored."""

import time
from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from markone.lab.runner.worker import sentence
from markone.lab.scenario import Scenario
from markone.lab.tasks import Share

Clock = Callable[[], float]
Size = tuple[tuple[str, Any], ...]
# Multiplications of a timed block, some tenths of a second: enough sets to fill the lanes side by side.
CALIBRATION = 4e8


@dataclass(frozen=True)
class TimeEstimate:
    """Core seconds: divide by the number of workers. `at_most` differs when precision decides."""

    points: int
    tasks: int
    repeats: int
    seconds: float
    at_most: float
    sizes: Mapping[Size, float]


@dataclass
class Sum:
    """Of the points of one size: their numbers, and the cost of what is to be done."""

    points: "array[int]" = field(default_factory=lambda: array("q"))
    cost: float = 0.0
    at_most: float = 0.0


def size(parameters: Mapping[str, Any]) -> Size:
    """What decides the speed: all parameters but the real-valued ones (alpha, noise, rates)."""
    return tuple((key, value) for key, value in parameters.items() if not isinstance(value, float))


def seconds_per_unit(scenario: Scenario, parameters: Mapping[str, Any], seed: int, clock: Clock) -> float:
    """Seconds per unit of `Scenario.cost`, measured on one small block that was done once before."""
    settings = scenario.parameters(**parameters)
    repeats = max(1, int(CALIBRATION / scenario.cost(settings)))
    try:
        # The whole block twice: a single set may not reach all the code that must be compiled or loaded.
        scenario.run(settings, seed, 0, repeats)
        began = clock()
        scenario.run(settings, seed, 0, repeats)
    except Exception as error:
        # In a run it would be the row of a task.
        told = " ".join(f"{key}={value}" for key, value in parameters.items())
        cause = " ".join(sentence(error).split())[:200]
        raise ValueError(f"A repeat of {scenario.name} with {told} fails: {cause}") from error
    return (clock() - began) / (repeats * scenario.cost(settings))


def estimate(declaration: Any, todo: Iterable[Share], clock: Clock = time.perf_counter) -> TimeEstimate:
    """The time of what is to be done, and of all that precision may still ask for; `todo` has every point."""
    scenario = declaration.scenario_object
    found: dict[Size, Sum] = {}
    points = tasks = repeats = 0
    for share in todo:
        entry = found.setdefault(size(share.parameters), Sum())
        entry.points.append(points)
        entry.cost += share.cost * share.repeats
        entry.at_most += share.cost * declaration.most_repeats
        points, tasks, repeats = points + 1, tasks + share.tasks, repeats + share.repeats
    # The middle point of a size stands for it: the first is often its cheapest.
    speed = {
        key: seconds_per_unit(
            scenario, declaration.point(entry.points[len(entry.points) // 2]), declaration.seed, clock
        )
        for key, entry in found.items()
    }
    asked = sum(speed[key] * entry.cost for key, entry in found.items())
    at_most = (
        sum(speed[key] * entry.at_most for key, entry in found.items()) if declaration.precision else 0.0
    )
    return TimeEstimate(points, tasks, repeats, asked, max(asked, at_most), speed)
