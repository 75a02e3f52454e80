"""Down h(w) = 1/2 sum (1 - E)_+^2 for LANES sets at once, in float32: the line search."""

import numpy as np

from markone.lab.scenarios.storage._lane_vectors import LANES
from markone.lab.scenarios.storage._tiles import slopes
from markone.numerics.compiling import proof_part

ONE, NOUGHT = np.float32(1.0), np.float32(0.0)


@proof_part
def search_lanes(E, dE, P, t):
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
def go(w, E, d, dE, t):
    """w += t d, and E with it."""
    for i in range(0, w.shape[0], LANES):
        for lane in range(LANES):
            w[i + lane] += t[lane] * d[i + lane]
    for i in range(0, E.shape[0], LANES):
        for lane in range(LANES):
            E[i + lane] += t[lane] * dE[i + lane]
