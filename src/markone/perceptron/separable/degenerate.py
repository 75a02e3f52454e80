"""Solvers for what Newton with Cholesky cannot decide: nearly degenerate sets, or N > P.

Z has equilibrated rows (see `_scales`), dense or CSR.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.linalg

from markone.numerics.arrays import Floats
from markone.perceptron.separable._decide import NOT_SEPARABLE, SEPARABLE, UNDECIDED
from markone.perceptron.separable._descent import advance_weights_entry, relative_imbalance_entry

EPS = float(np.finfo(float).eps)
# Pivots of the Gram matrix of rows of length 1..2 below this are rounding.
FLAT = 1e-13


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
