"""Claims of the form: the measure is what theory says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import ndtri

from markone.lab.chi_square import Difference, difference, fit
from markone.lab.claims.verdicts import (
    DOES_NOT_HOLD,
    HOLDS,
    UNDECIDED,
    Measured,
    Verdict,
    at,
    contradicts,
    far,
)
from markone.lab.scenario import Theory
from markone.numerics.text import number


def equals_theory(samples: Sequence[Measured], theory: Theory, measure: str, grid: Sequence[str]) -> Verdict:
    """At every point as it is; where that fails and several N were run, after the fit of a term b/N."""
    table = [t for s in samples if (t := difference(None, s.parameters, s.estimate, theory)) is not None]
    if not table:
        return Verdict(UNDECIDED, f"the theory ({theory.title}) says nothing at these points.")
    worst = max(table, key=distance)
    sample = Measured(worst.parameters, worst.estimate)
    text = f"farthest from theory ({theory.title}: {number(worst.theory)}) is {measure} = {at(sample, grid)}."
    if any(not np.isfinite(d.estimate.low) for d in table):
        return Verdict(UNDECIDED, text + " Some points have one run only, and no error bar.")
    wrong = [d for d in table if contradicts(d.estimate, d.theory, far(len(table)))]
    if not wrong:
        return Verdict(HOLDS, text)
    text = f"{len(wrong)} points differ by more than chance; " + text
    return after_shift(table, wrong, text, grid)


def distance(d: Difference) -> float:
    """In standard errors."""
    if d.error > 0:
        return abs(d.value) / d.error
    return np.inf if d.value else 0.0


def after_shift(
    table: Sequence[Difference], wrong: Sequence[Difference], text: str, grid: Sequence[str]
) -> Verdict:
    """The points that differ, each with those that differ from it in N only."""
    shifts, limit = [], float(ndtri(far(len(table)))) ** 2
    for d in wrong:
        group = [other for other in table if other.error > 0 and others(other, grid) == others(d, grid)]
        if len({other.parameters.get("N") for other in group}) < 2:
            hint = " Only one N was run there: a 1/N term cannot be told from a true difference."
            return Verdict(DOES_NOT_HOLD, text + (hint if "N" in d.parameters else ""))
        shift, _ = fit(group)
        shifts.append(shift.b)
        if any(o.z2(o.value - shift.b / o.parameters["N"]) > limit for o in group):
            return Verdict(DOES_NOT_HOLD, text + f" A term b/N (b = {shift.b:.3g}) does not explain it.")
    b = max(shifts, key=abs)
    return Verdict(HOLDS, text + f" A term b/N explains all of it (b = {b:.3g} where it is largest).")


def others(d: Difference, grid: Sequence[str]) -> list[Any]:
    return [d.parameters.get(key) for key in grid if key != "N"]
