"""Python interface of `_nearest`: the point nearest to the origin, in double-double arithmetic."""

from dataclasses import dataclass

import numpy as np

from markone.perceptron.separable.exact._nearest import NOTHING, find_nearest
from markone.perceptron.separable.rows import Floats

# Estimated seconds above which it is not tried.
LONGEST = 10.0


@dataclass
class NearestPoint:
    """p = sum x z as w + w_low, strengths x + x_low, and the residual r of `_nearest`.

    r is set to zero if it is only rounding: then sum x z is nearly zero.
    """

    w: Floats
    w_low: Floats
    x: Floats
    x_low: Floats
    r: Floats
    solved: bool


def nearest_point(Z: Floats, x: Floats | None = None) -> NearestPoint | None:
    """Nearest point for rows of about unit size, started from x > 0. None if it would take too long."""
    P, N = Z.shape
    size = min(P, N + 1)
    if size * size * N * 3e-8 + size * P * N * 6e-9 > LONGEST:
        return None
    tau = float(np.abs(Z).max())
    lengths = np.sqrt(np.sum(Z * Z, axis=1) + tau * tau)
    start = np.empty(0, dtype=np.int64) if x is None else np.flatnonzero(x > 0.0)
    if x is not None:
        start = start[np.argsort(-x[start], kind="stable")][: N + 1]
    strengths = np.empty(0) if x is None else x[start] / x[start].sum()
    members, xh, xl = np.zeros(size + 1, dtype=np.int64), np.zeros(size + 1), np.zeros(size + 1)
    rh, rl = np.zeros(N + 1), np.zeros(N + 1)
    most = 3 * (N + P) + 50
    k, solved = find_nearest(Z, tau, start, strengths, lengths, most, members, xh, xl, rh, rl)
    out, out_low = np.zeros(P), np.zeros(P)
    good = np.flatnonzero(xh[:k] > 0.0)
    out[members[good]], out_low[members[good]] = xh[good], xl[good]
    r = rh if float(np.linalg.norm(rh)) > NOTHING * tau else np.zeros_like(rh)
    return NearestPoint(-rh[:-1], -rl[:-1], out, out_low, r, bool(solved))
