"""Separable: proven yes, proven no, or open; whatever a fast solver believes is only a candidate here.

A candidate w is tested by its potentials, a candidate x by the balance of its examples, both from the
caller's numbers with all rounding counted. What neither proves is solved again in equivalent coordinates
with twice the digits, and what is left, if it is small, in whole numbers.
"""

import math
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from markone.numerics._rows import Sparse
from markone.perceptron.certificates import elimination, simplex
from markone.perceptron.certificates.balance import balanced, balanced_rows
from markone.perceptron.certificates.both_bounds import both_bounds
from markone.perceptron.certificates.bounds import from_below, potentials
from markone.perceptron.certificates.equivalent import Equivalent, equivalent
from markone.perceptron.certificates.nearest import nearest_point
from markone.perceptron.certificates.rows import Floats, Rows

# Sparse rows are made dense for the careful way up to so many numbers.
DENSE = 2**24


@dataclass
class ProvenVerdict:
    """`separable` is proven unless it is None; lower <= kappa_max <= upper always.

    w: the student of the best proven stability met, rounded to floats, and `exact_w`, where that differs, the
    one that proves separability. x: strengths of the upper bound; where not separable, those whose exact
    neighbours balance.
    """

    separable: bool | None
    lower: float
    upper: float
    w: Floats
    x: Floats
    exact_w: list[Fraction] | None = field(default=None, repr=False)


def verdict(rows: Rows, w: Floats, x: Floats, careful: bool = True) -> ProvenVerdict:
    """Judge a candidate w and a candidate x >= 0; with `careful` find better ones where both fail."""
    lower, upper = both_bounds(rows, w, x)
    if lower > 0.0:
        return ProvenVerdict(True, lower, upper, w, x)
    blank = blank_row(rows)
    if blank is not None:
        return refuted(w, np.eye(1, len(rows.S), blank)[0], lower)
    if isinstance(rows.xi, Sparse) and math.prod(rows.shape) > DENSE:
        return ProvenVerdict(None, lower, upper, w, x)
    x = np.where(x > 0.0, x, 0.0)
    # The rows as they are will do if their sizes are ordinary.
    proof = balanced_rows(rows, x)
    if proof is not None:
        return refuted(w, proof, lower)
    same = equivalent(rows)
    proof = balanced(same.C, same.scaled(x))
    if proof is not None:
        return refuted(w, same.strengths(proof), lower)
    return _carefully(rows, same, w, x, lower, upper) if careful else ProvenVerdict(None, lower, upper, w, x)


def blank_row(rows: Rows) -> int | None:
    """An example that is zero in all inputs: E = 0 whatever w."""
    if isinstance(rows.xi, Sparse):
        full = np.zeros(len(rows.S), dtype=bool)
        full[np.repeat(np.arange(len(rows.S)), np.diff(rows.xi.indptr))[rows.xi.data != 0.0]] = True
    else:
        full = rows.xi.any(axis=1)
    return None if full.all() else int(np.argmin(full))


def refuted(w: Floats, x: Floats, lower: float) -> ProvenVerdict:
    """Not separable: x is the proof, w the best student met."""
    return ProvenVerdict(False, min(lower, 0.0), 0.0, w, x)


def _carefully(
    rows: Rows, same: Equivalent, w: Floats, x: Floats, lower: float, upper: float
) -> ProvenVerdict:
    # From the support that was found, and where that leads nowhere, from nothing.
    for start in (same.scaled(x), None):
        found = _from_nearest(rows, same, start, w, x, lower, upper)
        if found is not None:
            return found
    if simplex.affordable(*same.C.shape):
        exact, balance = simplex.decide_exactly(same.C)
        if exact is not None:
            return _confirmed(rows, same.weights_exactly(exact), x, upper)
        assert balance is not None
        return refuted(w, same.strengths(simplex.strengths(balance, len(rows.S))), lower)
    return ProvenVerdict(None, min(lower, 0.0), upper, w, x)


def _from_nearest(
    rows: Rows, same: Equivalent, start: Floats | None, w: Floats, x: Floats, lower: float, upper: float
) -> ProvenVerdict | None:
    point = nearest_point(same.C, start)
    if point is None:
        return None
    if point.r.any():
        E, error = potentials(Rows(same.C, np.ones(len(rows.S)), 1.0), point.w, point.w_low)
        if np.all(E - error > 0.0):
            return _confirmed(rows, same.weights(point.w, point.w_low), x, upper)
    proof = balanced(same.C, point.x)
    if proof is None:
        found = elimination.exact_balance(same.C, point.x)
        proof = simplex.strengths(found, len(rows.S)) if found else None
    return None if proof is None else refuted(w, same.strengths(proof), lower)


def _confirmed(rows: Rows, exact: list[Fraction], x: Floats, upper: float) -> ProvenVerdict:
    """Separable by an exact w, whose neighbour among the floats is returned."""
    w, w_low = rounded(exact)
    lower = from_below(rows, w)
    if lower > 0.0:
        return ProvenVerdict(True, lower, upper, w, x)
    lower = from_below(rows, w, w_low)
    if lower > 0.0:
        pairs = zip(w.tolist(), w_low.tolist(), strict=True)
        return ProvenVerdict(True, lower, upper, w, x, [Fraction(a) + Fraction(b) for a, b in pairs])
    # 0 <= kappa_max is all that is said where two floats are not enough to show the exact student.
    return ProvenVerdict(True, 0.0, upper, w, x, exact)


def rounded(exact: list[Fraction]) -> tuple[Floats, Floats]:
    """The exact numbers, over a common power of two that brings them to about one, as high + low."""
    top = max(abs(v) for v in exact)
    unit = Fraction(2) ** (top.numerator.bit_length() - top.denominator.bit_length())
    high = np.array([float(v / unit) for v in exact])
    low = np.array([float(v / unit - Fraction(h)) for v, h in zip(exact, high.tolist(), strict=True)])
    return high, low
