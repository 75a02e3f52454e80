"""How a claim is decided: it holds, it does not hold, or the error bars are too large to say.

A claim falls when one point contradicts it by more than four standard errors (for few repeats or for
fractions: by what is as unlikely as four standard errors of a Gaussian; among more than thirty points by
what would happen at one of them once in a thousand claims), and holds when no point does and the 95 %
intervals are narrow enough to show it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from scipy.special import bdtr, bdtrc, ndtr

from markone.lab.formatting import names
from markone.lab.statistics import Estimate
from markone.numerics.text import number

HOLDS, DOES_NOT_HOLD, UNDECIDED = "holds", "does not hold", "undecided"
FOUR = float(ndtr(-4.0))  # probability beyond four standard errors, on one side
ROUNDING = 1e-9


@dataclass(frozen=True)
class Measured:
    parameters: dict[str, Any]
    estimate: Estimate
    point: Any = None  # the runs themselves, where they are needed


@dataclass(frozen=True)
class Verdict:
    answer: str
    sentence: str


def place(sample: Measured, grid: Sequence[str]) -> str:
    return names({key: sample.parameters[key] for key in grid if key in sample.parameters})


def at(sample: Measured, grid: Sequence[str]) -> str:
    where = place(sample, grid)
    return str(sample.estimate) + (f" at {where}" if where else "")


def far(comparisons: int) -> float:
    """What is too unlikely to happen by chance: beyond four standard errors, farther if many may do so."""
    return min(FOUR, 0.001 / max(comparisons, 1))


def contradicts(estimate: Estimate, value: float, tail: float) -> bool:
    """Is the mean so far from `value` that chance has only the probability `tail`?"""
    if estimate.fraction:
        hits = round(estimate.n * estimate.mean)
        at_most, at_least = bdtr(hits, estimate.n, value), bdtrc(hits - 1, estimate.n, value)
        chance = min(at_most, at_least if hits else 1.0)
        return bool(chance < tail)
    low, high = estimate.interval(tail)
    slack = ROUNDING * max(1.0, abs(value))
    return bool(value < low - slack or value > high + slack)


def too_wide(estimate: Estimate, scale: float) -> bool:
    """Nothing is shown by an interval wider than half the scale, or by none."""
    width = estimate.high - estimate.low
    return not width <= (1.0 if estimate.fraction else scale) / 2


def equals(
    samples: Sequence[Measured], value: float, measure: str, grid: Sequence[str], spread: float
) -> Verdict:
    """The scale on which intervals must be narrow: the value, or how much the measure varies elsewhere."""
    farthest = max(samples, key=lambda s: abs(s.estimate.mean - value))
    wrong = [s for s in samples if contradicts(s.estimate, value, far(len(samples)))]
    if wrong:
        worst = max(wrong, key=lambda s: abs(s.estimate.mean - value))
        text = f"{len(wrong)} of them differ from {number(value)}, most {measure} = {at(worst, grid)}."
        return Verdict(DOES_NOT_HOLD, text)
    text = f"farthest from {number(value)} is {measure} = {at(farthest, grid)}."
    wide = any(too_wide(s.estimate, max(abs(value), spread)) for s in samples)
    if wide:
        return Verdict(UNDECIDED, text + " Some intervals are too wide to tell: more repeats are needed.")
    return Verdict(HOLDS, text)


def above(samples: Sequence[Measured], value: float, measure: str, grid: Sequence[str]) -> Verdict:
    tail = far(len(samples))
    worst = min(samples, key=lambda s: s.estimate.mean)
    return bounded(
        samples,
        f"the smallest {measure} is {at(worst, grid)}, to be above {number(value)}.",
        lambda e: e.high <= value if e.error == 0 and not e.fraction else e.interval(tail)[1] < value,
        lambda e: e.low > value,
    )


def below(samples: Sequence[Measured], value: float, measure: str, grid: Sequence[str]) -> Verdict:
    tail = far(len(samples))
    worst = max(samples, key=lambda s: s.estimate.mean)
    return bounded(
        samples,
        f"the largest {measure} is {at(worst, grid)}, to be below {number(value)}.",
        lambda e: e.low >= value if e.error == 0 and not e.fraction else e.interval(tail)[0] > value,
        lambda e: e.high < value,
    )


def bounded(
    samples: Sequence[Measured],
    text: str,
    wrong: Callable[[Estimate], bool],
    right: Callable[[Estimate], bool],
) -> Verdict:
    if any(wrong(s.estimate) for s in samples):
        return Verdict(DOES_NOT_HOLD, text)
    if all(right(s.estimate) for s in samples):
        return Verdict(HOLDS, text)
    return Verdict(UNDECIDED, text + " The 95 % interval reaches across: more repeats are needed.")
