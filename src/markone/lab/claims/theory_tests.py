"""Tests of measured means against theory: chi-square, one-sided bounds, claims of equality."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import chdtrc, chdtri, pdtr, pdtrc

from markone.lab.claims.verdicts import (
    IMPROBABLE,
    Measured,
    Verdict,
    equality_margin,
    format_measured,
    judge_equality,
    undecided_verdict,
)
from markone.lab.scenario import Theory
from markone.lab.statistics import Estimate, Line
from markone.numerics.statistics import hall_score
from markone.numerics.text import format_number

RARE = 5.0  # below this expected count the Gaussian approximation of a fraction fails


@dataclass(frozen=True)
class ChiSquare:
    value: float = 0.0
    freedom: int = 0

    @property
    def p(self) -> float:
        """Probability of a larger value if the theory is right; NaN if nothing could be compared."""
        return float(chdtrc(self.freedom, self.value)) if self.freedom else np.nan

    def __add__(self, other: ChiSquare) -> ChiSquare:
        return ChiSquare(self.value + other.value, self.freedom + other.freedom)


@dataclass(frozen=True)
class Difference:
    """Mean minus theory at one point, with its standard error (for a fraction: the theory's own)."""

    x: Any
    parameters: dict[str, Any]
    estimate: Estimate
    theory: float
    error: float

    @property
    def value(self) -> float:
        return self.estimate.mean - self.theory

    @property
    def expected_count(self) -> float:
        """Expected number of the rarer outcome of a fraction."""
        return self.estimate.n * min(self.theory, 1 - self.theory)

    @property
    def is_rare(self) -> bool:
        return self.estimate.fraction and self.expected_count < RARE

    def squared_score(self, value: float) -> float:
        """(value/error)^2, for few repeats Wallace's transform of Student's t to a Gaussian."""
        t, freedom = value / self.error, self.estimate.n - 1
        if self.estimate.fraction:
            return t * t
        t2 = hall_score(t, self.estimate.skew, self.estimate.n) ** 2
        return freedom * np.log1p(t2 / freedom) * ((8 * freedom + 1) / (8 * freedom + 3)) ** 2


@dataclass(frozen=True)
class BoundTest:
    """Test that no mean lies beyond a bound. `p` is Holm's for the worst of `points`: if the bound is right,
    the probability that one of them is as far beyond it is at most p, for any dependence of the points."""

    points: int
    p: float
    worst: Difference | None = None


@dataclass(frozen=True)
class Shift:
    """The fitted b of mean - theory = b/N at one x."""

    x: Any
    b: float
    error: float


def theory_difference(
    x: Any, parameters: dict[str, Any], estimate: Estimate, theory: Theory
) -> Difference | None:
    """Mean minus theory at a point; None if the theory is undefined or nothing was measured."""
    value = float(theory.function(parameters))
    if not np.isfinite(value) or estimate.n == 0:
        return None
    if not estimate.fraction:
        return Difference(x, parameters, estimate, value, estimate.error)
    value = min(max(value, 0.0), 1.0)  # a probability may leave [0, 1] by rounding
    return Difference(x, parameters, estimate, value, float(np.sqrt(value * (1 - value) / estimate.n)))


def line_differences(line: Line, theory: Theory) -> list[Difference]:
    rows = zip(line.x, line.parameters, line.estimates, strict=True)
    return [d for row in rows if (d := theory_difference(*row, theory)) is not None]


def drop_repeated_data(table: Sequence[Difference]) -> list[Difference]:
    """Keep each data set once: at N = 5 forty values of alpha may have the same P, so the same examples.

    Runs that are all zero or all one may also be equal by chance: those with different theory are kept, and
    so are all without an error bar.
    """
    found: dict[tuple[Any, ...], Difference] = {}
    for k, d in enumerate(table):
        theory, alone = (d.theory if d.estimate.fraction else None), (None if d.error > 0 else k)
        found.setdefault((d.parameters.get("N"), d.estimate.data, theory, alone), d)
    return list(found.values())


def chi_square(table: Sequence[Difference]) -> ChiSquare:
    usual = [d for d in table if not d.is_rare and d.error > 0]
    value = sum(d.squared_score(d.value) for d in usual)
    return ChiSquare(float(value), len(usual)) + _rare_event_test([d for d in table if d.is_rare])


def _rare_event_test(table: Sequence[Difference]) -> ChiSquare:
    """Poisson test of the total number of exceptions at points where theory expects few."""
    if not table:
        return ChiSquare()
    expected = sum(d.expected_count for d in table)
    share = [d.estimate.mean if d.theory < 0.5 else 1 - d.estimate.mean for d in table]
    seen = round(sum(d.estimate.n * part for d, part in zip(table, share, strict=True)))
    at_most, at_least = pdtr(seen, expected), pdtrc(seen - 1, expected) if seen else 1.0
    tail = min(1.0, 2 * min(at_most, at_least))
    return ChiSquare(float(chdtri(1, tail)), int(expected > 0.05 or seen > 0))


def bound_test(table: Sequence[Difference], side: int) -> BoundTest:
    """Test of a lower bound (side = -1: no mean below it) or an upper bound (+1: no mean above it).

    Points without an error bar (one run, or equal values) are left out.
    """
    judged = [d for d in table if d.estimate.fraction or d.error > 0]
    if not judged:
        return BoundTest(0, np.nan)
    # Of a mean as far beyond the bound if the true mean lies on it.
    chances = [d.estimate.tail_probability(d.theory, side) for d in judged]
    k = int(np.argmin(chances))
    return BoundTest(len(judged), min(1.0, len(judged) * chances[k]), judged[k])


def fit_size_correction(group: Sequence[Difference]) -> tuple[Shift, ChiSquare]:
    """Weighted least squares of difference = b/N."""
    u = np.array([1 / d.parameters["N"] for d in group])
    w = np.array([d.error**-2 for d in group])
    y = np.array([d.value for d in group])
    b = (w * u) @ y / ((w * u) @ u)
    rest = sum(d.squared_score(r) for d, r in zip(group, y - b * u, strict=True))
    return Shift(group[0].x, float(b), float(((w * u) @ u) ** -0.5)), ChiSquare(float(rest), len(group) - 1)


def judge_equals_theory(
    samples: Sequence[Measured],
    theory: Theory,
    measure: str,
    grid: Sequence[str],
    within: float | None = None,
    spread: float = 0.0,
) -> Verdict:
    """Test equality within the margin at every point; if that fails and several N were run, after fitting a
    term b/N."""
    table = [
        t for s in samples if (t := theory_difference(None, s.parameters, s.estimate, theory)) is not None
    ]
    if not table:
        return undecided_verdict(f"the theory ({theory.title}) is not defined at these points.")
    allowed = equality_margin(within, [d.estimate for d in table], [d.theory for d in table], spread)
    worst = max(table, key=lambda d: abs(d.value))
    sample = Measured(worst.parameters, worst.estimate)
    text = (
        f"farthest from theory ({theory.title}: {format_number(worst.theory)}) is {measure} = "
        f"{format_measured(sample, grid)}, "
    )
    text += (
        f"{format_number(worst.value, 2)} away; a difference of {format_number(allowed, 2)} "
        "would count as equal."
    )
    plain = _theory_verdict(table, allowed, text)
    if plain.shown or not plain.p < IMPROBABLE:
        return plain
    return _verdict_after_correction(table, allowed, plain, grid)


def _theory_verdict(table: Sequence[Difference], allowed: float, text: str) -> Verdict:
    samples = [Measured(d.parameters, d.estimate) for d in table]
    return judge_equality(samples, [d.theory for d in table], allowed, text)


def _verdict_after_correction(
    table: Sequence[Difference], allowed: float, plain: Verdict, grid: Sequence[str]
) -> Verdict:
    """Test the residuals after fitting b/N to the points that differ in N only."""
    groups: dict[str, list[Difference]] = {}
    for d in table:
        groups.setdefault(repr([d.parameters.get(key) for key in grid if key != "N"]), []).append(d)
    left, shifts = [], []
    for group in groups.values():
        usable = [d for d in group if d.error > 0]
        if len({d.parameters.get("N") for d in usable}) < 2:
            hint = " Only one N was run there: a 1/N term cannot be separated from a true difference."
            return replace(plain, sentence=plain.sentence + (hint if "N" in group[0].parameters else ""))
        shift, _ = fit_size_correction(usable)
        shifts.append(shift.b)
        left += [_subtract_size_correction(d, shift.b, shift.error) for d in usable]
    found = _theory_verdict(left, allowed, plain.sentence)
    effect = "explains it" if not found.p < IMPROBABLE else "does not explain it"
    b = max(shifts, key=abs)
    return replace(found, sentence=f"{plain.sentence} A term b/N {effect} (b = {b:.3g} where it is largest).")


def _subtract_size_correction(d: Difference, b: float, error: float) -> Difference:
    N = d.parameters["N"]
    wider = float(np.hypot(d.estimate.error, error / N))
    corrected = replace(d.estimate, mean=d.estimate.mean - b / N, error=wider, fraction=False)
    return replace(d, estimate=corrected)
