"""Test the claims of a declaration.

All claims and all comparisons of figures with theory in a report together have a probability below 0.001 to
be contradicted by chance (Holm), for any dependence among them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from types import MappingProxyType
from typing import Any

import numpy as np

from markone.lab.claims.agreement import Agreement, compare_with_theory
from markone.lab.claims.line_claims import compare_with_line, judge_growth, judge_trend
from markone.lab.claims.run_claims import judge_below_measure, judge_every_run, judge_largest_at, judge_ratio
from markone.lab.claims.theory_tests import judge_equals_theory
from markone.lab.claims.verdicts import (
    CONTRADICTED,
    IMPROBABLE,
    UNDECIDED,
    Measured,
    Verdict,
    equality_margin,
    judge_above,
    judge_below,
    judge_equals,
    undecided_verdict,
    verdict_answer,
)
from markone.lab.formatting import format_keys, format_p_value
from markone.lab.recorded_facts import claim_remarks, drop_source_claims
from markone.lab.scenario import Point, drop_repeated_points
from markone.lab.schema import Declaration
from markone.lab.statistics import as_points, estimate_points, is_fraction_measure, point_parameters
from markone.numerics.arrays import Floats
from markone.numerics.statistics import holm_adjusted
from markone.numerics.text import format_count


@dataclass(frozen=True)
class ClaimResult:
    """A claim, the answer ("holds", "does not hold", "contradicted at 95 %" or "undecided"), a sentence with
    the numbers, the p-value, adjusted for all tests of the report, and a remark such as "made after seeing
    the data" if the claim was not sealed before the first result."""

    text: str
    answer: str
    sentence: str
    p: float = np.nan
    remark: str = ""


def judge_claims(
    declaration: Declaration, points: Sequence[Point], provenance: Mapping[str, Any] = MappingProxyType({})
) -> list[ClaimResult]:
    """Test every claim of the declaration."""
    return decide_all_tests(declaration, points, provenance)[0]


def decide_all_tests(
    declaration: Declaration,
    points: Sequence[Point],
    provenance: Mapping[str, Any] = MappingProxyType({}),
    agreements: Sequence[Agreement] | None = None,
) -> tuple[list[ClaimResult], list[Agreement]]:
    """All tests of a report: its claims, and its figures against theory (`agreements`, if they are known),
    with adjusted p-values."""
    declaration = drop_source_claims(declaration)
    if agreements is None:
        agreements = compare_with_theory(declaration, points)
    verdicts = [judge_claim(declaration, claim, points) for claim in declaration.claims]
    adjusted = holm_adjusted([*(verdict.p for verdict in verdicts), *(a.p for a in agreements)])
    remarks = claim_remarks(declaration, provenance)
    results = [
        _claim_result(claim.text, verdict, p, remark)
        for claim, verdict, p, remark in zip(declaration.claims, verdicts, adjusted, remarks, strict=False)
    ]
    rest = adjusted[len(verdicts) :]
    return results, [replace(a, adjusted=p) for a, p in zip(agreements, rest, strict=True)]


def _claim_result(text: str, verdict: Verdict, p: float, remark: str) -> ClaimResult:
    """Result of a claim; p is given together with the size of the effect, which is in the sentence."""
    chance = f" By chance with p = {format_p_value(p)}." if 0 < p < IMPROBABLE else ""
    word = verdict_answer(verdict, p)
    if word == CONTRADICTED:
        chance = f" An interval excludes the claim (p = {format_p_value(verdict.p)}); more runs decide."
    elif word == UNDECIDED and not np.isnan(verdict.p):
        chance = " More runs are needed to decide."
    return ClaimResult(text, word, verdict.sentence + chance, p, remark)


def judge_claim(declaration: Declaration, claim: Any, points: Sequence[Point]) -> Verdict:
    if _is_about_spread(claim):
        # Replace the measure by jackknife pseudo-values of its standard deviation, whose mean is the
        # standard deviation and whose scatter gives its error.
        points = [
            replace(
                point,
                values={**point.values, claim.measure: pseudo_values(point.values.get(claim.measure, ()))},
            )
            for point in points
        ]
    selected = as_points(points).select(claim.where, declaration.fixed)
    chosen = _measure_points(declaration, claim, selected, points)
    # Points with the same runs are tested once: copies are no further evidence.
    kept = {
        id(point) for point in drop_repeated_points(declaration.scenario_object, [s.point for s in chosen])
    }
    chosen = [sample for sample in chosen if id(sample.point) in kept]
    if not chosen:
        place = f" with {format_keys(claim.where)}" if claim.where else ""
        return undecided_verdict(f"No values of {claim.measure} have been measured{place}.")
    expect = given_expectations(claim)
    verdicts = [
        _judge_expectation(declaration, claim, chosen, points, kind, expect)
        for kind in expect
        if kind != "within"
    ]
    runs = sum(sample.estimate.n for sample in chosen)
    return _combine_verdicts(verdicts, f"{format_count(len(chosen), 'point')}, {format_count(runs, 'run')}: ")


