"""Test the claims of a declaration.

All claims and all comparisons of figures with theory in a report together have a probability below 0.001 to
be contradicted by chance (Holm), for any dependence among them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from markone.lab.agreement import Agreement, compare
from markone.lab.claims.against_lines import against
from markone.lab.claims.meets_theory import equals_theory
from markone.lab.claims.run_by_run import below_measure, every_run, largest_at, ratio
from markone.lab.claims.spread import of_spread
from markone.lab.claims.trends import grows, trend
from markone.lab.claims.verdicts import (
    IMPROBABLE,
    Measured,
    Verdict,
    above,
    answer,
    below,
    equals,
    margin,
    open_,
)
from markone.lab.data_used import without_the_document
from markone.lab.formatting import names, p_value
from markone.lab.scenario import Point
from markone.lab.schema import Declaration, matches
from markone.lab.sharing import once
from markone.lab.statistics import estimates_of, parameters_of
from markone.numerics.statistics import holm
from markone.numerics.text import count


@dataclass(frozen=True)
class ClaimResult:
    """A claim, the answer ("holds", "does not hold" or "undecided"), a sentence with the numbers, and the
    p-value, adjusted for all tests of the report."""

    text: str
    answer: str
    sentence: str
    p: float = np.nan


def judge(declaration: Declaration, points: Sequence[Point]) -> list[ClaimResult]:
    """Test every claim of the declaration."""
    return decide(declaration, points)[0]


def decide(declaration: Declaration, points: Sequence[Point]) -> tuple[list[ClaimResult], list[Agreement]]:
    """All tests of a report: its claims, and its figures against theory, with adjusted p-values."""
    declaration = without_the_document(declaration)
    agreements = compare(declaration, points)
    verdicts = [judge_one(declaration, claim, points) for claim in declaration.claims]
    adjusted = holm([*(verdict.p for verdict in verdicts), *(a.p for a in agreements)])
    results = [
        result(claim.text, verdict, p)
        for claim, verdict, p in zip(declaration.claims, verdicts, adjusted, strict=False)
    ]
    rest = adjusted[len(verdicts) :]
    return results, [replace(a, adjusted=p) for a, p in zip(agreements, rest, strict=True)]


def result(text: str, verdict: Verdict, p: float) -> ClaimResult:
    """Result of a claim; p is given together with the size of the effect, which is in the sentence."""
    chance = f" By chance with p = {p_value(p)}." if 0 < p < IMPROBABLE else ""
    word = answer(verdict, p)
    more = "" if word != "undecided" or np.isnan(verdict.p) else " More runs are needed to decide."
    return ClaimResult(text, word, verdict.sentence + chance + more, p)


def judge_one(declaration: Declaration, claim: Any, points: Sequence[Point]) -> Verdict:
    spread = getattr(claim, "of", "mean") == "spread"
    if spread:
        points = of_spread(points, claim.measure)
    # Steps and ranges are for means.
    found_at = estimates_of(points, claim.measure, None if spread else declaration.scenario_object)
    everywhere = [
        Measured(parameters_of(declaration, point), found, point)
        for point, found in zip(points, found_at, strict=True)
        if found.n > 0
    ]
    chosen = [sample for sample in everywhere if matches(sample.parameters, claim.where)]
    # Points with the same runs are tested once: copies are no further evidence.
    kept = {id(point) for point in once(declaration.scenario_object, [s.point for s in chosen])}
    chosen = [sample for sample in chosen if id(sample.point) in kept]
    if not chosen:
        place = f" with {names(claim.where)}" if claim.where else ""
        return open_(f"No values of {claim.measure} have been measured{place}.")
    expect = wanted(claim)
    verdicts = [
        ask(declaration, claim, chosen, everywhere, kind, expect) for kind in expect if kind != "within"
    ]
    runs = sum(sample.estimate.n for sample in chosen)
    return together(verdicts, f"{count(len(chosen), 'point')}, {count(runs, 'run')}: ")


def wanted(claim: Any) -> dict[str, Any]:
    expect = claim.expect if isinstance(claim.expect, Mapping) else claim.expect.model_dump()
    return {
        kind: {k: v for k, v in value.items() if v is not None} if kind == "ratio" else value
        for kind, value in expect.items()
        if value is not None
    }


def ask(
    declaration: Declaration,
    claim: Any,
    chosen: Sequence[Measured],
    everywhere: Sequence[Measured],
    kind: str,
    expect: Mapping[str, Any],
) -> Verdict:
    grid, measure, value, within = list(declaration.grid), claim.measure, expect[kind], expect.get("within")
    theories = declaration.scenario_object.theories
    spread = float(np.ptp([sample.estimate.mean for sample in everywhere]))

    def equal() -> Verdict:
        allowed = margin(within, [s.estimate for s in chosen], [float(value)], spread)
        return equals(chosen, float(value), measure, grid, allowed)

    answers: dict[str, Callable[[], Verdict]] = {
        "equals": equal,
        "equals_theory": lambda: equals_theory(chosen, theories[value], measure, grid, within, spread),
        "above": lambda: above(chosen, float(value), measure, grid),
        "below": lambda: below(chosen, float(value), measure, grid),
        "falls_with": lambda: trend(chosen, value, -1, measure, grid),
        "rises_with": lambda: trend(chosen, value, +1, measure, grid),
        "grows_with": lambda: grows(chosen, value, measure, grid),
        "below_line": lambda: against(chosen, everywhere, value, below, measure, grid),
        "above_line": lambda: against(chosen, everywhere, value, above, measure, grid),
        "below_measure": lambda: below_measure(chosen, value, measure, grid),
        "every_run": lambda: every_run(chosen, value, theories, measure, grid),
        "largest_at": lambda: largest_at(chosen, value, measure, grid),
        "ratio": lambda: ratio(chosen, everywhere, value, measure, grid),
    }
    if kind not in answers:
        raise ValueError(f"A claim cannot expect {kind!r}. Choose one of {', '.join(answers)}.")
    return answers[kind]()


def together(verdicts: Sequence[Verdict], start: str) -> Verdict:
    """Combine verdicts: all must hold."""
    chances = [v.p for v in verdicts if not np.isnan(v.p)]
    p = min(1.0, len(verdicts) * min(chances)) if chances else np.nan
    return Verdict(all(v.shown for v in verdicts), p, start + " ".join(v.sentence for v in verdicts))
