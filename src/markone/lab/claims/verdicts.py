"""Verdicts on claims: a claim holds, does not hold, is contradicted at 95 %, or is undecided.

It *holds* if all intervals lie where the claim requires, at 95 % together (Bonferroni over its points): for
"equal" within a margin, so that more runs never turn an agreement into a disagreement over a negligible
difference. It *does not hold* if its points together, or the worst of them, are as far on the wrong side with
a probability below 0.001, adjusted for all tests of the report (judge.py). If only its own intervals, at 95 %
together, exclude it, it is *contradicted at 95 %*. Otherwise it is *undecided*.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import chdtrc, ndtri

from markone.lab.formatting import format_keys
from markone.lab.statistics import TAIL, Estimate
from markone.numerics.text import format_number

HOLDS, DOES_NOT_HOLD, UNDECIDED = "holds", "does not hold", "undecided"
CONTRADICTED = "contradicted at 95 %"
IMPROBABLE = 0.001
# The default margin of "equal" as a part of the scale.
MARGIN = 0.05
# Points with the same values of these have the same data.
DATA = ("N", "P", "alpha")


@dataclass(frozen=True)
class Measured:
    parameters: dict[str, Any]
    estimate: Estimate
    point: Any = None  # the runs themselves, where they are needed


@dataclass(frozen=True)
class Verdict:
    """shown: all simultaneous intervals lie where the claim requires. p: the probability of runs as far
    against the claim if it is true, not adjusted for the other tests of the report. excluded: an interval
    lies where the claim forbids it, also if p, of a test on two sides, is above 0.05."""

    shown: bool
    p: float
    sentence: str
    excluded: bool = False


def undecided_verdict(sentence: str) -> Verdict:
    """Verdict of a claim without measurements that could decide it."""
    return Verdict(False, np.nan, sentence)


def verdict_answer(verdict: Verdict, adjusted: float) -> str:
    if adjusted < IMPROBABLE:
        return DOES_NOT_HOLD
    if verdict.shown:
        return HOLDS
    return CONTRADICTED if verdict.excluded or verdict.p < 2 * TAIL else UNDECIDED


def format_measured(sample: Measured, grid: Sequence[str]) -> str:
    where = format_keys({key: sample.parameters[key] for key in grid if key in sample.parameters})
    return str(sample.estimate) + (f" at {where}" if where else "")


def joint_probability(samples: Sequence[Measured], chances: Sequence[float], sides: int = 1) -> float:
    """One probability for all points: twice the smaller of the worst point's (Bonferroni) and of all together
    (chi-square of the deviations to the wrong side). Points that share their data, like students of one
    teacher, are not independent: of those only the worst counts. `chances` are one-sided; `sides` = 2 if
    deviations to both sides are wrong."""
    if not chances:
        return np.nan
    groups: dict[str, list[float]] = {}
    for sample, chance in zip(samples, chances, strict=True):
        groups.setdefault(repr([sample.parameters.get(key) for key in DATA]), []).append(chance)
    worst = [min(1.0, len(group) * min(group)) for group in groups.values()]
    off = [-float(ndtri(max(p, 1e-300))) for p in worst if p < 0.5]
    together = float(chdtrc(len(worst), sum(z * z for z in off))) if off else 1.0
    return min(1.0, 2 * min(together, sides * len(chances) * min(chances)))


def least_tail(contradicted: Callable[[float], bool]) -> float:
    """Smallest tail probability of an interval that still contradicts; 1 if even 0.4 does not."""
    if not contradicted(0.4):
        return 1.0
    low, high = -300.0, float(np.log10(0.4))
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (low, middle) if contradicted(10.0**middle) else (middle, high)
    return float(10.0**high)


def equality_margin(
    within: float | None, estimates: Sequence[Estimate], targets: Iterable[float], spread: float
) -> float:
    """Margin of equality: as stated, or 5 % of the scale (1 for fractions; else the largest target, or the
    range of the measure in the experiment)."""
    if within is not None:
        return within
    if any(estimate.fraction for estimate in estimates):
        return MARGIN
    return MARGIN * max(spread, *(abs(target) for target in targets))


def judge_equality(
    samples: Sequence[Measured], targets: Sequence[float], within: float, text: str
) -> Verdict:
    """Test that each mean equals its target within the margin."""
    tail, chances, shown = TAIL / len(samples), [], True
    for estimate, value in zip((s.estimate for s in samples), targets, strict=True):
        # A mean as far beyond the nearer end of the margin, if the true mean is there.
        ends = estimate.tail_probability(value + within, +1), estimate.tail_probability(value - within, -1)
        chances.append(min(ends))
        low, high = estimate.confidence_interval(tail)
        shown = bool(shown and value - within <= low and high <= value + within)
    return Verdict(shown, joint_probability(samples, chances, sides=2), text, min(chances) < tail)


def judge_equals(
    samples: Sequence[Measured], value: float, measure: str, grid: Sequence[str], within: float
) -> Verdict:
    farthest = max(samples, key=lambda s: abs(s.estimate.mean - value))
    text = f"farthest from {format_number(value)} is {measure} = {format_measured(farthest, grid)}; "
    text += f"a difference of {format_number(within, 2)} would count as equal."
    return judge_equality(samples, [value] * len(samples), within, text)


def judge_above(samples: Sequence[Measured], value: float, measure: str, grid: Sequence[str]) -> Verdict:
    worst = min(samples, key=lambda s: s.estimate.mean)
    text = f"the smallest {measure} is {format_measured(worst, grid)}, to be above {format_number(value)}."
    return _judge_one_side(samples, value, +1, text)


def judge_below(samples: Sequence[Measured], value: float, measure: str, grid: Sequence[str]) -> Verdict:
    worst = max(samples, key=lambda s: s.estimate.mean)
    text = f"the largest {measure} is {format_measured(worst, grid)}, to be below {format_number(value)}."
    return _judge_one_side(samples, value, -1, text)


def _judge_one_side(samples: Sequence[Measured], value: float, side: int, text: str) -> Verdict:
    """Test that all means are on one side of the value: +1 above, -1 below."""
    chances = [
        0.0
        if _is_constant_on_wrong_side(s.estimate, value, side)
        else s.estimate.tail_probability(value, -side)
        for s in samples
    ]
    ends = [s.estimate.confidence_interval(TAIL / len(samples))[0 if side > 0 else 1] for s in samples]
    return Verdict(all(side * end > side * value for end in ends), joint_probability(samples, chances), text)


def _is_constant_on_wrong_side(estimate: Estimate, value: float, side: int) -> bool:
    """True if the mean has no scatter and is not beyond the value."""
    without = estimate.n > 1 and not estimate.fraction and estimate.error == 0
    return bool(without and side * (estimate.mean - value) <= 0)
