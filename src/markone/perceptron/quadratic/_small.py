"""Small dense problems solved in one call: sweeps and Newton steps without a return to Python.

Calls from Python cost more than the arithmetic where P N is some ten thousand. What is not settled within
`rounds` is handed back as it is, and `solve` goes on from there.
"""

import numpy as np

from markone.numerics._rows import add, dot
from markone.numerics.compiling import entry
from markone.perceptron.quadratic._cholesky import factor, solved

# Kuhn-Tucker residual below which nothing more is tried, as in `newton`.
TIGHT = 1e-13
RIDGE = 1e-12
# Sweeps after which too many examples are still free for a Newton step: other ways are faster then.
PATIENCE, LONGER = 60, 200
# Where a round of sweeps leaves more than this part of the free ones, more rounds will not help soon either.
SHRINKS = 0.6


@entry
def step(xi, S, norms, free, n, r, M, d, v):
    """d with C_FF d = r on the n free examples, corrected once by the examples themselves."""
    N = xi.shape[1]
    mean = 0.0
    for k in range(n):
        mean += norms[free[k]] / (n * N)
    ridge = RIDGE * mean
    for _ in range(12):
        for i in range(n):
            for j in range(i + 1):
                total = 0.0
                for k in range(N):
                    total += xi[free[i], k] * xi[free[j], k]
                M[i, j] = total * S[free[i]] * S[free[j]] / N
        if factor(M, n, ridge):
            break
        ridge *= 100.0
    for i in range(n):
        d[i] = r[i]
    solved(M, n, d)
    for j in range(N):
        v[j] = 0.0
    for i in range(n):
        add(xi, free[i], d[i] * S[free[i]] / N, v)
    for i in range(n):
        r[i] -= S[free[i]] * dot(xi, free[i], v)
    solved(M, n, r)
    for i in range(n):
        d[i] += r[i]


@entry
def follow(xi, S, gamma, x, w, free, n, d, v):
    """Move x and w to the first maximum along clip(x + t d, 0, gamma); False if the path rises for ever."""
    N = xi.shape[1]
    slope = 0.0
    for j in range(N):
        v[j] = 0.0
    for k in range(n):
        add(xi, free[k], d[k] * S[free[k]] / N, v)
        slope += d[k]
    t = 0.0
    for j in range(N):
        slope -= N * w[j] * v[j]
    for _ in range(n + 1):
        bend = 0.0
        for j in range(N):
            bend += N * v[j] * v[j]
        first = -1
        end = np.inf
        for k in range(n):
            if d[k] != 0.0:
                mu = free[k]
                at = ((0.0 if d[k] < 0.0 else gamma[mu]) - x[mu]) / d[k]
                if at < end:
                    end, first = at, k
        if slope <= bend * (end - t) or first < 0:
            break
        mu = free[first]
        for j in range(N):
            w[j] += (end - t) * v[j]
        slope -= (end - t) * bend + d[first] * (1.0 - S[mu] * dot(xi, mu, w))
        t = end
        add(xi, mu, -d[first] * S[mu] / N, v)
        x[mu] = 0.0 if d[first] < 0.0 else gamma[mu]
        d[first] = 0.0
    if slope > 0.0:
        if not bend > 0.0:
            return False
        t += slope / bend
    for k in range(n):
        if d[k] != 0.0:
            mu = free[k]
            x[mu] = min(max(x[mu] + t * d[k], 0.0), gamma[mu])
    return True


@entry
def settle(xi, S, norms, gamma, x, hard, most, rounds, sweeps):
    """Raise x until Kuhn-Tucker is met to rounding, or `rounds` are over.

    Returns the number of Newton steps, of sweeps, and the residual reached.
    """
    P, N = xi.shape
    w, v = np.empty(N), np.empty(N)
    free, M, d, r = np.empty(P, np.int64), np.empty((most, most)), np.empty(most), np.empty(most)
    best, least, stalled = np.zeros(P), np.inf, 0
    length = 0.0
    for mu in range(P):
        length = max(length, np.sqrt(norms[mu]))
    newton, made, before = 0, 0, P
    for _ in range(rounds):
        for j in range(N):
            w[j] = 0.0
        terms = 0.0
        for mu in range(P):
            if x[mu] != 0.0:
                add(xi, mu, x[mu] * S[mu] / N, w)
                terms += x[mu] * np.sqrt(norms[mu]) / N
        residual, n = 0.0, 0
        for mu in range(P):
            slope = 1.0 - S[mu] * dot(xi, mu, w)
            inside = x[mu] > 0.0 and x[mu] < gamma[mu]
            up = x[mu] == 0.0 and slope > 0.0
            down = x[mu] == gamma[mu] and slope < 0.0
            if gamma[mu] > 0.0 and norms[mu] > 0.0 and (inside or up or down):
                residual = max(residual, abs(slope))
                if inside or abs(slope) > TIGHT:
                    free[n] = mu
                    n += 1
        floor = min(1e-13 + 1e-16 * length * terms, 1e-7)
        stalled = stalled + 1 if residual > least / 2 and least <= floor else 0
        if residual < least:
            least = residual
            for mu in range(P):
                best[mu] = x[mu]
        if least <= TIGHT or stalled == 3:
            break
        # Free examples and violators: sweep, until those that stay free are few.
        for _k in range(sweeps):
            for k in range(n):
                mu = free[k]
                new = min(max(x[mu] + (1.0 - S[mu] * dot(xi, mu, w)) * N / norms[mu], 0.0), gamma[mu])
                if new != x[mu]:
                    add(xi, mu, (new - x[mu]) * S[mu] / N, w)
                    x[mu] = new
        made += sweeps
        m = 0
        for k in range(n):
            mu = free[k]
            if x[mu] > 0.0 and x[mu] < gamma[mu]:
                free[m] = mu
                m += 1
        if m == 0 or m > most:
            # As in `Ascent.warm`: while fewer than 2 N examples of a hard margin are free, sweeps pay.
            longer = hard and m < 2 * N
            if made >= (LONGER if longer else PATIENCE) or (m > SHRINKS * before and not longer):
                break
            before = m
            continue
        for k in range(m):
            r[k] = 1.0 - S[free[k]] * dot(xi, free[k], w)
        step(xi, S, norms, free, m, r, M, d, v)
        newton += 1
        if not follow(xi, S, gamma, x, w, free, m, d, v):
            break
    for mu in range(P):
        x[mu] = best[mu]
    return newton, made, least
