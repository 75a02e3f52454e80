"""Means of the repeats with 95 % intervals, at single points and along the lines of a figure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr, bdtrc, stdtr

from markone.lab.scenario import Point, Scenario, drop_repeated_points
from markone.lab.schema import Declaration, matches_where
from markone.numerics import intervals, statistics
from markone.numerics.arrays import Floats
from markone.numerics.text import format_number, format_rounded

TAIL = 0.025  # left out on either side of a 95 % interval
ROUNDING = 1e-9
EVERYWHERE = (-np.inf, np.inf)
Ints = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True)
class Estimate:
    """Mean of n repeats and its standard error. `missing` values were not finite and are left out.

    A `fraction` is the mean of zeros and ones; its standard error vanishes at 0 and 1, so that its interval
    is Wilson's, and where all runs agree the exact one of Clopper and Pearson (the Gaussian approximation is
    poor in the tails there). All others have Student's interval, wider on the side to which the values are
    skewed (Hall). Values that are counts in units of `step` have an error of at least one step in all runs.
    Means lie in the range `within` that the scenario declares.
    """

    n: int
    missing: int
    mean: float
    error: float
    fraction: bool = False
    data: int = 0  # equal for equal values in equal order
    skew: float = 0.0
    within: tuple[float, float] = EVERYWHERE

    def confidence_interval(self, tail: float = TAIL) -> tuple[float, float]:
        """Interval with the probability `tail` on either side outside; NaN without an error bar."""
        if self.fraction and self.n > 0 and self.mean in (0.0, 1.0):
            return intervals.clopper_pearson_interval(round(self.n * self.mean), self.n, tail)
        if self.fraction and self.n > 0:
            return intervals.wilson_interval(self.mean, self.n, tail=tail)
        return intervals.mean_interval(self.mean, self.error, self.n, self.skew, tail)

    def clipped_interval(self) -> tuple[float, float]:
        """The 95 % interval clipped to the range of the measure; its coverage is the same."""
        low, high = self.confidence_interval()
        return max(low, self.within[0]), min(high, self.within[1])

    def tail_probability(self, value: float, side: int) -> float:
        """Probability of a mean as far above (side = +1) or below (-1) `value` if that is the true mean:
        exact for fractions, also where all runs agree; 0 or 1 without scatter; 1 without an error bar."""
        if self.fraction:
            hits, at = round(self.n * self.mean), min(max(value, 0.0), 1.0)
            if side < 0:
                return float(bdtr(hits, self.n, at))
            return float(bdtrc(hits - 1, self.n, at)) if hits else 1.0
        off = side * (self.mean - value)
        if not self.error > 0:
            return 0.0 if self.n > 1 and off > ROUNDING * max(1.0, abs(value)) else 1.0
        t = statistics.hall_score((self.mean - value) / self.error, self.skew, self.n)
        return float(stdtr(self.n - 1, -side * t))

    @property
    def low(self) -> float:
        return self.clipped_interval()[0]

    @property
    def high(self) -> float:
        return self.clipped_interval()[1]

    def __str__(self) -> str:
        """Mean and 95 % interval, rounded by the width of the interval."""
        if self.n == 0:
            return "–"
        low, high = self.clipped_interval()
        if not np.isfinite(low):
            return f"{format_number(self.mean)} (one run)"
        mean, low_text, high_text = format_rounded([self.mean, low, high], (high - low) / 2)
        return f"{mean} [{low_text}, {high_text}]"


@dataclass(frozen=True)
class Line:
    """One measure along x, all other parameters fixed; `keys` identifies the line."""

    measure: str
    keys: dict[str, Any]
    x: list[Any]
    parameters: list[dict[str, Any]]
    estimates: list[Estimate]


class Points(Sequence[Point]):
    """Points as a list; those of a store are columns (store/points.py)."""

    def __init__(self, points: Iterable[Point]) -> None:
        self._points = list(points)

    def __len__(self) -> int:
        return len(self._points)

    @overload
    def __getitem__(self, k: int) -> Point: ...
    @overload
    def __getitem__(self, k: slice) -> Points: ...
    def __getitem__(self, k: int | slice) -> Point | Points:
        return Points(self._points[k]) if isinstance(k, slice) else self._points[k]

    @property
    def repeats(self) -> Ints:
        """Number of repeats of each point."""
        return np.array([point.repeats for point in self], dtype=np.int64)

    def iterate_parameters(self) -> Iterator[Mapping[str, Any]]:
        return (point.parameters for point in self)

    @property
    def measures(self) -> list[str]:
        """Measures with values at some point."""
        return list(dict.fromkeys(measure for point in self for measure in point.values))

    def pool_values(self, measure: str) -> Floats:
        """The values of a measure at all points in one array."""
        found = (np.asarray(point.values.get(measure, ()), dtype=float) for point in self)
        return np.concatenate([np.zeros(0), *found])

    def select(self, where: Mapping[str, Any], fixed: Mapping[str, Any]) -> Points:
        """Those that `where` selects; `fixed` are parameters that all share."""
        return Points(p for p in self if matches_where({**fixed, **p.parameters}, where))

    def with_results(self) -> Points:
        """Those with values or failures."""
        return Points(point for point in self if point.repeats or point.failures)

    def with_failures(self) -> Points:
        return Points(point for point in self if point.failures)

    def without_copies(self, scenario: Scenario) -> Points:
        """Those that do not repeat the runs of an earlier one."""
        return Points(drop_repeated_points(scenario, self))


def as_points(points: Sequence[Point]) -> Points:
    return points if isinstance(points, Points) else Points(points)


def estimate_mean(
    values: ArrayLike, fraction: bool = False, step: float = 0.0, within: tuple[float, float] = EVERYWHERE
) -> Estimate:
    values = np.asarray(values, dtype=float)
    finite = values[np.isfinite(values)]
    n, missing, data = len(finite), len(values) - len(finite), hash(values.tobytes())
    if n == 0:
        return Estimate(0, missing, np.nan, np.nan, fraction, data)
    if finite.min() == finite.max():  # the mean of equal numbers is that number, without rounding
        error = step / n if n > 1 or fraction else np.nan
        return Estimate(n, missing, float(finite[0]), error, fraction, data, within=within)
    # Diverging rules give numbers like 1e200, whose squares overflow: scaling by powers of two is exact.
    unit = 2.0 ** (np.frexp(np.abs(finite).max())[1] - 1) if np.abs(finite).max() > 1e100 else 1.0
    mean = float((finite / unit).mean() * unit)
    if fraction:
        return Estimate(n, missing, mean, float(np.sqrt(mean * (1 - mean)) / np.sqrt(n)), fraction, data)
    error = max(statistics.standard_error(finite / unit) * unit, step / n)
    return Estimate(
        n, missing, mean, error, fraction, data, statistics.sample_skewness(finite / unit), within
    )


def is_fraction_measure(points: Sequence[Point], measure: str) -> bool:
    """True if the measure is 0 or 1 in every run at every point."""
    values = as_points(points).pool_values(measure)
    finite = values[np.isfinite(values)]
    return len(finite) > 0 and statistics.are_zero_or_one(finite)


def estimate_points(
    points: Sequence[Point], measure: str, scenario: Any = None, fraction: bool | None = None
) -> list[Estimate]:
    """One estimate for each point, with n = 0 if it has no values. The scenario declares steps and ranges of
    its measures; `fraction` is known if these are some of the points only."""
    fraction = is_fraction_measure(points, measure) if fraction is None else fraction
    step = getattr(scenario, "steps", {}).get(measure)
    within = getattr(scenario, "ranges", {}).get(measure, EVERYWHERE)
    return [
        estimate_mean(
            point.values.get(measure, ()), fraction, step(point.parameters) if step else 0.0, within
        )
        for point in points
    ]


def point_parameters(declaration: Declaration, point: Point) -> dict[str, Any]:
    if declaration.fixed.keys() <= point.parameters.keys():
        return point.parameters
    return {**declaration.fixed, **point.parameters}


def measured_lines(
    declaration: Declaration, points: Sequence[Point], figure: Any, measure: str
) -> list[Line]:
    """The lines of one measure in a figure, in the order of the points, each sorted along x.

    Points without a finite value are left out.
    """
    chosen = as_points(points).select(getattr(figure, "where", None) or {}, declaration.fixed)
    fraction = is_fraction_measure(points, measure)
    found_at = estimate_points(chosen, measure, declaration.scenario_object, fraction)
    rows = [
        (point_parameters(declaration, point), measured)
        for point, measured in zip(chosen, found_at, strict=True)
        if measured.n > 0
    ]
    # The figure's own, and every other grid key that varies, so that no two points coincide.
    others = [
        key
        for key in declaration.grid
        if key != figure.x and len({repr(row.get(key)) for row in [parameters for parameters, _ in rows]}) > 1
    ]
    keys = list(dict.fromkeys([*figure.lines, *others]))
    found: dict[str, Line] = {}
    for parameters, measured in rows:
        own = {key: parameters[key] for key in keys if key in parameters}
        line = found.setdefault(repr(own), Line(measure, own, [], [], []))
        line.x.append(parameters[figure.x])
        line.parameters.append(parameters)
        line.estimates.append(measured)
    return [_sort_along_x(line) for line in found.values()]


def _sort_along_x(line: Line) -> Line:
    if not are_numbers(line.x):
        return line
    rows = sorted(zip(line.x, line.parameters, line.estimates, strict=True), key=lambda row: row[0])
    x, parameters, estimates = zip(*rows, strict=True)
    return Line(line.measure, line.keys, list(x), list(parameters), list(estimates))


def are_numbers(values: Iterable[Any]) -> bool:
    return all(isinstance(value, Real) and not isinstance(value, bool) for value in values)


def evenly_spaced_indices(n: int, most: int) -> NDArray[np.int64]:
    """At most `most` of the numbers 0 .. n - 1, evenly spaced, with both ends."""
    return np.arange(n) if n <= most else np.rint(np.linspace(0, n - 1, most)).astype(np.int64)


def without_keys(keys: Mapping[str, Any], *left_out: str) -> dict[str, Any]:
    return {key: value for key, value in keys.items() if key not in left_out}
