"""Proven verdict on separability from the candidates of a fast solver.

A candidate w is tested by its potentials, a candidate x by sum x S xi = 0, both for the given numbers,
rounding errors included. If neither proves an answer, the set is solved again in equivalent coordinates in
double-double arithmetic and, if small enough, in integers.
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

# Sparse rows with more entries than this are not made dense.
DENSE = 2**24


@dataclass
class ProvenVerdict:
    """`separable` is proven unless it is None; lower <= kappa_max <= upper always.

    w: the student with the best proven stability found, rounded to floats, and `exact_w`, if different, the
    one that proves separability. x: strengths of the upper bound; if not separable, strengths close to an
    exact solution of sum x S xi = 0.
    """

    separable: bool | None
    lower: float
    upper: float
    w: Floats
    x: Floats
    exact_w: list[Fraction] | None = field(default=None, repr=False)


def verdict(rows: Rows, w: Floats, x: Floats, careful: bool = True) -> ProvenVerdict:
    """Test a candidate w and a candidate x >= 0; with `careful` search for better ones if both fail."""
    lower, upper = both_bounds(rows, w, x)
    if lower > 0.0:
        return ProvenVerdict(True, lower, upper, w, x)
    blank = blank_row(rows)
    if blank is not None:
        return refuted(w, np.eye(1, len(rows.S), blank)[0], lower)
    if isinstance(rows.xi, Sparse) and math.prod(rows.shape) > DENSE:
        return ProvenVerdict(None, lower, upper, w, x)
    x = np.where(x > 0.0, x, 0.0)
    # Unscaled rows first: enough for inputs of ordinary size.
    proof = balanced_rows(rows, x)
    if proof is not None:
        return refuted(w, proof, lower)
    same = equivalent(rows)
    proof = balanced(same.C, same.scaled(x))
    if proof is not None:
        return refuted(w, same.strengths(proof), lower)
    return _carefully(rows, same, w, x, lower, upper) if careful else ProvenVerdict(None, lower, upper, w, x)


def blank_row(rows: Rows) -> int | None:
    """Index of an example that is zero in all inputs (E = 0 for any w), or None."""
    if isinstance(rows.xi, Sparse):
        full = np.zeros(len(rows.S), dtype=bool)
        full[np.repeat(np.arange(len(rows.S)), np.diff(rows.xi.indptr))[rows.xi.data != 0.0]] = True
    else:
        full = rows.xi.any(axis=1)
    return None if full.all() else int(np.argmin(full))


def refuted(w: Floats, x: Floats, lower: float) -> ProvenVerdict:
    """Verdict "not separable": x is the proof, w the best student found."""
    return ProvenVerdict(False, min(lower, 0.0), 0.0, w, x)


def _carefully(
    rows: Rows, same: Equivalent, w: Floats, x: Floats, lower: float, upper: float
) -> ProvenVerdict:
    # From the support found so far; if that fails, from an empty support.
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
    """Verdict "separable" by an exact w; its nearest floats are returned."""
    w, w_low = rounded(exact)
    lower = from_below(rows, w)
    if lower > 0.0:
        return ProvenVerdict(True, lower, upper, w, x)
    lower = from_below(rows, w, w_low)
    if lower > 0.0:
        pairs = zip(w.tolist(), w_low.tolist(), strict=True)
        return ProvenVerdict(True, lower, upper, w, x, [Fraction(a) + Fraction(b) for a, b in pairs])
    # Two floats cannot represent the exact student: the lower bound is 0.
    return ProvenVerdict(True, 0.0, upper, w, x, exact)


def rounded(exact: list[Fraction]) -> tuple[Floats, Floats]:
    """Exact numbers, scaled to about one by a common power of two, as high + low."""
    top = max(abs(v) for v in exact)
    unit = Fraction(2) ** (top.numerator.bit_length() - top.denominator.bit_length())
    high = np.array([float(v / unit) for v in exact])
    low = np.array([float(v / unit - Fraction(h)) for v, h in zip(exact, high.tolist(), strict=True)])
    return high, low
