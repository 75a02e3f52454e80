"""Compiled version of `balance.py`, for rows of about unit length: thousands of small sets a second.

x = y - Z_B H^-1 g solves sum x z = 0 exactly, |x - y| <= |z| |g| / (smallest eigenvalue of H); see there.
"""

import math

import numpy as np

from markone.numerics._cholesky import ROWS, add_products_tiled, cholesky_tiled, padded_columns, solve_tiled
from markone.numerics.compiling import proof_entry, proof_part
from markone.perceptron.separable._dots import add_row, dot_of_row
from markone.perceptron.separable._roundings import U, sum_error_bound

# Strengths below this fraction of the largest are dropped: they would need a higher accuracy.
SMALL = 1e-7


@proof_part
def weighted_sum_size(Z, y, g, low, size, k):
    """Fill g = sum y z; return |g| with its error bound, the longest row and the smallest positive y."""
    g[:] = 0.0
    low[:] = 0.0
    size[:] = 0.0
    longest, least = 0.0, math.inf
    for mu in range(y.shape[0]):
        if y[mu] > 0.0:
            add_row(Z, mu, y[mu], 1.0, g, low, size)
            square = 0.0
            for j in range(g.shape[0]):
                square += Z[mu, j] * Z[mu, j]
            longest, least = max(longest, square), min(least, y[mu])
    total = 0.0
    for j in range(g.shape[0]):
        g[j] += low[j]
        bound = abs(g[j]) + sum_error_bound(g[j], k, size[j])
        total += bound * bound
    return math.sqrt(total), math.sqrt(longest), least


@proof_entry
def proves_balance(Z, x):
    """True only if some x >= 0, not zero, near the given one has sum x z = 0 exactly.

    If True, the strengths it drops because they are small are set to zero in the given x.
    """
    P, n = Z.shape
    y, top = np.zeros(P), 0.0
    for mu in range(P):
        top = max(top, x[mu])
    for mu in range(P):
        y[mu] = x[mu] / top if x[mu] > SMALL * top else 0.0
    n_padded = padded_columns(n)
    H, T, B = np.zeros((n_padded, n_padded)), np.empty((n_padded, n_padded)), np.empty((ROWS, n_padded))
    chosen, k = np.empty(P, np.int64), 0
    for mu in range(P):
        if y[mu] > 0.0:
            chosen[k] = mu
            k += 1
    add_products_tiled(Z, chosen, k, 1.0, H, B)
    inverse, g, low, size = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    trace, empty = 0.0, 0
    for j in range(n):
        # An input that is zero in all these rows is balanced for any x: its pivot is set to one.
        if H[j, j] == 0.0:
            for mu in chosen[:k]:
                if Z[mu, j] != 0.0:
                    return False
            H[j, j] = 1.0
            empty += 1
        trace += H[j, j]
    if k < n - empty or k == 0:
        return False
    # Rounding of H, of H - shift and of the factorisation, doubled; the last term covers underflow.
    rounding = 2.0 * (k + 4.0 * n + 40.0) * U * trace + 1e-290
    for _ in range(3):
        size_of_g, longest, least = weighted_sum_size(Z, y, g, low, size, k)
        needed = 2.0 * size_of_g * longest / least
        if cholesky_tiled(H, -(needed + rounding), T, inverse):
            for mu in range(P):
                x[mu] = x[mu] if y[mu] > 0.0 else 0.0
            return True
        if not cholesky_tiled(H, 0.0, T, inverse):
            return False
        solve_tiled(T, inverse, g, low)
        for mu in range(P):
            if y[mu] > 0.0:
                for j in range(n):
                    y[mu] -= Z[mu, j] * low[j]
                if not y[mu] > 0.0:
                    return False
    return False


@proof_entry
def proves_separation(Z, w):
    """True only if all z . w > 0, rounding errors included."""
    for mu in range(Z.shape[0]):
        E, terms, amount = dot_of_row(Z, mu, 1.0, w)
        if not sum_error_bound(E, terms, amount) < E:
            return False
    return True
