"""Claims that the measure falls, rises, or grows as a power, with a parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.special import ndtr, ndtri

from markone.lab.claims.verdicts import Measured, Verdict, format_measured, least_tail, undecided_verdict
from markone.lab.statistics import TAIL, are_numbers
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
    w = np.array([(s.estimate.mean / s.estimate.error) ** 2 for s in row])
    off = x - (w @ x) / w.sum()
    slope = float((w * off) @ y / ((w * off) @ off))
    error = float(((w * off) @ off) ** -0.5)
    rest = y - y.mean() - slope * (x - x.mean()) if len(row) < 3 else y - (w @ y) / w.sum() - slope * off
    chi = float((w * rest) @ rest) / (len(row) - 2) if len(row) > 2 else 1.0
    return slope, error * max(1.0, chi) ** 0.5
