"""Proven separability: a candidate from conjugate gradients and Newton's method, then its proof.

A candidate may be wrong; only the proof counts. Ordinary dense sets take the fast path in `quick.py`;
all others are handled here.
"""

from typing import Any

import numpy as np
import scipy.sparse

from markone.numerics._rows import Sparse
from markone.numerics.arrays import Floats
from markone.perceptron.separable._balance import proves_balance
from markone.perceptron.separable._decide import (
    NOT_SEPARABLE,
    SEPARABLE,
    SHARP,
    UNDECIDED,
    is_balanced,
    measure_candidate,
    newton_large,
    newton_small,
    newton_tiles,
)
from markone.perceptron.separable._descent import conjugate_gradients, gradient_steps, is_separating_entry
from markone.perceptron.separable._normal import BLAS_FROM, TILES_FROM
from markone.perceptron.separable._scales import compute_scales
from markone.perceptron.separable.bounds import lower_stability_bound
from markone.perceptron.separable.degenerate import newton_by_svd, reduce_columns
from markone.perceptron.separable.rows import Rows, lifting_power
from markone.perceptron.separable.verdict import ProvenVerdict, not_separable_verdict, prove_verdict

CAREFUL_STEPS = 30
# Conjugate gradient steps before Newton steps in tiles, one of which costs only a few of them (measured).
STEPS_BEFORE_TILES = 12
# Up to this many inputs compiled loops prove faster than BLAS.
SMALL = 160

# (status, w, x, Newton steps), not proven.
Candidate = tuple[int, Floats, Floats, int]


def _as_compiled_rows(Z: Any) -> Any:
    return Z if isinstance(Z, np.ndarray) else Sparse(Z.data, Z.indices, Z.indptr, Z.shape[1])


def certify_rows(
    Z: Any, tol: float, max_iter: int, begun: Candidate | None = None
) -> tuple[ProvenVerdict, int]:
    """Return (proven verdict, Newton steps) for rows Z = S xi, float64: an array, or a csr_array of int32.

    `begun`: the candidate of a previous search.
    """
    with np.errstate(all="ignore"):
        status, w, x, n_iter = _find_candidate(Z, tol, max_iter, begun)
    return prove_candidate(Z, status, w, x), n_iter


def prove_candidate(Z: Any, status: int, w: Floats, x: Floats) -> ProvenVerdict:
    """Prove what a candidate claims, or as much of it as can be proven."""
    # Numbers near overflow or underflow can spoil the search; the proof accepts any candidate.
    if not (np.isfinite(w).all() and np.isfinite(x).all()):
        w, x = np.nan_to_num(w), np.nan_to_num(x)
    rows = Rows(_as_compiled_rows(Z), np.ones(Z.shape[0]), lifting_power(_largest_value(Z)))
    if status == NOT_SEPARABLE and isinstance(Z, np.ndarray) and Z.shape[1] <= SMALL and proves_balance(Z, x):
        return not_separable_verdict(w, x, lower_stability_bound(rows, w))
    return prove_verdict(rows, w, x)


def _largest_value(Z: Any) -> float:
    values = Z if isinstance(Z, np.ndarray) else Z.data
    return max(float(values.max(initial=0.0)), -float(values.min(initial=0.0)))


def _find_candidate(Z: Any, tol: float, max_iter: int, begun: Candidate | None = None) -> Candidate:
    """Return (status, w, x, Newton steps), not proven, for rows Z = S xi.

    Newton's method, or conjugate gradients only if N > P; then the degenerate solver if still undecided.
    """
    P, N = Z.shape
    status, w, x, n_iter = begun or _find_candidate_in_calls(
        _as_compiled_rows(Z), P, N, tol, 0 if N > P else max_iter
    )
    if status == SEPARABLE or (
        status == NOT_SEPARABLE
        and _relative_imbalance(measure_candidate(_as_compiled_rows(Z), w, x)) <= 10 * SHARP
    ):
        return status, w, x, n_iter
    if N <= P and not isinstance(Z, np.ndarray):
        return status, w, x, n_iter
    return _solve_degenerate(Z, w, x, tol, n_iter, max_iter)


