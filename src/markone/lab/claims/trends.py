"""Claims of the form: the measure falls, or rises, with a parameter."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from markone.lab.claims.verdicts import DOES_NOT_HOLD, HOLDS, UNDECIDED, Measured, Verdict, at, far
from markone.lab.statistics import TAIL, numeric
from markone.numerics.arrays import Floats


def changes(row: Sequence[Measured], tail: float) -> tuple[Floats, Floats]:
    """Intervals of mean[j] - mean[i], from the two intervals (Newcombe: square and add).

    Right also near 0 and 1, where the interval of a fraction is not symmetric.
    """
    mean = np.array([s.estimate.mean for s in row])
    low, high = np.array([s.estimate.interval(tail) for s in row]).T
    difference = mean - mean[:, None]
    down = np.hypot(mean - low, (high - mean)[:, None])
    up = np.hypot(high - mean, (mean - low)[:, None])
    return difference - down, difference + up


def trend(samples: Sequence[Measured], key: str, sign: int, measure: str, grid: Sequence[str]) -> Verdict:
    """Along each line: no later point significantly on the wrong side of an earlier one, the ends apart."""
    groups: dict[str, list[Measured]] = {}
    for sample in samples:
        groups.setdefault(repr([sample.parameters.get(other) for other in grid if other != key]), []).append(
            sample
        )
    rows = [group for group in groups.values() if len(group) > 1]
    if not rows:
        return Verdict(UNDECIDED, f"no two points differ in {key} alone.")
    tail = far(sum(len(row) * (len(row) - 1) // 2 for row in rows))
    found = [one_trend(row, key, sign, tail, measure, grid) for row in rows]
    for answer in (DOES_NOT_HOLD, UNDECIDED, HOLDS):
        same = [verdict for verdict in found if verdict.answer == answer]
        if same:
            return Verdict(answer, f"{len(same)} of {len(rows)} lines, e.g. {same[0].sentence}")
    raise AssertionError("each line has one of three answers")


def one_trend(
    row: Sequence[Measured], key: str, sign: int, tail: float, measure: str, grid: Sequence[str]
) -> Verdict:
    if numeric(s.parameters[key] for s in row):
        row = sorted(row, key=lambda s: s.parameters[key])
    against = worst_step(row, sign, tail)
    if against:
        first, last = against
        return Verdict(DOES_NOT_HOLD, f"{measure} goes from {at(first, grid)} to {at(last, grid)}.")
    text = f"{measure} goes from {at(row[0], grid)} to {at(row[-1], grid)}"
    lows, highs = changes([row[0], row[-1]], TAIL)
    low, high = lows[0, 1], highs[0, 1]
    if (low if sign > 0 else -high) > 0:
        return Verdict(HOLDS, text + ".")
    if low == high == 0:
        return Verdict(DOES_NOT_HOLD, text + ": it does not change.")
    return Verdict(UNDECIDED, text + ": within the error bars that may be no change, or the opposite.")


def worst_step(row: Sequence[Measured], sign: int, tail: float) -> tuple[Measured, Measured] | None:
    """The earlier and the later point that contradict the trend most, if two do so significantly."""
    low, high = changes(row, tail)
    against = np.triu(np.nan_to_num(-high if sign > 0 else low), 1)
    i, j = divmod(int(np.argmax(against)), len(row))
    return (row[i], row[j]) if against[i, j] > 0 else None
