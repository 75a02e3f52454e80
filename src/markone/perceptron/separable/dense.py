"""Fast path for dense sets: a few compiled calls decide and prove; unproven sets go to `proving.py`.

For small sets checks, scaling and bounds in numpy and Python would take longer than the decision.
"""

import math

import numpy as np

from markone.numerics.arrays import Floats
from markone.perceptron.separable import bounds
from markone.perceptron.separable._balance import proves_balance
from markone.perceptron.separable._decide import NOT_SEPARABLE, SEPARABLE, UNDECIDED, is_balanced
from markone.perceptron.separable._dense_bound_sums import dense_bound_sums
from markone.perceptron.separable._prepare import prepare_examples
from markone.perceptron.separable.certify import SMALL, certify_rows, search_candidate
from markone.perceptron.separable.rows import Rows, lifting_power
from markone.perceptron.separable.verdict import ProvenVerdict, not_separable_verdict


def decide_dense(
    xi: Floats, labels: Floats, tol: float, max_iter: int, n_labels: int = 2
) -> tuple[ProvenVerdict, int] | None:
    """Return (proven verdict, Newton steps) for `n_labels` integer labels and ordinary inputs, else None.

    xi is C-contiguous; one copy is made. If neither answer is proven at once, `certify` continues.
    """
    P, N = xi.shape
    Y, w, x = np.empty((P, N)), np.zeros(N), np.empty(P)
    of_examples, of_inputs = np.zeros((5, P)), np.zeros((4, N))
    kinds, top, zero, exact = prepare_examples(xi, labels, Y, x, of_examples, of_inputs)
    if kinds != n_labels or top != top:
        return None
    S = of_examples[0]
    if zero >= 0:
        return certify_rows(np.multiply(xi, S[:, None], out=Y), tol, max_iter)
    status, n_iter = search_candidate(Y, w, x, of_examples, of_inputs, tol, 0 if N > P else max_iter)
    no = status == NOT_SEPARABLE and exact and N <= SMALL and proves_balance(Y, x)
    if status != SEPARABLE and not no:
        status = NOT_SEPARABLE if is_balanced(Y, of_inputs[0], x, tol) else UNDECIDED
    scale = lifting_power(top)
    # Power of two above the largest scaled input.
    unit = math.ldexp(scale, math.frexp(top)[1])
    found = dense_bound_sums(xi, of_examples, of_inputs, scale, unit, w, x, status == SEPARABLE)
    if no:
        return not_separable_verdict(w, x, _lower_bound(xi, S, scale, w, found)), n_iter
    if status == SEPARABLE:
        lower = _lower_bound(xi, S, scale, w, found)
        if lower > 0.0:
            upper = _upper_bound(xi, S, scale, unit, x, found)
            return ProvenVerdict(True, lower, upper, w, x), n_iter
    with np.errstate(all="ignore"):
        return certify_rows(np.multiply(xi, S[:, None], out=Y), tol, max_iter, (status, w, x, n_iter))


def _lower_bound(xi: Floats, S: Floats, scale: float, w: Floats, found: tuple[float, ...]) -> float:
    """The value of `bounds.from_below`."""
    least, most, square = found[:3]
    if square == square and (least > 0.0 or most < 0.0):
        return bounds.divide_by_length(least, *bounds.root_bounds(square, 1.0), scale)
    # The sign of some E is uncertain, or numbers are near overflow or underflow.
    return bounds.lower_stability_bound(Rows(xi, S, scale), w)


def _upper_bound(
    xi: Floats, S: Floats, scale: float, unit: float, x: Floats, found: tuple[float, ...]
) -> float:
    """The value of `bounds.from_above`."""
    total, square = found[3:]
    if total > 0.0 and 1e-250 < square < math.inf:
        return bounds.divide_by_strengths(bounds.root_bounds(square, unit)[1], total, scale)
    return bounds.upper_stability_bound(Rows(xi, S, scale), x)
