"""Proofs for candidates: all z . w > 0, or an exact x >= 0 with sum x z = 0 near a given one.

Given y > 0 on some rows B with g = sum y z nearly zero, x = y - Z_B H^-1 g, H = Z_B^T Z_B, is an exact
solution, and |x - y| <= |z| |g| / (smallest eigenvalue of H). So x > 0 if that is below y. The eigenvalue is
bounded from below by a Cholesky factorisation: if H - shift has one, every eigenvalue of H is at least shift,
less a bound on the rounding (Demmel 1989, Rump 2006).
"""

import math

import numpy as np

from markone.numerics.compiling import proof_entry, proof_part
from markone.perceptron.base._cholesky import add_outer_products, factorise, solve_factorised
from markone.perceptron.separable._bounds import add_row, dot_row
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
            for value in Z[mu]:
                square += value * value
            longest, least = max(longest, square), min(least, y[mu])
    total = 0.0
    for j in range(g.shape[0]):
        g[j] += low[j]
        bound = abs(g[j]) + sum_error_bound(g[j], k, size[j])
        total += bound * bound
    return math.sqrt(total), math.sqrt(longest), least


@proof_part
def fill_empty_columns(Z, chosen, H):
    """Set the pivot of inputs that are zero in all chosen rows to one: they are balanced for any x.

    Return their number and the trace of H, or -1 if a pivot is zero by underflow only.
    """
    trace, empty = 0.0, 0
    for j in range(H.shape[0]):
        if H[j, j] == 0.0:
            for mu in chosen:
                if Z[mu, j] != 0.0:
                    return -1, 0.0
            H[j, j] = 1.0
            empty += 1
        trace += H[j, j]
    return empty, trace


@proof_part
def correct_strengths(Z, chosen, d, y):
    """y -= Z d on the chosen rows. False if one is not positive then."""
    for mu in chosen:
        for j in range(d.shape[0]):
            y[mu] -= Z[mu, j] * d[j]
        if not y[mu] > 0.0:
            return False
    return True


@proof_part
def choose_strengths(x, y):
    """Fill y with the strengths relative to the largest, small ones dropped; return their indices."""
    top, k = 0.0, 0
    chosen = np.empty(x.shape[0], np.int64)
    for strength in x:
        top = max(top, strength)
    for mu in range(x.shape[0]):
        y[mu] = x[mu] / top if x[mu] > SMALL * top else 0.0
        if y[mu] > 0.0:
            chosen[k] = mu
            k += 1
    return chosen[:k]


@proof_entry
def proves_balance(Z, x):
    """True only if some x >= 0, not zero, near the given one has sum x z = 0 exactly, for dense Z.

    If True, x is changed to strengths close to the exact ones; small strengths become zero.
    """
    P, n = Z.shape
    y = np.zeros(P)
    chosen = choose_strengths(x, y)
    k = chosen.shape[0]
    if k == 0 or n > P:
        return False
    H, T = np.zeros((n, n)), np.empty((n, n))
    inverse, g, low, size = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    add_outer_products(Z, chosen, 1.0, H)
    empty, trace = fill_empty_columns(Z, chosen, H)
    if empty < 0 or k < n - empty:
        return False
    # Rounding of H, of H - shift and of the factorisation, doubled; the last term covers underflow.
    rounding = 2.0 * (k + 4.0 * n + 40.0) * U * trace + 1e-290
    for _ in range(3):
        size_of_g, longest, least = weighted_sum_size(Z, y, g, low, size, k)
        needed = 2.0 * size_of_g * longest / least
        if factorise(H, -(needed + rounding), T, inverse):
            top = x.max()
            for mu in range(P):
                x[mu] = y[mu] * top
            return True
        if not factorise(H, 0.0, T, inverse):
            return False
        solve_factorised(T, inverse, g, low)
        if not correct_strengths(Z, chosen, low, y):
            return False
    return False


@proof_entry
def proves_separation(Z, w):
    """True only if all z . w > 0, rounding errors included."""
    for mu in range(Z.shape[0]):
        E, terms, amount = dot_row(Z, mu, 1.0, w)
        if not sum_error_bound(E, terms, amount) < E:
            return False
    return True
