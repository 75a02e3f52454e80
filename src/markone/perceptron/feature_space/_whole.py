"""Kernel AdaTron (4.26), (4.6) where all kernels are in memory: solved without a return to Python.

Maximises f(x) = sum x - 1/2 x^T G x, 0 <= x <= C, G = S S^T K, for the examples `who` of the matrix K: all of
them, or those of two classes. Steps on two examples at a time as in `_block`, over all examples; then Newton
steps on the free ones. A Newton step on few is as cheap as some tens of steps on two, so they take turns.
What is not settled within the rounds is handed back as it is.
"""

import numpy as np

from markone.numerics.compiling import entry, piece
from markone.perceptron.feature_space._pairs import cut, fill, pairs, slopes
from markone.perceptron.quadratic._cholesky import factor, solved

EXACT = 1e-11  # as in `optimum`
# Newton is tried where the relative gap is below this, or where the free ones are few beside the steps taken.
CLOSE, MUCH = 0.05, 0.5
# So many multiplications of Cholesky's method take the time of one with a step on two.
SHARE = 40
RIDGE = 1e-14
PRECISION = 1e-3
NEAR = 1e-4  # relative gap at which the set of free examples is known well enough
IDLE = 4  # rounds in a row that gain nothing: rounding is all that is left


@piece
def newton(K, clamp, who, at, S, C, q, x, g, G, known, free, m, M, d):
    """One projected Newton step on the m free examples; False where there is none that rises."""
    n = who.shape[0]
    top = 0.0
    for a in range(m):
        i = free[a]
        top = max(top, q[i])
        if not known[i]:
            fill(K, clamp, who, at, S, i, G[i])
            known[i] = True
    ridge, done = RIDGE * top * m, False
    while not done:
        # E = 1 may have many solutions, or none: the smallest ridge that makes G definite.
        if not ridge < 1e-2 * top:
            return False
        for a in range(m):
            row = G[free[a]]
            for b in range(a + 1):
                M[a, b] = row[free[b]]
        done = factor(M, m, ridge)
        ridge *= 100.0
    for a in range(m):
        d[a] = g[free[a]]
    solved(M, m, d)
    change, t = np.empty(n), 1.0
    for _ in range(12):
        rise = 0.0
        for j in range(n):
            change[j] = 0.0
        for a in range(m):
            i = free[a]
            step = min(max(x[i] + t * d[a], 0.0), C[i]) - x[i]
            rise += step * g[i]
            if step != 0.0:
                row = G[i]
                for j in range(n):
                    change[j] += step * row[j]
        bend = 0.0
        for a in range(m):
            i = free[a]
            bend += (min(max(x[i] + t * d[a], 0.0), C[i]) - x[i]) * change[i]
        if rise > 0.0:
            # Between the bounds f is a parabola along this step: to its top, or all the way.
            part_of = 1.0 if bend <= rise else rise / bend
            for a in range(m):
                i = free[a]
                x[i] += part_of * (min(max(x[i] + t * d[a], 0.0), C[i]) - x[i])
            for j in range(n):
                g[j] -= part_of * change[j]
            return True
        t *= 0.25
    return False


@piece
def gap_of(x, g, C, n):
    """Between this student and the bound it proves, relative; what `certificate` says of E = 1 - g."""
    xE, total, slack, weakest, finite, hard = 0.0, 0.0, 0.0, np.inf, False, False
    for j in range(n):
        xE += x[j] * (1.0 - g[j])
        total += x[j]
        if C[j] < np.inf:
            finite = True
            slack += C[j] * max(g[j], 0.0)
        else:
            hard = True
            weakest = min(weakest, 1.0 - g[j])
    if xE < 0.0:
        return np.inf
    if hard and not finite:
        return 1.0 - weakest * total / xE if xE > 0.0 else np.inf
    if hard and weakest < 1.0:
        if weakest <= 0.0:
            return np.inf
        slack = 0.0
        for j in range(n):
            if C[j] < np.inf:
                slack += C[j] * max(1.0 - (1.0 - g[j]) / weakest, 0.0)
        xE /= weakest * weakest
        primal = 0.5 * xE + slack
        xE *= weakest * weakest
    else:
        primal = 0.5 * xE + slack
    return (primal - total + 0.5 * xE) / primal if primal > 0.0 else 0.0


@entry
def settle(K, clamp, who, S, C, q, x, g, G, known, tol, exact, most_free, rounds, most):
    """x, and g = 1 - E, to a relative gap of EXACT, or of `tol` if that is enough.

    G is memory for the rows of S S^T K, `known` says which are there; others are taken from K when needed.
    Returns the gap, the steps on examples, the Newton steps, and whether nothing more can be gained.
    """
    n, at = who.shape[0], cut(who)
    score, free = np.empty(n), np.empty(n, np.int64)
    most_free = min(most_free, n)
    M, d = np.empty((most_free, most_free)), np.empty(most_free)
    steps, jumps, idle, value, gap, fresh = 0, 0, 0, -np.inf, np.inf, True
    budget = max(n // 4, 32)
    for _ in range(rounds):
        gap = gap_of(x, g, C, n)
        if gap <= tol and not fresh:
            slopes(K, clamp, who, at, S, x, g, G, known)
            fresh, gap = True, gap_of(x, g, C, n)
        if gap <= EXACT or (gap <= tol and not exact):
            return gap, steps, jumps, True
        before, value = value, 0.0
        for j in range(n):
            value += x[j] * (0.5 + 0.5 * g[j])
        idle = idle + 1 if value - before <= 1e-15 * abs(value) else 0
        if idle == IDLE:
            return gap, steps, jumps, True
        if steps >= most:
            break
        m = 0
        for j in range(n):
            inside = x[j] > 0.0 and x[j] < C[j]
            if inside or (x[j] == 0.0 and g[j] > 0.0) or (x[j] == C[j] and g[j] < 0.0):
                free[m] = j
                m += 1
        if exact and m > most_free and gap < NEAR:
            break  # steps on two take long from here on, and Newton has too many
        if 0 < m <= most_free and (gap < CLOSE or m <= MUCH * steps):
            if newton(K, clamp, who, at, S, C, q, x, g, G, known, free, m, M, d):
                jumps += 1
                fresh = False
            # As much time for steps on two as the jump has taken.
            budget = min(max(8, m * m * m // (SHARE * n)), 4 * n)
        taken = pairs(K, clamp, who, at, S, C, q, x, g, G, known, score, PRECISION, min(budget, most - steps))
        steps += taken
        fresh = fresh and taken == 0
    return gap, steps, jumps, False
