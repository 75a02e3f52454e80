"""Proof of non-separability: an exact x >= 0 with sum x S xi = 0 exists near a given one.

Given y > 0 on some rows B with g = sum y z nearly zero, x = y - Z_B H^-1 g, H = Z_B^T Z_B, is an exact
solution, and |x - y| <= |z| |g| / (smallest eigenvalue of H). So x > 0 if that is below y. The
eigenvalue is bounded from below by a Cholesky factorisation: if H - shift has one, every eigenvalue of H is
at least shift, less a bound on the rounding (Demmel 1989, Rump 2006).
"""

import math
from typing import Any

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs

from markone.perceptron.separable._roundings import U
from markone.perceptron.separable.bounds import norm_bounds
from markone.perceptron.separable.rows import Floats, Rows

# Rows used per input, those of the largest strengths; the others are dropped.
ROWS_PER_INPUT = 6


def balanced_strengths(C: Floats, y: Floats) -> Floats | None:
    """x >= 0 close to an exact solution of sum x z = 0 for the rows z of C (length of order one), or None."""
    chosen = _largest_strengths(y, C.shape[1])
    if len(chosen) < 2:
        return None
    B = C[chosen]
    # An input that is zero in all these rows is balanced for any x.
    B = np.ascontiguousarray(B[:, B.any(axis=0)])
    found = _correct_strengths(B, y[chosen])
    if found is None:
        return None
    x = np.zeros_like(y)
    x[chosen] = found
    return x


def balanced_row_strengths(rows: Rows, y: Floats) -> Floats | None:
    """`balanced` for unscaled rows; only those of the largest strengths are used."""
    chosen = _largest_strengths(y, rows.shape[1])
    if len(chosen) < 2 or not 1e-60 < float(np.abs(rows.values).max()) < 1e60:
        return None
    with np.errstate(all="ignore"):
        few = balanced_strengths(rows.only(chosen).signed_inputs(), y[chosen])
    if few is None:
        return None
    x = np.zeros_like(y)
    x[chosen] = few
    return x


def _largest_strengths(y: Floats, N: int) -> Any:
    support = np.flatnonzero(y > 0.0)
    return np.sort(support[np.argsort(-y[support], kind="stable")[: ROWS_PER_INPUT * N + 8]])


def _correct_strengths(B: Floats, y: Floats) -> Floats | None:
    k, n = B.shape
    if not 1 <= n <= k:
        return None
    y = y / float(y.max())
    H = B.T @ B
    L, failed = dpotrf(H, lower=1)
    if failed:
        return None
    rows = Rows(B, np.ones(k), 1.0)
    for _ in range(2):
        y = y - B @ dpotrs(L, rows.embedding(y)[0], lower=1)[0]
    if not float(y.min()) > 0.0:
        return None
    g, error = rows.embedding(y)
    rest, longest = norm_bounds(np.abs(g) + error)[1], math.sqrt(float(np.max(np.sum(B * B, axis=1))))
    # The factor 2 covers the rounding of this line.
    needed = 2.0 * rest * longest / float(y.min())
    return y if _smallest_eigenvalue_exceeds(H, k, needed) else None


def _smallest_eigenvalue_exceeds(H: Floats, k: int, needed: float) -> bool:
    """Whether all eigenvalues of the true B^T B, k rows, are above `needed`; H is its rounded value."""
    n = len(H)
    trace = float(np.trace(H)) * (1.0 + 4.0 * (n + k) * U)
    # Rounding of H (any order of the k sums), of H - shift and of the factorisation (any order), doubled.
    rounding = 2.0 * (k + 4.0 * n + 40.0) * U * trace + 1e-290
    shift = (needed + rounding) * (1.0 + 8.0 * U)
    A = H.copy()
    A.flat[:: n + 1] -= shift
    return bool(np.all(np.diagonal(A) > 0.0)) and dpotrf(A, lower=1, overwrite_a=1)[1] == 0
