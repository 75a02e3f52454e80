"""Down h(w) = 1/2 sum (1 - E)_+^2 for one set, in float32: line search and conjugate gradients.

`_room.py` says what is in `data`, `place` and `active`.
"""

import math

import numpy as np

from markone.lab.scenarios.storage._proofs import all_positive
from markone.lab.scenarios.storage.single._lines import dot
from markone.lab.scenarios.storage.single._sums import WIDTH, combine_1, combine_2, combine_4, potentials
from markone.numerics.compiling import piece

ONE, NOUGHT = np.float32(1.0), np.float32(0.0)


@piece
def gradient(data, E, active, g):
    """g = sum (1 - E) z over the examples with E < 1."""
    Z, V, rows, r = data.Z, data.V, active.rows, active.r
    n, v = 0, 0
    for mu in range(E.shape[0]):
        rest = ONE - E[mu]
        rows[n], r[n] = mu, rest
        n += np.int64(rest > NOUGHT)
    while v < V:
        if V - v >= 4:
            combine_4(Z, rows, n, r, V, v, g)
            v += 4
        elif V - v >= 2:
            combine_2(Z, rows, n, r, V, v, g)
            v += 2
        else:
            combine_1(Z, rows, n, r, V, v, g)
            v += 1


@piece
def potentials_of(data, d, dE):
    """dE = Z d."""
    for k in range(dE.shape[0] // WIDTH):
        potentials(data.Z, k, data.V, d, dE)


@piece
def line_search(E, dE):
    """The t that minimises h(w + t d), to some digits: Newton in one dimension on the piecewise linear h'."""
    low, high, t = NOUGHT, np.float32(np.inf), ONE
    for _ in range(12):
        slope, curvature = NOUGHT, NOUGHT
        for mu in range(E.shape[0]):
            r = ONE - E[mu] - t * dE[mu]
            push = dE[mu] if r > NOUGHT else NOUGHT
            slope -= push * r
            curvature += push * push
        if not curvature > NOUGHT:
            return t
        if slope > NOUGHT:
            high = t
        else:
            low = t
        there = t - slope / curvature
        if not low < there < high:
            there = np.float32(0.5) * (low + min(high, np.float32(2.0) * low + ONE))
        if abs(there - t) <= np.float32(1e-3) * t:
            return there
        t = there
    return t


@piece
def go(w, E, d, dE, t):
    """w += t d, and E with it. True if all E are positive then."""
    n = 0
    for j in range(w.shape[0]):
        w[j] += t * d[j]
    for mu in range(E.shape[0]):
        E[mu] += t * dE[mu]
        n += np.int64(E[mu] <= NOUGHT)
    return n == 0


@piece
def separates(whole, w, d, t, values):
    """All E > 0 for w + t d, proven."""
    for j in range(values.shape[0]):
        values[j] = np.float64(w[j]) + t * np.float64(d[j])
    return all_positive(whole, values)


@piece
def window(E, dE):
    """A t with all E + t dE > 0, or 0."""
    low, high = -math.inf, math.inf
    for mu in range(E.shape[0]):
        e, d = np.float64(E[mu]), np.float64(dE[mu])
        if d > 0.0:
            low = max(low, -e / d)
        elif d < 0.0:
            high = min(high, -e / d)
        elif e <= 0.0:
            return 0.0
    if not low < high:
        return 0.0
    if high == math.inf:
        return 2.0 * abs(low) + 1.0
    return 2.0 * high - 1.0 if low == -math.inf and high < 0.0 else 0.5 * (max(low, -abs(high)) + high)


@piece
def regroup(E, active):
    """Who entered or left the set E < 1 since the last call: how many of either."""
    inside, entered, left = active.inside, active.entered, active.left
    n_in, n_out = 0, 0
    for mu in range(inside.shape[0]):
        now, before = E[mu] < ONE, inside[mu]
        entered[n_in], left[n_out] = mu, mu
        n_in += np.int64(now and not before)
        n_out += np.int64(before and not now)
        inside[mu] = now
    return n_in, n_out


@piece
def descend(data, place, active):
    """Conjugate gradients (Polak and Ribiere) until hardly an example enters or leaves the set E < 1: from
    there on Newton's method is faster. True if they separate."""
    P, N = data.whole.shape
    w, E, d, dE, g, old = place
    last = NOUGHT
    for mu in range(P):
        active.inside[mu] = False
    for j in range(d.shape[0]):
        d[j] = NOUGHT
    for step in range(16 + N // 4):
        n_in, n_out = regroup(E, active)
        if step > 5 and n_in + n_out <= 1 + P // 256:
            return False
        gradient(data, E, active, g)
        new, overlap = dot(g, 0, g, 0, data.V), dot(g, 0, old, 0, data.V)
        turn = max((new - overlap) / last, NOUGHT) if last > NOUGHT else NOUGHT
        last = new
        for j in range(d.shape[0]):
            d[j] = g[j] + turn * d[j]
            old[j] = g[j]
        potentials_of(data, d, dE)
        if go(w, E, d, dE, line_search(E, dE)) and separates(data.whole, w, d, 0.0, active.values):
            return True
    return False
