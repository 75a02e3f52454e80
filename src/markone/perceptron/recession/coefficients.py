"""Which coefficients are infinite on a recession cone, and with which sign.

A coefficient is finite if it is zero on the whole cone, and not identified if a direction with all z . w = 0
changes it. Otherwise it is infinite. Its sign is s if no w of the cone has the sign -s: the rows and
-s e_j together are then not separable, which is the question of `decide_rows` with one more row.
"""

from fractions import Fraction

import numpy as np

from markone.perceptron.recession.cone import Recession, decide_rows
from markone.perceptron.recession.null_space import Integers, null_space, to_integers


def coefficient_states(found: Recession) -> tuple[str, ...]:
    """For each coefficient "finite", "+inf", "-inf", "inf", "inf?" or "not identified"."""
    flat = found.basis if found.direction is None else found.basis @ null_space(found.G)
    states, known = [], [found.direction or []]
    for j in range(len(found.basis)):
        if flat.size and (flat[j] != 0).any():
            states.append("not identified")
        elif not (found.basis[j] != 0).any():
            states.append("finite")
        else:
            states.append(_infinite_state(found, found.basis[j], known))
    return tuple(states)


def _infinite_state(found: Recession, b: Integers, known: list[list[Fraction]]) -> str:
    """State of the coefficient b . v of the directions v; a direction that decides it is added to `known`."""
    signs = {_sign(sum(Fraction(c) * a for c, a in zip(b, v, strict=True))) for v in known}
    if len(signs) > 1 or 0 in signs:
        return "inf"
    (s,) = signs
    G = found.G
    if G.dtype != object and max(abs(value) for value in b) <= 2**53:
        more = -s * b.astype(float)
    else:
        G, more = to_integers(G), -s * b
    separable, v, _ = decide_rows(np.vstack([G, more[None]]))
    if separable:
        known.append(v)
        return "inf"
    return "inf?" if separable is None else "+inf" if s > 0 else "-inf"


def _sign(value: Fraction | int) -> int:
    return (value > 0) - (value < 0)
