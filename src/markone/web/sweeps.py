"""Sweeps: the scenarios of the experiments, computed a few repeats at a time for a figure.

The numbers are those an experiment would store: same function, same seed, same repeats.
"""

import itertools
import math
import time
from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from markone.lab.experiment import Experiment
from markone.lab.scenario import Scenario
from markone.numerics.statistics import agresti_coull_error, are_zero_or_one, standard_error
from markone.web.budget import CPU_BUDGET, PACE
from markone.web.screens.base import Frames, Screen

# Repeats of the first round; each further round doubles the total.
FIRST = 2
# Mean, standard error, number of repeats.
Summary = tuple[float, float, int]


@dataclass(frozen=True)
class SweepLine:
    """One line of a figure: the parameters that are constant along it."""

    name: str
    title: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True)
class Sweep:
    """Lines of a scenario over alpha = `alphas`, each point with so many repeats."""

    scenario: Scenario
    lines: Sequence[SweepLine]
    alphas: Sequence[float]
    measures: Sequence[str]
    seed: int
    repeats: int

    def parameters(self, line: SweepLine, alpha: float) -> Any:
        return self.scenario.parameters(**line.parameters, alpha=alpha)

    def estimate_seconds(self) -> float:
        """Processor time: one multiplication per nanosecond, plus 10 microseconds per repeat."""
        costs = [self.scenario.cost(self.parameters(line, a)) for line in self.lines for a in self.alphas]
        return self.repeats * (1e-9 * sum(costs) + 1e-5 * len(costs))


def make_sweep_screen(
    *,
    title: str,
    sweep: Callable[[Any], Sweep],
    declare: Callable[[Any], dict[str, Any]],
    reduce: Mapping[str, str],
    **rest: Any,
) -> Screen:
    """A screen of a sweep. declare: its experiment, without what the sweep has. reduce: what to suggest if it
    takes too long, for fields of the state."""

    def declaration(state: Any) -> dict[str, Any]:
        asked = sweep(state)
        shared = {"scenario": asked.scenario.name, "seed": asked.seed, "repeats": asked.repeats}
        return {name: part for name, part in (shared | declare(state)).items() if part != {}}

    def toml(state: Any) -> str:
        return Experiment.declare(**declaration(state)).toml()

    def seconds(state: Any) -> float:
        return sweep(state).estimate_seconds()

    def python(state: Any) -> str:
        return _experiment_script(title, declaration(state), sweep(state).measures)

    def fits(state: Any) -> str:
        return _suggest_smaller_state(state, seconds, reduce)

    return Screen(title=title, toml=toml, seconds=seconds, python=python, fits=fits, **rest)


def yield_theory_frames(sweep: Sweep, alphas: Any) -> Frames:
    """Yield frames with the titles of the lines, then with the theory of their measures, line by line."""
    curves: list[dict[str, Any]] = [{} for _ in sweep.lines]
    yield {"titles": [line.title for line in sweep.lines], "curves": curves}
    for k, line in enumerate(sweep.lines):
        found = {name: theory_points(sweep, name, line, alphas) for name in sweep.measures}
        curves = [*curves[:k], found, *curves[k + 1 :]]
        yield {"curves": curves}


def theory_points(sweep: Sweep, theory: str, line: SweepLine, alphas: Any) -> list[list[float]]:
    """Return [alpha, value] of a theory along a line, without points where it is not defined."""
    function = sweep.scenario.theories[theory].function
    # Parameters that are not given have the defaults of the scenario.
    values = [[float(a), float(function(sweep.parameters(line, a).model_dump()))] for a in alphas]
    return [pair for pair in values if math.isfinite(pair[1])]


def _suggest_smaller_state(state: Any, seconds: Callable[[Any], float], words: Mapping[str, str]) -> str:
    """Suggest what would fit into the budget: each field of `words` reduced on its own as far as needed."""
    found = []
    for name, sentence in words.items():
        values = range(state.model_json_schema()["properties"][name]["minimum"], int(getattr(state, name)))
        fits = bisect(values, CPU_BUDGET, key=lambda n: seconds(state.model_copy(update={name: n})))
        if fits:
            found.append(sentence.format(values[fits - 1]))
    return f"{' or '.join(found)} would fit." if found else "Reduce several settings at once."


