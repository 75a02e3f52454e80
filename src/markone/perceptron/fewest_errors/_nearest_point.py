"""Wolfe's algorithm: the point of the convex hull of some rows that is nearest to 0.

It ends with weights of positive potential on all these rows, or with a few affinely independent rows that
contain 0 in the interior of their hull: an irreducible infeasible subset. Both are candidates, not proofs.
"""

import numpy as np

from markone.numerics.compiling import proof_part

FEASIBLE, INFEASIBLE, UNDECIDED = 1, -1, 0
# |w|^2 of rows of length about one that is zero up to rounding, and the smallest pivot.
TINY, PIVOT = 1e-26, 1e-13


@proof_part
def worst_row(Z, allowed, w):
    """Index and value of the smallest potential among the allowed rows; -1 if there are none."""
    worst, low = -1, np.inf
    for mu in range(Z.shape[0]):
        if allowed[mu]:
            E = 0.0
            for j in range(w.shape[0]):
                E += Z[mu, j] * w[j]
            if low > E:
                worst, low = mu, E
    return worst, low


@proof_part
def affine_minimizer(Z, corral, k, T, y):
    """Fill y with the affine combination of the k rows nearest to 0; False if they are dependent."""
    for a in range(k):
        for b in range(a, k):
            total = 1.0
            for j in range(Z.shape[1]):
                total += Z[corral[a], j] * Z[corral[b], j]
            for c in range(a):
                total -= T[c, a] * T[c, b]
            if b == a:
                if not total > PIVOT:
                    return False
                T[a, a] = np.sqrt(total)
            else:
                T[a, b] = total / T[a, a]
    for a in range(k):
        y[a] = 1.0
        for c in range(a):
            y[a] -= T[c, a] * y[c]
        y[a] /= T[a, a]
    amount = 0.0
    for a in range(k - 1, -1, -1):
        for c in range(a + 1, k):
            y[a] -= T[a, c] * y[c]
        y[a] /= T[a, a]
        amount += y[a]
    for a in range(k):
        y[a] /= amount
    return amount > 0.0


@proof_part
def move_to_minimizer(Z, corral, k, T, x, y):
    """Minor cycle: drop rows until the affine minimizer is inside their hull. Return k, or 0 if dependent."""
    while True:
        if not affine_minimizer(Z, corral, k, T, y):
            return 0
        step = 1.0
        for a in range(k):
            if y[a] <= 1e-14 and x[a] - y[a] > 0.0:
                step = min(step, x[a] / (x[a] - y[a]))
        kept = 0
        for a in range(k):
            value = x[a] + step * (y[a] - x[a])
            if value > 1e-14:
                x[kept], corral[kept] = value, corral[a]
                kept += 1
        if kept == k:
            return k
        if kept == 0:
            return 0
        k = kept


@proof_part
def wolfe_point(Z, allowed, w, corral, x):
    """Start from the worst row of the given w. Return (FEASIBLE, 0), w changed, or (INFEASIBLE, k) with the
    first k entries of corral and strengths x, or (UNDECIDED, 0)."""
    N = Z.shape[1]
    T, y = np.empty((N + 2, N + 2)), np.empty(N + 2)
    mu, low = worst_row(Z, allowed, w)
    if mu < 0 or low > 0.0:
        return FEASIBLE, 0
    corral[0], x[0], k = mu, 1.0, 1
    for _ in range(20 * N + 100):
        square = 0.0
        for j in range(N):
            w[j] = 0.0
            for a in range(k):
                w[j] += x[a] * Z[corral[a], j]
            square += w[j] * w[j]
        if square < TINY:
            return INFEASIBLE, k
        mu, low = worst_row(Z, allowed, w)
        if low > 0.0:
            return FEASIBLE, 0
        if k > N:
            return UNDECIDED, 0
        for a in range(k):
            if corral[a] == mu:
                return UNDECIDED, 0
        corral[k], x[k] = mu, 0.0
        k = move_to_minimizer(Z, corral, k + 1, T, x, y)
        if k == 0:
            return UNDECIDED, 0
    return UNDECIDED, 0
