"""Claims that the measure is below, or above, another line of the same experiment."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from markone.lab.claims.verdicts import Measured, Verdict, least_tail, undecided_verdict
from markone.lab.formatting import format_keys
from markone.lab.statistics import TAIL, Estimate, estimate_mean

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