def yield_sweep_frames(sweep: Sweep) -> Frames:
    """Yield frames with [x, mean, standard error, repeats] of each line and measure, until complete."""
    scenario, measures = sweep.scenario, sweep.measures
    values: dict[tuple[int, int], dict[str, list[Any]]] = {}
    # Only changed points are summarised again: a figure has a hundred points, a frame changes a few.
    found: dict[tuple[int, int], dict[str, Summary]] = {}
    clock = FrameClock()
    for first, last in _split_repeats(sweep.repeats):
        for (k, line), (i, alpha) in itertools.product(enumerate(sweep.lines), enumerate(sweep.alphas)):
            parameters = sweep.parameters(line, alpha)
            kept = values.setdefault((k, i), {name: [] for name in measures})
            cost = scenario.cost(parameters)
            for start, stop in _split_round(first, last, cost):
                if clock.is_frame_due(cost * (stop - start)):
                    yield _make_frame(sweep, found, first, False)
                    clock.restart_frame()
                drawn = scenario.run(parameters, sweep.seed, start, stop)
                for name in measures:
                    kept[name].append(drawn[name])
                found[k, i] = {name: _summarise_blocks(kept[name]) for name in measures}
                clock.add_cost(cost * (stop - start))
    yield _make_frame(sweep, found, sweep.repeats, True)


@dataclass
class FrameClock:
    """Decides when a frame is due: a little early rather than a whole block late."""

    began: float = field(default_factory=time.perf_counter)
    cost: float = 0.0
    pace: float = 1e-9

    def is_frame_due(self, cost: float) -> bool:
        """True if the next block, at the speed measured so far, would end after the frame is due."""
        gone = time.perf_counter() - self.began
        return self.cost > 0 and gone + cost * self.pace > PACE.seconds

    def add_cost(self, cost: float) -> None:
        self.cost += cost
        self.pace = (time.perf_counter() - self.began) / self.cost

    def restart_frame(self) -> None:
        self.began, self.cost = time.perf_counter(), 0.0


def _experiment_script(title: str, declaration: dict[str, Any], measures: Sequence[str]) -> str:
    """Return a Python script that runs an experiment and prints its means."""
    keys = "".join(f"    {key}={value!r},\n" for key, value in declaration.items())
    axes = list(declaration["grid"])
    return f"""# {title}, as plain Python: the means of the figure.
import numpy as np

from markone.lab import Experiment

experiment = Experiment.declare(
{keys})
result = experiment.run(workers=1, progress=False)
for point in result.points:
    means = {{name: float(np.nanmean(point.values[name])) for name in {list(measures)!r}}}
    print({{name: point.parameters[name] for name in {axes!r}}}, means)
# result.plot() draws them with the theory.
"""


def _split_round(first: int, last: int, cost: float) -> Iterator[tuple[int, int]]:
    """Yield blocks of repeats that fit into a frame; the results do not depend on the cuts."""
    start = first
    while start < last:
        stop = min(last, start + max(1, int(0.5e9 * PACE.seconds / cost)))
        yield start, stop
        start = stop


def _split_repeats(repeats: int) -> Iterator[tuple[int, int]]:
    start, stop = 0, min(FIRST, repeats)
    while start < repeats:
        yield start, stop
        start, stop = stop, min(2 * stop, repeats)


def _make_frame(sweep: Sweep, found: Any, repeats: int, last: bool) -> dict[str, Any]:
    points = [
        {
            name: [[float(x), *found[k, i][name]] for i, x in enumerate(sweep.alphas) if (k, i) in found]
            for name in sweep.measures
        }
        for k in range(len(sweep.lines))
    ]
    return {"points": points, "repeats": repeats, "last": last}


def _summarise_blocks(blocks: list[Any]) -> Summary:
    """Return mean, standard error and number of the finite values; NaN means "not decided"."""
    values = np.concatenate(blocks)
    values = values[~np.isnan(values)]
    if not len(values):
        return math.nan, math.nan, 0
    error = agresti_coull_error(values) if are_zero_or_one(values) else standard_error(values)
    return float(values.mean()), error, len(values)
