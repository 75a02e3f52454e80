"""The claims of a declaration, answered with measured numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.lab.claims.against_lines import against
from markone.lab.claims.meets_theory import equals_theory
from markone.lab.claims.trends import trend
from markone.lab.claims.verdicts import (
    DOES_NOT_HOLD,
    HOLDS,
    UNDECIDED,
    Measured,
    Verdict,
    above,
    below,
    equals,
)
from markone.lab.formatting import names
from markone.lab.scenario import Point
from markone.lab.schema import Declaration, matches
from markone.lab.statistics import estimates_of, parameters_of
from markone.numerics.text import count


@dataclass(frozen=True)
class ClaimResult:
    """A claim, the answer ("holds", "does not hold" or "undecided") and the numbers behind it."""

    text: str
    answer: str
    sentence: str


def judge(declaration: Declaration, points: Sequence[Point]) -> list[ClaimResult]:
    """Answer every claim of the declaration."""
    return [judge_one(declaration, claim, points) for claim in declaration.claims]


def judge_one(declaration: Declaration, claim: Any, points: Sequence[Point]) -> ClaimResult:
    everywhere = [
        Measured(parameters_of(declaration, point), found, point)
        for point, found in zip(points, estimates_of(points, claim.measure), strict=True)
        if found.n > 0
    ]
    chosen = [sample for sample in everywhere if matches(sample.parameters, claim.where)]
    if not chosen:
        place = f" with {names(claim.where)}" if claim.where else ""
        return ClaimResult(claim.text, UNDECIDED, f"No values of {claim.measure} have been measured{place}.")
    verdict = together([ask(declaration, claim, chosen, everywhere, *kind) for kind in wanted(claim)])
    runs = sum(sample.estimate.n for sample in chosen)
    start = f"{count(len(chosen), 'point')}, {count(runs, 'run')}: "
    return ClaimResult(claim.text, verdict.answer, start + verdict.sentence)


def wanted(claim: Any) -> list[tuple[str, Any]]:
    expect = claim.expect if isinstance(claim.expect, Mapping) else claim.expect.model_dump()
    return [(kind, value) for kind, value in expect.items() if value is not None]


def ask(
    declaration: Declaration,
    claim: Any,
    chosen: Sequence[Measured],
    everywhere: Sequence[Measured],
    kind: str,
    value: Any,
) -> Verdict:
    grid = list(declaration.grid)
    if kind == "equals_theory":
        theory = declaration.scenario_object.theories[value]
        return equals_theory(chosen, theory, claim.measure, grid)
    if kind == "equals":
        means = [sample.estimate.mean for sample in everywhere]
        return equals(chosen, float(value), claim.measure, grid, float(np.ptp(means)))
    answers: dict[str, Callable[[], Verdict]] = {
        "above": lambda: above(chosen, float(value), claim.measure, grid),
        "below": lambda: below(chosen, float(value), claim.measure, grid),
        "falls_with": lambda: trend(chosen, value, -1, claim.measure, grid),
        "rises_with": lambda: trend(chosen, value, +1, claim.measure, grid),
        "below_line": lambda: against(chosen, everywhere, value, below, claim.measure, grid),
        "above_line": lambda: against(chosen, everywhere, value, above, claim.measure, grid),
    }
    if kind not in answers:
        known = ", ".join(["equals", *answers, "equals_theory"])
        raise ValueError(f"A claim cannot expect {kind!r}. Choose one of {known}.")
    return answers[kind]()


def together(verdicts: Sequence[Verdict]) -> Verdict:
    """All must hold; one that does not decides."""
    answers = {verdict.answer for verdict in verdicts}
    answer = next((word for word in (DOES_NOT_HOLD, UNDECIDED) if word in answers), HOLDS)
    return Verdict(answer, " ".join(verdict.sentence for verdict in verdicts))
