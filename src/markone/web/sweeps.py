"""A figure of the laboratory, point by point: the scenarios of the experiments, a few repeats at a time.

The numbers are those an experiment would store: the same function, the same seed, the same repeats.
"""

import itertools
import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.lab.scenario import Scenario
from markone.lab.scenarios import find
from markone.numerics.statistics import agresti_coull_error, is_fraction, standard_error
from markone.web.pace import PACE

# Repeats of the first round; each further round doubles what is there.
FIRST = 2

__all__ = ["SweepLine", "curve", "find", "seconds", "snapshots"]


@dataclass(frozen=True)
class SweepLine:
    """One line of a figure: what is the same along it."""

    name: str
    title: str
    parameters: Mapping[str, Any]


def curve(scenario: Scenario, theory: str, line: SweepLine, variable: str, xs: Any) -> list[list[float]]:
    """A theory along a line; points where it is not defined are left out."""
    function = scenario.theories[theory].function
    # Whatever the scenario leaves out of its parameters has its default.
    given = [_complete(scenario, {**line.parameters, variable: x}) for x in xs]
    values = [[float(x), float(function(p))] for x, p in zip(xs, given, strict=True)]
    return [pair for pair in values if math.isfinite(pair[1])]


def _complete(scenario: Scenario, parameters: Mapping[str, Any]) -> dict[str, Any]:
    return scenario.parameters(**parameters).model_dump()


def seconds(
    scenario: Scenario, lines: Sequence[SweepLine], variable: str, xs: Sequence[float], repeats: int
) -> float:
    """About one multiplication a nanosecond, and a little for every call."""
    one = sum(
        scenario.cost(scenario.parameters(**line.parameters, **{variable: x})) for line in lines for x in xs
    )
    return 1e-9 * one * repeats + 1e-5 * len(lines) * len(xs) * repeats


def snapshots(
    scenario: Scenario,
    lines: Sequence[SweepLine],
    variable: str,
    xs: Sequence[float],
    measures: Sequence[str],
    seed: int,
    repeats: int,
) -> Iterator[dict[str, Any]]:
    """Frames with [x, mean, standard error, repeats] of each line and measure, until all are there."""
    found: dict[tuple[int, int], dict[str, list[Any]]] = {}
    began = time.perf_counter()
    for first, last in _rounds(repeats):
        for (k, line), (i, x) in itertools.product(enumerate(lines), enumerate(xs)):
            parameters = scenario.parameters(**line.parameters, **{variable: x})
            kept = found.setdefault((k, i), {name: [] for name in measures})
            for start, stop in _blocks(first, last, scenario.cost(parameters)):
                values = scenario.run(parameters, seed, start, stop)
                for name in measures:
                    kept[name].append(values[name])
                if time.perf_counter() - began > PACE.seconds:
                    yield _frame(lines, xs, measures, found, first, False)
                    began = time.perf_counter()
    yield _frame(lines, xs, measures, found, repeats, True)


def _blocks(first: int, last: int, cost: float) -> Iterator[tuple[int, int]]:
    """Calls that fit into a frame; where they are cut does not change a bit."""
    start = first
    while start < last:
        stop = min(last, start + max(1, int(0.5e9 * PACE.seconds / cost)))
        yield start, stop
        start = stop


def _rounds(repeats: int) -> Iterator[tuple[int, int]]:
    start, stop = 0, min(FIRST, repeats)
    while start < repeats:
        yield start, stop
        start, stop = stop, min(2 * stop, repeats)


def _frame(lines: Any, xs: Any, measures: Any, found: Any, repeats: int, last: bool) -> dict[str, Any]:
    points = [
        {
            name: [[float(x), *_summary(found[k, i][name])] for i, x in enumerate(xs) if (k, i) in found]
            for name in measures
        }
        for k in range(len(lines))
    ]
    return {"points": points, "repeats": repeats, "last": last}


def _summary(blocks: list[Any]) -> tuple[float, float, int]:
    """Mean and standard error of what is known; NaN is "not decided" and counts for nothing."""
    values = np.concatenate(blocks)
    values = values[~np.isnan(values)]
    if not len(values):
        return math.nan, math.nan, 0
    error = agresti_coull_error(values) if is_fraction(values) else standard_error(values)
    return float(values.mean()), error, len(values)
