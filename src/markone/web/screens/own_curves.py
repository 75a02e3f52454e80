"""Lines of a student typed in: of a convex loss by `theory.solve`, of an on-line rule by `theory.online`."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone import theory

Pairs = list[list[float]]
# Names in the engine's record; the stability of a loss is not computed.
OF_LOSS = {"epsilon_g": "epsilon_rule", "R": "R", "epsilon_t": "epsilon_t"}
OF_RULE = {"epsilon_g": "epsilon_rule", "R": "R", "Q": "Q"}


def solve_own_loss(loss: str, l2: float, noise: float, alphas: ArrayLike, measure: str) -> dict[str, Any]:
    """The line [alpha, value] of a loss, and a sentence if there is none or a part is missing."""
    if measure not in OF_LOSS:
        return {"line": [], "problem": "Own losses have no line of the stability: show another measure."}
    try:
        found = theory.solve(alphas, loss, l2, noise=noise)
    except ValueError as error:
        return {"line": [], "problem": str(error)}
    reasons = sorted({str(reason) for reason in found.reason if reason})
    line = _finite_pairs(found.alpha, getattr(found, OF_LOSS[measure]))
    return {"line": line, "problem": f"Own loss: {reasons[0]}." if reasons else ""}


def follow_own_rule(f: str, noise: float, drift: float, alphas: ArrayLike) -> dict[str, Any]:
    """The lines of R, Q and epsilon_g of a modulation f(E), and a sentence if there are none."""
    try:
        found = theory.online(alphas, f, noise=noise, drift=drift)
    except (ValueError, ArithmeticError) as error:
        return {"lines": {}, "problem": str(error)}
    lines = {name: _finite_pairs(found.alpha, getattr(found, column)) for name, column in OF_RULE.items()}
    return {"lines": lines, "problem": ""}


def _finite_pairs(alphas: ArrayLike, values: ArrayLike) -> Pairs:
    pairs = np.column_stack([alphas, values])
    found: Pairs = pairs[np.isfinite(pairs).all(axis=1)].tolist()
    return found
