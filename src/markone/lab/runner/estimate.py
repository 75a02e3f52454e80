"""How long will it take? A small block for each size of the problem is timed, nothing is stored."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markone.lab.runner.worker import sentence
from markone.lab.scenario import Scenario

Clock = Callable[[], float]
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
    sizes: Mapping[tuple[tuple[str, Any], ...], float]


def size(parameters: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
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


def estimate(declaration: Any, todo: Sequence[Any], clock: Clock = time.perf_counter) -> TimeEstimate:
    """The time of the tasks `todo`, and of all that precision may still ask for."""
    scenario, points = declaration.scenario_object, declaration.points()
    groups: dict[tuple[tuple[str, Any], ...], list[Any]] = {}
    for point in points:
        groups.setdefault(size(point), []).append(point)
    # The middle point of a size stands for it: the first is often its cheapest.
    speed = {
        key: seconds_per_unit(scenario, group[len(group) // 2], declaration.seed, clock)
        for key, group in groups.items()
    }

    def seconds(parameters: Mapping[str, Any], repeats: int) -> float:
        return speed[size(parameters)] * scenario.cost(scenario.parameters(**parameters)) * repeats

    asked = sum(seconds(task.parameters, task.stop - task.start) for task in todo)
    repeats = sum(task.stop - task.start for task in todo)
    at_most = asked
    if declaration.precision:
        at_most = sum(seconds(point, declaration.most_repeats) for point in points)
    return TimeEstimate(len(points), len(todo), repeats, asked, max(asked, at_most), speed)
