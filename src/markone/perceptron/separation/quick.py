"""Fast path for dense sets: a few compiled calls decide and prove; unproven sets go to `proving.py`.

For small sets checks, scaling and bounds in numpy and Python would take longer than the decision.
"""

import math

import numpy as np

from markone.numerics.arrays import Floats
from markone.perceptron.certificates import bounds
from markone.perceptron.certificates._balance import balances
from markone.perceptron.certificates._figures import figures
from markone.perceptron.certificates.rows import Rows, lift
from markone.perceptron.certificates.verdict import ProvenVerdict, refuted
from markone.perceptron.separation._decide import NOT_SEPARABLE, SEPARABLE, UNDECIDED, balanced
from markone.perceptron.separation._prepare import prepare
from markone.perceptron.separation.proving import SMALL, certify, search


def decide_dense(
    xi: Floats, labels: Floats, tol: float, max_iter: int, n_labels: int = 2
) -> tuple[ProvenVerdict, int] | None:
    """Return (proven verdict, Newton steps) for `n_labels` integer labels and ordinary inputs, else None.

    xi is C-contiguous; one copy is made. If neither answer is proven at once, `certify` continues.
    """
    P, N = xi.shape
    Y, w, x = np.empty((P, N)), np.zeros(N), np.empty(P)
    of_examples, of_inputs = np.zeros((5, P)), np.zeros((4, N))
    kinds, top, zero, exact = prepare(xi, labels, Y, x, of_examples, of_inputs)
    if kinds != n_labels or top != top:
        return None
    S = of_examples[0]
    if zero >= 0:
        return certify(np.multiply(xi, S[:, None], out=Y), tol, max_iter)
    status, n_iter = search(Y, w, x, of_examples, of_inputs, tol, 0 if N > P else max_iter)
    no = status == NOT_SEPARABLE and exact and N <= SMALL and balances(Y, x)
    if status != SEPARABLE and not no:
        status = NOT_SEPARABLE if balanced(Y, of_inputs[0], x, tol) else UNDECIDED
    scale = lift(top)
    # Power of two above the largest scaled input.
    unit = math.ldexp(scale, math.frexp(top)[1])
    found = figures(xi, of_examples, of_inputs, scale, unit, w, x, status == SEPARABLE)
    if no:
        return refuted(w, x, _from_below(xi, S, scale, w, found)), n_iter
    if status == SEPARABLE:
        lower = _from_below(xi, S, scale, w, found)
        if lower > 0.0:
            upper = _from_above(xi, S, scale, unit, x, found)
            return ProvenVerdict(True, lower, upper, w, x), n_iter
    with np.errstate(all="ignore"):
        return certify(np.multiply(xi, S[:, None], out=Y), tol, max_iter, (status, w, x, n_iter))


def _from_below(xi: Floats, S: Floats, scale: float, w: Floats, found: tuple[float, ...]) -> float:
    """The value of `bounds.from_below`."""
    least, most, square = found[:3]
    if square == square and (least > 0.0 or most < 0.0):
        return bounds.over_length(least, *bounds.root_of(square, 1.0), scale)
    # The sign of some E is uncertain, or numbers are near overflow or underflow.
    return bounds.from_below(Rows(xi, S, scale), w)


def _from_above(
    xi: Floats, S: Floats, scale: float, unit: float, x: Floats, found: tuple[float, ...]
) -> float:
    """The value of `bounds.from_above`."""
    total, square = found[3:]
    if total > 0.0 and 1e-250 < square < math.inf:
        return bounds.over_strengths(bounds.root_of(square, unit)[1], total, scale)
    return bounds.from_above(Rows(xi, S, scale), x)
