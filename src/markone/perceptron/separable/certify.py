"""Proven separability: a candidate from conjugate gradients and Newton's method, then its proof.

A candidate may be wrong; only the proof counts.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse

from markone.numerics._rows import Sparse
from markone.numerics.arrays import Floats
from markone.perceptron.separable._balance import proves_balance
from markone.perceptron.separable._decide import (
    NOT_SEPARABLE,
    SEPARABLE,
    SHARP,
    UNDECIDED,
    decide_separable,
)
from markone.perceptron.separable._descent import advance_weights_entry, relative_imbalance_entry
from markone.perceptron.separable._scales import compute_scales_entry, largest_magnitude
from markone.perceptron.separable.bounds import stability_bounds
from markone.perceptron.separable.rows import Rows, lifting_power
from markone.perceptron.separable.verdict import (
    ORDINARY,
    ProvenVerdict,
    not_separable_verdict,
    prove_verdict,
)

CAREFUL_STEPS = 30
EPS = float(np.finfo(float).eps)
# Pivots of the Gram matrix of rows of length 1..2 below this are rounding.
FLAT = 1e-13


# (w, x, Newton steps), not proven.
Candidate = tuple[Floats, Floats, int]


def certify_rows(Z: Any, tol: float, max_iter: int) -> tuple[ProvenVerdict, int]:
    """Return (proven verdict, Newton steps) for rows Z = S xi, float64: an array, or a csr_array of int32."""
    P, N = Z.shape
    dense = isinstance(Z, np.ndarray)
    compiled = _as_compiled_rows(Z)
    w, x = np.empty(N), np.empty(P)
    status, n_iter = decide_separable(compiled, w, x, tol, 0 if N > P else max_iter)
    top = largest_magnitude(Z.ravel() if dense else Z.data)
    rows = Rows(compiled, np.ones(P), lifting_power(top))
    ordinary = dense and N <= P and ORDINARY[0] < top < ORDINARY[1]
    if status == NOT_SEPARABLE and ordinary and proves_balance(Z, x):
        return not_separable_verdict(w, x, stability_bounds(rows, w, None).lower), n_iter
    if status != SEPARABLE:
        with np.errstate(all="ignore"):
            w, x, n_iter = _find_better_candidate(Z, status, w, x, tol, n_iter, max_iter)
    elif not np.isfinite(w.sum()):
        w = np.nan_to_num(w)
    return prove_verdict(rows, w, x), n_iter


def _as_compiled_rows(Z: Any) -> Any:
    return Z if isinstance(Z, np.ndarray) else Sparse(Z.data, Z.indices, Z.indptr, Z.shape[1])


def _find_better_candidate(
    Z: Any, status: int, w: Floats, x: Floats, tol: float, n_iter: int, max_iter: int
) -> Candidate:
    """Use the degenerate solver unless x is sharp already; sparse sets with N <= P are not improved."""
    P, N = Z.shape
    sharp = False
    if status == NOT_SEPARABLE:
        # |Z^T x| is zero up to rounding, compared with sum x |z|; true for an all-zero example.
        weighted = float(x @ np.sqrt(np.asarray((Z * Z).sum(axis=1)).ravel()))
        sharp = float(np.linalg.norm(Z.T @ x)) <= 10 * SHARP * weighted or weighted == 0.0
    if not sharp and (N > P or isinstance(Z, np.ndarray)):
        w, x, n_iter = _solve_degenerate(Z, w, x, tol, n_iter, max_iter)
    # Numbers near overflow or underflow can spoil the search; the proof accepts any candidate.
    return np.nan_to_num(w), np.nan_to_num(x), n_iter


def _solve_degenerate(Z: Any, w: Floats, x: Floats, tol: float, n_iter: int, max_iter: int) -> Candidate:
    P, N = Z.shape
    a, c = np.empty(P), np.empty(N)
    compute_scales_entry(_as_compiled_rows(Z), a, c, np.empty(P))
    if isinstance(Z, np.ndarray):
        Y = Z * a[:, None] * c
    else:
        data = Z.data * np.repeat(a, np.diff(Z.indptr)) * c[Z.indices]
        Y = scipy.sparse.csr_array((data, Z.indices, Z.indptr), shape=Z.shape)
    v, u = w / c, x / a
    if N > P:
        B, back = reduce_columns(Y)
        v, u = np.empty(B.shape[1]), np.empty(P)
        status, n_iter = decide_separable(B, v, u, tol, max_iter)
        if status != SEPARABLE:
            n_iter += newton_by_svd(B, v, u, min(tol, SHARP), CAREFUL_STEPS)[1]
        v = back(v)
    else:
        n_iter += newton_by_svd(Y, v, u, min(tol, SHARP), CAREFUL_STEPS)[1]
    return v * c, u * a, n_iter


def reduce_columns(Z: Any) -> tuple[Floats, Callable[[Floats], Floats]]:
    """B with at most P columns and B B^T = Z Z^T, and the map from v to w with Z w = B v.

    Dense rows by QR. Sparse rows, kept sparse, by eigenvectors of the P x P Gram matrix: rows that depend on
    others to within sqrt(FLAT) count as dependent.
    """
    if isinstance(Z, np.ndarray):
        Q, R = scipy.linalg.qr(Z.T, mode="economic")
        return np.ascontiguousarray(R.T), lambda v: Q @ v
    squares, vectors = scipy.linalg.eigh((Z @ Z.T).toarray())
    kept = squares > FLAT * squares[-1]
    lengths, vectors = np.sqrt(squares[kept]), vectors[:, kept]
    return np.ascontiguousarray(vectors * lengths), lambda v: Z.T @ (vectors @ (v / lengths))


def newton_by_svd(Z: Floats, w: Floats, x: Floats, sharp: float, max_iter: int) -> tuple[int, int]:
    """The iteration of `_decide.newton` from w, its steps by singular values of Z, not Cholesky of Z^T Z.

    Slow; resolves stabilities down to about 1e-13, where Cholesky ends at 1e-7. Changes w, and x if a
    better one is found.
    """
    g, E = np.empty(Z.shape[1]), Z @ w
    best = relative_imbalance_entry(Z, x, g)
    for n in range(max_iter):
        r = np.maximum(1.0 - E, 0.0)
        active = r > 0.0
        d = np.linalg.lstsq(Z[active], r[active], rcond=EPS * max(Z.shape))[0]
        dE = Z @ d
        y = np.where(active, r - dE, 0.0)
        for candidate in (r, y):
            ratio = relative_imbalance_entry(Z, candidate, g)
            if candidate.min() >= 0.0 and ratio < best:
                best, x[:] = ratio, candidate
        if best <= sharp:
            return NOT_SEPARABLE, n + 1
        if advance_weights_entry(Z, w, E, d, dE):
            return SEPARABLE, n + 1
    return UNDECIDED, max_iter
