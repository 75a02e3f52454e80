"""Claims that the measure equals theory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from markone.lab.claims.chi_square import Difference, fit_size_correction, theory_difference
from markone.lab.claims.verdicts import (
    IMPROBABLE,
    Measured,
    Verdict,
    equality_margin,
    format_measured,
    is_inside_margin,
    joint_probability,
    outside_probability,
    undecided_verdict,
)
from markone.lab.scenario import Theory
from markone.lab.statistics import TAIL
from markone.numerics.text import format_number


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
    chances = [outside_probability(d.estimate, d.theory, allowed) for d in table]
    shown = all(is_inside_margin(d.estimate, d.theory, allowed, TAIL / len(table)) for d in table)
    samples = [Measured(d.parameters, d.estimate) for d in table]
    return Verdict(shown, joint_probability(samples, chances, sides=2), text)


def _verdict_after_correction(
    table: Sequence[Difference], allowed: float, plain: Verdict, grid: Sequence[str]
) -> Verdict:
    """Test the residuals after fitting b/N to the points that differ in N only."""
    groups: dict[str, list[Difference]] = {}
    for d in table:
        groups.setdefault(repr(_other_axis_values(d, grid)), []).append(d)
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


def _other_axis_values(d: Difference, grid: Sequence[str]) -> list[Any]:
    return [d.parameters.get(key) for key in grid if key != "N"]
