"""Down h(w) = 1/2 sum (1 - E)_+^2 for LANES sets at once, in float32: line search and conjugate gradients."""

import numpy as np

from markone.lab.scenarios.storage._proofs import separates
from markone.lab.scenarios.storage._tiles import BROAD, dots, pull, slopes
from markone.lab.scenarios.storage._vectors import LANES
from markone.numerics.compiling import proof_part

CG_STEPS = 24
ONE, NOUGHT = np.float32(1.0), np.float32(0.0)


@proof_part
def line_search(E, dE, P, t):
    """The t that minimises h(w + t d), to some digits: Newton in one dimension on the piecewise linear h'."""
    slope, curvature = np.empty(LANES, np.float32), np.empty(LANES, np.float32)
    low, high = np.zeros(LANES, np.float32), np.full(LANES, np.inf, np.float32)
    t[:] = ONE
    for _ in range(12):
        slopes(E, dE, P, t, slope, curvature)
        moving = False
        for lane in range(LANES):
            here = t[lane]
            if slope[lane] > NOUGHT:
                high[lane] = here
            else:
                low[lane] = here
            if curvature[lane] > NOUGHT:
                there = here - slope[lane] / curvature[lane]
                if not low[lane] < there < high[lane]:
                    there = np.float32(0.5) * (low[lane] + min(high[lane], 2 * low[lane] + ONE))
                moving = moving or abs(there - here) > np.float32(1e-3) * here
                t[lane] = there
        if not moving:
            break


@proof_part
def lowest(E, P, least):
    """The smallest E of each lane."""
    least[:] = E[:LANES]
    for mu in range(1, P):
        for lane in range(LANES):
            least[lane] = min(least[lane], E[mu * LANES + lane])


@proof_part
def go(w, E, d, dE, t):
    """w += t d, and E with it."""
    for i in range(0, w.shape[0], LANES):
        for lane in range(LANES):
            w[i + lane] += t[lane] * d[i + lane]
    for i in range(0, E.shape[0], LANES):
        for lane in range(LANES):
            E[i + lane] += t[lane] * dE[i + lane]


@proof_part
def descend(Z, whole, fresh, M, w, E, d, dE, found):
    """Conjugate gradients (Polak and Ribiere) for the lanes that are `fresh` (1 or 0): many sets are
    separated by them alone, and else most of the active set is right. `found` says which are separated."""
    P, N = whole.shape[1], whole.shape[2]
    r, g, old = (
        np.empty(P * LANES, np.float32),
        np.zeros(M * LANES, np.float32),
        np.zeros(M * LANES, np.float32),
    )
    t, last, new, overlap = (
        np.ones(LANES, np.float32),
        np.ones(LANES, np.float32),
        np.ones(LANES, np.float32),
        np.ones(LANES, np.float32),
    )
    least = np.empty(LANES, np.float32)
    d[:] = NOUGHT
    for k in range(CG_STEPS):
        for i in range(P * LANES):
            r[i] = max(ONE - E[i], NOUGHT)
        for j in range(0, M, BROAD):
            pull(Z, r, P, M, j, g)
        dots(g, 0, g, 0, N, new, 0)
        dots(g, 0, old, 0, N, overlap, 0)
        for lane in range(LANES):
            turn = (new[lane] - overlap[lane]) / last[lane] if k > 0 and last[lane] > NOUGHT else NOUGHT
            t[lane] = max(turn, NOUGHT)
            last[lane] = new[lane]
        for i in range(0, N * LANES, LANES):
            for lane in range(LANES):
                d[i + lane] = g[i + lane] + t[lane] * d[i + lane]
                old[i + lane] = g[i + lane]
        for mu in range(P):
            dots(Z, mu * M, d, 0, N, dE, mu)
        line_search(E, dE, P, t)
        for lane in range(LANES):
            t[lane] *= fresh[lane]
        go(w, E, d, dE, t)
        lowest(E, P, least)
        for lane in range(LANES):
            if fresh[lane] > NOUGHT and least[lane] > NOUGHT and separates(whole[lane], w, d, 0.0, lane):
                fresh[lane], found[lane] = NOUGHT, True
