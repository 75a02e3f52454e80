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
from markone.perceptron.separable._balance import proves_balance
from markone.perceptron.separable.bounds import stability_bounds
from markone.perceptron.separable.exact import elimination, simplex
from markone.perceptron.separable.exact.equivalent import EquivalentExamples, equivalent_examples
from markone.perceptron.separable.exact.nearest import nearest_point
from markone.perceptron.separable.rows import Floats, Rows

# Sparse rows with more entries than this are not made dense.
DENSE = 2**24
# Range of the largest input in which unscaled rows are tried.
ORDINARY = 1e-60, 1e60
# Rows used per input in the proof of a balance, those of the largest strengths; the others are dropped.
ROWS_PER_INPUT = 6


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


def prove_verdict(rows: Rows, w: Floats, x: Floats, careful: bool = True) -> ProvenVerdict:
    """Test a candidate w and a candidate x >= 0; with `careful` search for better ones if both fail."""
    lower, upper = stability_bounds(rows, w, x)[:2]
    if lower > 0.0:
        return ProvenVerdict(True, lower, upper, w, x)
    blank = _find_blank_row(rows)
    if blank is not None:
        return not_separable_verdict(w, np.eye(1, len(rows.S), blank)[0], lower)
    if isinstance(rows.xi, Sparse) and math.prod(rows.shape) > DENSE:
        return ProvenVerdict(None, lower, upper, w, x)
    x = np.where(x > 0.0, x, 0.0)
    proof = _balanced_row_strengths(rows, x)
    if proof is not None:
        return not_separable_verdict(w, proof, lower)
    same = equivalent_examples(rows)
    proof = balanced_strengths(same.C, same.scaled_strengths(x))
    if proof is not None:
        return not_separable_verdict(w, same.original_strengths(proof), lower)
    return (
        _prove_carefully(rows, same, w, x, lower, upper)
        if careful
        else ProvenVerdict(None, lower, upper, w, x)
    )


def balanced_strengths(C: Floats, y: Floats) -> Floats | None:
    """x >= 0 close to an exact solution of sum x z = 0 for the rows z of C (length of order one), or None."""
    support = np.flatnonzero(y > 0.0)
    chosen = np.sort(support[np.argsort(-y[support], kind="stable")[: ROWS_PER_INPUT * C.shape[1] + 8]])
    B, strengths = C[chosen], y[chosen]
    # An input that is zero in all these rows is balanced for any x.
    B = np.ascontiguousarray(B[:, B.any(axis=0)])
    if len(chosen) < 2 or not 1 <= B.shape[1] <= B.shape[0] or not proves_balance(B, strengths):
        return None
    x = np.zeros_like(y)
    x[chosen] = strengths
    return x


def _balanced_row_strengths(rows: Rows, y: Floats) -> Floats | None:
    """`balanced_strengths` for unscaled rows: enough for inputs of ordinary size."""
    support = np.flatnonzero(y > 0.0)
    if not ORDINARY[0] < float(np.abs(rows.input_values).max()) < ORDINARY[1]:
        return None
    few = balanced_strengths(rows.select_rows(support).signed_inputs(), y[support])
    if few is None:
        return None
    x = np.zeros_like(y)
    x[support] = few
    return x


def _find_blank_row(rows: Rows) -> int | None:
    """Index of an example that is zero in all inputs (E = 0 for any w), or None."""
    if isinstance(rows.xi, Sparse):
        full = np.zeros(len(rows.S), dtype=bool)
        full[np.repeat(np.arange(len(rows.S)), np.diff(rows.xi.indptr))[rows.xi.data != 0.0]] = True
    else:
        full = rows.xi.any(axis=1)
    return None if full.all() else int(np.argmin(full))


def not_separable_verdict(w: Floats, x: Floats, lower: float) -> ProvenVerdict:
    """Verdict "not separable": x is the proof, w the best student found."""
    return ProvenVerdict(False, min(lower, 0.0), 0.0, w, x)


def _prove_carefully(
    rows: Rows, same: EquivalentExamples, w: Floats, x: Floats, lower: float, upper: float
) -> ProvenVerdict:
    # From the support found so far; if that fails, from an empty support.
    for start in (same.scaled_strengths(x), None):
        found = _prove_from_nearest(rows, same, start, w, x, lower, upper)
        if found is not None:
            return found
    if simplex.simplex_affordable(*same.C.shape):
        exact, balance = simplex.decide_exactly(same.C)
        if exact is not None:
            return _separable_verdict(rows, same.exact_original_weights(exact), x, upper)
        assert balance is not None
        return not_separable_verdict(
            w, same.original_strengths(simplex.strengths_as_floats(balance, len(rows.S))), lower
        )
    return ProvenVerdict(None, min(lower, 0.0), upper, w, x)


def _prove_from_nearest(
    rows: Rows,
    same: EquivalentExamples,
    start: Floats | None,
    w: Floats,
    x: Floats,
    lower: float,
    upper: float,
) -> ProvenVerdict | None:
    point = nearest_point(same.C, start)
    if point is None:
        return None
    if point.r.any():
        scaled = Rows(same.C, np.ones(len(rows.S)), 1.0)
        if stability_bounds(scaled, point.w, None, point.w_low).lower > 0.0:
            return _separable_verdict(rows, same.original_weights(point.w, point.w_low), x, upper)
    proof = balanced_strengths(same.C, point.x)
    if proof is None:
        found = elimination.exact_strengths(same.C, point.x)
        proof = simplex.strengths_as_floats(found, len(rows.S)) if found else None
    return None if proof is None else not_separable_verdict(w, same.original_strengths(proof), lower)


def _separable_verdict(rows: Rows, exact: list[Fraction], x: Floats, upper: float) -> ProvenVerdict:
    """Verdict "separable" by an exact w; its nearest floats are returned."""
    w, w_low = _round_to_two_floats(exact)
    lower = stability_bounds(rows, w, None).lower
    if lower > 0.0:
        return ProvenVerdict(True, lower, upper, w, x)
    lower = stability_bounds(rows, w, None, w_low).lower
    if lower > 0.0:
        pairs = zip(w.tolist(), w_low.tolist(), strict=True)
        return ProvenVerdict(True, lower, upper, w, x, [Fraction(a) + Fraction(b) for a, b in pairs])
    # Two floats cannot represent the exact student: the lower bound is 0.
    return ProvenVerdict(True, 0.0, upper, w, x, exact)


def _round_to_two_floats(exact: list[Fraction]) -> tuple[Floats, Floats]:
    """Exact numbers, scaled to about one by a common power of two, as high + low."""
    top = max(abs(v) for v in exact)
    unit = Fraction(2) ** (top.numerator.bit_length() - top.denominator.bit_length())
    high = np.array([float(v / unit) for v in exact])
    low = np.array([float(v / unit - Fraction(h)) for v, h in zip(exact, high.tolist(), strict=True)])
    return high, low