def _find_candidate_in_calls(Z: Any, P: int, N: int, tol: float, max_iter: int) -> Candidate:
    """The search of `decide` in several compiled calls, for a single set."""
    a, c = np.empty(P), np.empty(N)
    Y, zero = _equilibrate_copy(Z, a, c)
    if zero >= 0:
        return NOT_SEPARABLE, np.zeros(N), np.eye(1, P, zero)[0], 0
    v, u = np.zeros(N), np.ones(P)
    status, n_iter = search_candidate(Y, v, u, np.zeros((5, P)), np.zeros((4, N)), tol, max_iter)
    if status != SEPARABLE:
        status = NOT_SEPARABLE if is_balanced(Y, c, u, tol) else UNDECIDED
    return status, v * c, u * a, n_iter


def _equilibrate_copy(Z: Any, a: Floats, c: Floats) -> tuple[Any, int]:
    """Fill a and c; return the scaled copy and the index of an all-zero row, or -1."""
    zero = compute_scales(Z, a, c, np.zeros(len(a)), np.zeros(len(c)))
    if isinstance(Z, np.ndarray):
        return Z * a[:, None] * c, zero
    return Z._replace(data=Z.data * np.repeat(a, np.diff(Z.indptr)) * c[Z.indices]), zero


def search_candidate(
    Y: Any, w: Floats, x: Floats, of_examples: Floats, of_inputs: Floats, tol: float, max_iter: int
) -> tuple[int, int]:
    """Conjugate gradients, then Newton's method, on equilibrated rows, from w = 0 and x = 1: (status, steps).

    Called from Python each is compiled once, instead of again within `decide`, and only if this set needs it:
    a third of the time of the first call. The work arrays are those of `descend`.
    """
    N, dense = len(w), type(Y) is np.ndarray
    steps = many = gradient_steps.py_func(N)
    newton = newton_small
    if not dense or N >= BLAS_FROM:
        newton = newton_large
    elif N >= TILES_FROM and max_iter > 0:
        newton, steps = newton_tiles, STEPS_BEFORE_TILES
    found, best = conjugate_gradients(Y, w, x, steps, of_examples, of_inputs)
    if found or max_iter == 0:
        return (SEPARABLE if found else UNDECIDED), 0
    status, n_iter = newton(Y, w, of_examples[2], x, best, min(tol, SHARP), max_iter)
    if status == UNDECIDED and steps < many:
        # Nearly degenerate: more conjugate gradients may succeed where Newton's method stalled.
        for buffer in (w, of_examples[2:], of_inputs[1:]):
            buffer[:] = 0.0
        found, best = conjugate_gradients(Y, w, x, many, of_examples, of_inputs)
        if found:
            return SEPARABLE, n_iter
        status, more = newton(Y, w, of_examples[2], x, best, min(tol, SHARP), max_iter - n_iter)
        n_iter += more
    return status, n_iter


def _solve_degenerate(Z: Any, w: Floats, x: Floats, tol: float, n_iter: int, max_iter: int) -> Candidate:
    P, N = Z.shape
    a, c = np.empty(P), np.empty(N)
    Y, _ = _equilibrate_copy(_as_compiled_rows(Z), a, c)
    v, u = w / c, x / a
    if N > P:
        rows = Y if isinstance(Y, np.ndarray) else scipy.sparse.csr_array(Y[:3], shape=Z.shape)
        B, back = reduce_columns(rows)
        status, v, u, n_iter = _find_candidate_in_calls(B, B.shape[0], B.shape[1], tol, max_iter)
        if status != SEPARABLE:
            n_iter += newton_by_svd(B, v, u, min(tol, SHARP), CAREFUL_STEPS)[1]
        v = back(v)
    else:
        n_iter += newton_by_svd(Y, v, u, min(tol, SHARP), CAREFUL_STEPS)[1]
    if is_separating_entry(Y, v, np.empty(P)):
        status = SEPARABLE
    else:
        status = NOT_SEPARABLE if is_balanced(Y, c, u, tol) else UNDECIDED
    return status, v * c, u * a, n_iter


def _relative_imbalance(figures: tuple[float, ...]) -> float:
    """|Z^T x| / sum x |xi|; 0 for an all-zero example."""
    _, _, balance, _, weighted = figures
    return balance / weighted if weighted > 0.0 else 0.0
