"""Claims about lines: the measure falls, rises or grows as a power, or is below or above another line."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from markone.lab.claims.verdicts import Measured, Verdict, format_measured, least_tail, undecided_verdict
from markone.lab.formatting import format_keys
from markone.lab.statistics import TAIL, Estimate, are_numbers, estimate_mean
from markone.numerics.arrays import Floats
from markone.numerics.text import format_number


def _change_intervals(row: Sequence[Measured], tail: float) -> tuple[Floats, Floats]:
    """Intervals of mean[j] - mean[i], from the two intervals (Newcombe: square and add).

    Valid also near 0 and 1, where the interval of a fraction is not symmetric.
    """
    mean = np.array([s.estimate.mean for s in row])
    low, high = np.array([s.estimate.confidence_interval(tail) for s in row]).T
    difference = mean - mean[:, None]
    down = np.hypot(mean - low, (high - mean)[:, None])
    up = np.hypot(high - mean, (mean - low)[:, None])
    return difference - down, difference + up


def lines_along(samples: Sequence[Measured], key: str, grid: Sequence[str]) -> list[list[Measured]]:
    """Groups of at least two points that differ in the key only, in its order."""
    groups: dict[str, list[Measured]] = {}
    for sample in samples:
        others = [sample.parameters.get(other) for other in grid if other != key]
        groups.setdefault(repr(others), []).append(sample)
    rows = [group for group in groups.values() if len(group) > 1]
    if are_numbers(s.parameters[key] for row in rows for s in row):
        rows = [sorted(row, key=lambda s: s.parameters[key]) for row in rows]
    return rows


def judge_trend(
    samples: Sequence[Measured], key: str, sign: int, measure: str, grid: Sequence[str]
) -> Verdict:
    """Test along each line: no later point significantly on the wrong side of an earlier one, ends differ."""
    rows = lines_along(samples, key, grid)
    if not rows:
        return undecided_verdict(f"no two points differ in {key} only.")
    found = [_judge_line_trend(row, sign, TAIL / len(rows), measure, grid) for row in rows]
    p = min(1.0, sum(len(row) * (len(row) - 1) // 2 for row in rows) * min(v.p for v in found))
    worst = min(found, key=lambda v: (v.p if v.p < 0.5 else 1.0, v.shown))
    shown = sum(v.shown for v in found)
    return Verdict(shown == len(rows), p, f"shown by {shown} of {len(rows)} lines, e.g. {worst.sentence}")


def _judge_line_trend(
    row: Sequence[Measured], sign: int, tail: float, measure: str, grid: Sequence[str]
) -> Verdict:
    p = least_tail(lambda tail: _worst_step(row, sign, tail) is not None)
    lows, highs = _change_intervals([row[0], row[-1]], tail)
    low, high = lows[0, 1], highs[0, 1]
    first, last = (p < TAIL and _worst_step(row, sign, 2 * p)) or (row[0], row[-1])
    text = f"{measure} goes from {format_measured(first, grid)} to {format_measured(last, grid)}."
    if low == high == 0:
        return Verdict(False, 0.0, text + " It does not change.")
    return Verdict(bool((low if sign > 0 else -high) > 0), p, text)


def _worst_step(row: Sequence[Measured], sign: int, tail: float) -> tuple[Measured, Measured] | None:
    """The earlier and the later point that contradict the trend most, if two do so significantly."""
    low, high = _change_intervals(row, tail)
    against = np.triu(np.nan_to_num(-high if sign > 0 else low), 1)
    i, j = divmod(int(np.argmax(against)), len(row))
    return (row[i], row[j]) if against[i, j] > 0 else None


def judge_growth(
    samples: Sequence[Measured], asked: Mapping[str, Sequence[float]], measure: str, grid: Sequence[str]
) -> Verdict:
    """Test measure ~ key^e along each line, e between two powers, by weighted least squares of logarithms."""
    ((key, (low, high)),) = asked.items()
    rows = [
        row
        for row in lines_along(samples, key, grid)
        if all(s.estimate.mean > 0 and s.estimate.error > 0 and s.parameters[key] > 0 for s in row)
    ]
    if not rows:
        return undecided_verdict(f"no line along {key} has positive means with error bars.")
    z = -float(ndtri(TAIL / len(rows)))
    found = [(row, *_fit_power(row, key)) for row in rows]
    shown = all(low <= e - z * error and e + z * error <= high for _, e, error in found)
    chances = [float(ndtr(-max(low - e, e - high) / error)) for _, e, error in found]
    row, e, error = found[int(np.argmin(chances))]
    text = f"{measure} grows as {key}^{e:.2f} [{e - z * error:.2f}, {e + z * error:.2f}] from "
    text += (
        f"{format_measured(row[0], grid)} to {format_measured(row[-1], grid)}, expected "
        f"{format_number(low)} to {format_number(high)}."
    )
    return Verdict(shown, min(1.0, 2 * len(rows) * min(chances)), text)


def _fit_power(row: Sequence[Measured], key: str) -> tuple[float, float]:
    """The exponent and its standard error, enlarged if the scatter about the line is larger."""
    x = np.log([float(s.parameters[key]) for s in row])
    y = np.log([s.estimate.mean for s in row])
    weights = np.array([s.estimate.mean / s.estimate.error for s in row])
    (slope, start), covariance = np.polyfit(x, y, 1, w=weights, cov="unscaled")
    rest = weights * (y - start - slope * x)
    chi = float(rest @ rest) / (len(row) - 2) if len(row) > 2 else 1.0
    return float(slope), float(covariance[0, 0] * max(1.0, chi)) ** 0.5


Ask = Callable[[Sequence[Measured], float, str, Sequence[str]], Verdict]


@dataclass(frozen=True)
class Gap(Estimate):
    """The difference of two independent means, from their two intervals (Newcombe: square and add)."""

    first: Estimate | None = None
    second: Estimate | None = None

    def confidence_interval(self, tail: float = TAIL) -> tuple[float, float]:
        assert self.first is not None
        assert self.second is not None
        (low, high), (other_low, other_high) = (
            self.first.confidence_interval(tail),
            self.second.confidence_interval(tail),
        )
        down = np.hypot(self.first.mean - low, other_high - self.second.mean)
        up = np.hypot(high - self.first.mean, self.second.mean - other_low)
        return self.mean - float(down), self.mean + float(up)

    def tail_probability(self, value: float, side: int) -> float:
        """Smallest tail probability whose interval excludes `value`."""
        off = side * (self.mean - value)
        if not off > 0 or not np.isfinite(self.confidence_interval(0.4)[0]):
            return 1.0

        def apart(tail: float) -> bool:
            low, high = self.confidence_interval(tail)
            return bool(low > value if side > 0 else high < value)

        return least_tail(apart)


def compare_with_line(
    samples: Sequence[Measured],
    everywhere: Sequence[Measured],
    line: Mapping[str, Any],
    ask: Ask,
    measure: str,
    grid: Sequence[str],
) -> Verdict:
    """Compare samples with those that differ in `line` only; `ask` is `judge_above` or `judge_below`."""
    found = {grid_key(sample.parameters, {}, grid): sample for sample in everywhere}
    pairs = [(sample, found.get(grid_key(sample.parameters, line, grid))) for sample in samples]
    gaps = [
        Measured(s.parameters, measured_difference(s, other, measure))
        for s, other in pairs
        if other is not None
    ]
    if not gaps:
        return undecided_verdict(f"no values of {measure} have been measured with {format_keys(line)}.")
    verdict = ask(gaps, 0.0, f"{measure} minus that of {format_keys(line)}", grid)
    alone = len(samples) - len(gaps)
    note = f" {alone} of {len(samples)} points have no counterpart and are left out." if alone else ""
    return replace(verdict, sentence=verdict.sentence + note)


def grid_key(
    parameters: Mapping[str, Any], changes: Mapping[str, Any], grid: Sequence[str]
) -> tuple[Any, ...]:
    return tuple(changes.get(key, parameters.get(key)) for key in grid)


def measured_difference(first: Measured, second: Measured, measure: str) -> Estimate:
    """Difference of two means, run by run where both have the same repeats: the common scatter of the data
    cancels. For fractions, whose scatter may vanish by chance, from their two intervals."""
    pairs = _paired_differences(first.point, second.point, measure)
    if pairs is not None and not first.estimate.fraction:
        return estimate_mean(pairs, False)
    a, b = first.estimate, second.estimate
    error = float(np.hypot(a.error, b.error))
    # A difference of fractions also has an interval where its error vanishes.
    return Gap(min(a.n, b.n), 0, a.mean - b.mean, error, a.fraction, 0, first=a, second=b)


def _paired_differences(first: Any, second: Any, measure: str) -> Any:
    """Differences at the repeats that both have; None if fewer than two can be compared."""
    numbers = [getattr(point, "numbers", None) for point in (first, second)]
    if numbers[0] is None or numbers[1] is None:
        return None
    _, i, j = np.intersect1d(numbers[0], numbers[1], return_indices=True)
    if len(i) < 2:
        return None
    with np.errstate(invalid="ignore"):  # infinity minus infinity: both diverged
        differences = first.values[measure][i] - second.values[measure][j]
    return differences if np.isfinite(differences).sum() > 1 else None