def _measure_points(
    declaration: Declaration, claim: Any, chosen: Sequence[Point], points: Sequence[Point]
) -> list[Measured]:
    """The measure of a claim at the chosen ones of all points, where there are values."""
    # Steps and ranges are for means.
    scenario = None if _is_about_spread(claim) else declaration.scenario_object
    found_at = estimate_points(chosen, claim.measure, scenario, is_fraction_measure(points, claim.measure))
    return [
        Measured(point_parameters(declaration, point), found, point)
        for point, found in zip(chosen, found_at, strict=True)
        if found.n > 0
    ]


def _is_about_spread(claim: Any) -> bool:
    return getattr(claim, "of", "mean") == "spread"


def _combine_verdicts(verdicts: Sequence[Verdict], start: str) -> Verdict:
    """Combine verdicts: all must hold."""
    chances = [v.p for v in verdicts if not np.isnan(v.p)]
    p = min(1.0, len(verdicts) * min(chances)) if chances else np.nan
    text = start + " ".join(v.sentence for v in verdicts)
    return Verdict(all(v.shown for v in verdicts), p, text, any(v.excluded for v in verdicts))


def given_expectations(claim: Any) -> dict[str, Any]:
    expect = claim.expect if isinstance(claim.expect, Mapping) else claim.expect.model_dump()
    return {
        kind: {k: v for k, v in value.items() if v is not None} if kind == "ratio" else value
        for kind, value in expect.items()
        if value is not None
    }


def _judge_expectation(
    declaration: Declaration,
    claim: Any,
    chosen: Sequence[Measured],
    points: Sequence[Point],
    kind: str,
    expect: Mapping[str, Any],
) -> Verdict:
    grid, measure, value, within = list(declaration.grid), claim.measure, expect[kind], expect.get("within")
    theories = declaration.scenario_object.theories
    everywhere = cache(partial(_measure_points, declaration, claim, points, points))

    def spread() -> float:
        return float(np.ptp([sample.estimate.mean for sample in everywhere()])) if within is None else 0.0

    def equal() -> Verdict:
        allowed = equality_margin(within, [s.estimate for s in chosen], [float(value)], spread())
        return judge_equals(chosen, float(value), measure, grid, allowed)

    answers: dict[str, Callable[[], Verdict]] = {
        "equals": equal,
        "equals_theory": lambda: judge_equals_theory(
            chosen, theories[value], measure, grid, within, spread()
        ),
        "above": lambda: judge_above(chosen, float(value), measure, grid),
        "below": lambda: judge_below(chosen, float(value), measure, grid),
        "falls_with": lambda: judge_trend(chosen, value, -1, measure, grid),
        "rises_with": lambda: judge_trend(chosen, value, +1, measure, grid),
        "grows_with": lambda: judge_growth(chosen, value, measure, grid),
        "below_line": lambda: compare_with_line(chosen, everywhere(), value, judge_below, measure, grid),
        "above_line": lambda: compare_with_line(chosen, everywhere(), value, judge_above, measure, grid),
        "below_measure": lambda: judge_below_measure(chosen, value, measure, grid),
        "every_run": lambda: judge_every_run(chosen, value, theories, measure, grid),
        "largest_at": lambda: judge_largest_at(chosen, value, measure, grid),
        "ratio": lambda: judge_ratio(chosen, everywhere(), value, measure, grid),
    }
    if kind not in answers:
        raise ValueError(f"A claim cannot expect {kind!r}. Choose one of {', '.join(answers)}.")
    return answers[kind]()


def pseudo_values(values: Floats | Sequence[float]) -> Floats:
    """n s - (n - 1) s_(-i), with the standard deviation s_(-i) without value i; NaN for fewer than three."""
    x = np.asarray(values, dtype=float)
    x = x[np.isfinite(x)]
    n = len(x)
    if n < 3:
        return np.full(n, np.nan)
    x = x - x.mean()
    total, squares = x.sum(), (x**2).sum()
    mean = (total - x) / (n - 1)
    left = np.sqrt(np.maximum((squares - x**2 - (n - 1) * mean**2) / (n - 2), 0.0))
    found: Floats = n * x.std(ddof=1) - (n - 1) * left
    return found
