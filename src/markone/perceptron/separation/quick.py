"""The short way for dense sets: a few compiled calls decide and prove, and what they cannot prove goes on.

Numpy and Python would take longer for the checks, the scales and the bounds of a small set than the decision.
"""

import math

import numpy as np

from markone.numerics.arrays import Floats
from markone.perceptron.certificates import bounds
from markone.perceptron.certificates._balance import balances
from markone.perceptron.certificates.rows import Rows, lift
from markone.perceptron.certificates.verdict import ProvenVerdict, refuted
from markone.perceptron.separation._decide import NOT_SEPARABLE, SEPARABLE, UNDECIDED, balanced
from markone.perceptron.separation._finish import finish
from markone.perceptron.separation._prepare import prepare
from markone.perceptron.separation.proving import SMALL, certify, search


def decide_dense(
    xi: Floats, labels: Floats, tol: float, max_iter: int, n_labels: int = 2
) -> tuple[ProvenVerdict, int] | None:
    """(what is proven, Newton steps), or None for what is not `n_labels` whole labels and ordinary numbers.

    xi is C-contiguous; beside it one copy is made. The proof of either answer is tried at once, and what is
    left over goes on the careful way.
    """
    P, N = xi.shape
    Y, w, x = np.empty((P, N)), np.empty(N), np.empty(P)
    of_examples, of_inputs, out = np.empty((5, P)), np.empty((4, N)), np.empty(7)
    kinds, top, zero, exact = prepare(xi, labels, Y, w, x, of_examples, of_inputs)
    if kinds != n_labels or top != top:
        return None
    S, a, *room = of_examples
    c, *more_room = of_inputs
    if zero >= 0:
        return certify(np.multiply(xi, S[:, None], out=Y), tol, max_iter)
    status, n_iter = search(Y, w, x, room, more_room, tol, 0 if N > P else max_iter)
    no = status == NOT_SEPARABLE and exact and N <= SMALL and balances(Y, x)
    if status != SEPARABLE and not no:
        status = NOT_SEPARABLE if balanced(Y, c, x, tol) else UNDECIDED
    scale = lift(top)
    finish(xi, of_examples, of_inputs, scale, w, x, status == SEPARABLE, out)
    if no:
        return refuted(w, x, _from_below(Rows(xi, S, scale), w, out)), n_iter
    if status == SEPARABLE:
        lower = _from_below(Rows(xi, S, scale), w, out)
        if lower > 0.0:
            return ProvenVerdict(True, lower, _from_above(Rows(xi, S, scale), x, out), w, x), n_iter
    with np.errstate(all="ignore"):
        return certify(np.multiply(xi, S[:, None], out=Y), tol, max_iter, (status, w, x, n_iter))


def _from_below(rows: Rows, w: Floats, figures: Floats) -> float:
    """As `bounds.from_below`."""
    least, most, squares, unit = figures[:4].tolist()
    if (least > 0.0 or most < 0.0) and math.isfinite(least):
        return bounds.over_length(least, *bounds.root_of(squares, unit), rows.scale)
    # An E whose sign rounding hides, or numbers at the ends of the range.
    return bounds.from_below(rows, w)


def _from_above(rows: Rows, x: Floats, figures: Floats) -> float:
    """As `bounds.from_above`."""
    total, squares, unit = figures[4:].tolist()
    if total > 0.0 and 0.0 < squares < math.inf:
        return bounds.over_strengths(bounds.root_of(squares, unit)[1], total, rows.scale)
    return bounds.from_above(rows, x)
