"""Line searches along the projected path x(t) = clip(x + t d, 0, gamma), exact and approximate."""

import numpy as np

from markone.numerics._rows import add_example, dot_example
from markone.numerics.compiling import entry, part


@entry
def search_projected_path(xi, S, norms, gamma, x, w, free, d, ends, order, flat):
    """Move x[free] and w to the first maximum along d, and set the components of d that met a bound to zero.

    The objective -1/2 x C x + sum x (3.75) is piecewise quadratic in t: every bound that is met removes one
    component of d. All bounds up to the first maximum are passed in one search; with a step to the
    first bound only, each would need a new d.
    ends: the t at which each component meets its bound; order: argsort of `ends` (compiling a sort here would
    take longer than the rest).

    Returns True if the objective rises without bound, possible only without upper bounds on x: then d >= 0,
    |sum d S xi| <= flat sum d |xi|, and x stays where the last bound was met.
    """
    N = w.shape[0]
    dw = np.zeros(N)
    slope = 0.0
    for k in range(free.shape[0]):
        mu = free[k]
        add_example(xi, mu, d[k] * S[mu] / N, dw)
        slope += d[k]
    slope -= N * np.sum(w * dw)
    bend = N * np.sum(dw * dw)
    t = 0.0
    for k in order:
        step = ends[k] - t
        if slope <= bend * step or step == np.inf:
            break
        mu = free[k]
        t = ends[k]
        w += step * dw
        slope -= step * bend + d[k] * (1.0 - S[mu] * dot_example(xi, mu, w))
        add_example(xi, mu, -d[k] * S[mu] / N, dw)
        bend = N * np.sum(dw * dw)
        # Exactly: x + t d would miss the bound by a rounding error.
        x[mu] = 0.0 if d[k] < 0.0 else gamma[mu]
        d[k] = 0.0
    length = 0.0
    lowest = 0.0
    for k in range(free.shape[0]):
        length += abs(d[k]) * np.sqrt(norms[free[k]])
        lowest = min(lowest, d[k])
    endless = slope > 0.0 and lowest == 0.0 and length > 0.0 and np.sqrt(N * bend) <= flat * length
    if slope > 0.0 and bend > 0.0 and not endless:
        t += slope / bend
    for k in range(free.shape[0]):
        if d[k] != 0.0:
            x[free[k]] = min(max(x[free[k]] + t * d[k], 0.0), gamma[free[k]])
    return endless


@part
def _projected_sum(u, change, gamma, t):
    """sum x(t) change, with x(t) = clip(u - t change, 0, gamma)."""
    total = 0.0
    for mu in range(u.shape[0]):
        total += min(max(u[mu] - t * change[mu], 0.0), gamma[mu]) * change[mu]
    return total


@entry
def step_length(u, change, gamma, sigma, linear, quadratic):
    """t in (0, 1] with a slope of at most a tenth of the slope at t = 0 (regula falsi, safeguarded).

    Zero if rounding has left no direction of descent.
    u = x + sigma (1 - E), change = sigma dE; linear = N w.dw, quadratic = N dw.dw.
    """
    first = linear - _projected_sum(u, change, gamma, 0.0) / sigma
    if first >= 0.0:
        return 0.0
    last = linear + quadratic - _projected_sum(u, change, gamma, 1.0) / sigma
    if last <= -0.1 * first:
        return 1.0
    low, high, at_low, at_high = 0.0, 1.0, first, last
    t = 1.0
    for _ in range(40):
        t = low - (high - low) * at_low / (at_high - at_low)
        margin = 0.05 * (high - low)
        t = min(max(t, low + margin), high - margin)
        slope = linear + quadratic * t - _projected_sum(u, change, gamma, t) / sigma
        if abs(slope) <= -0.1 * first:
            break
        if slope < 0.0:
            low, at_low = t, slope
        else:
            high, at_high = t, slope
    return t
