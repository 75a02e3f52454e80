"""MinOver for machines: the weakest example is learned by the unit(s) nearest to a flip   (3.42, 4.7, 4.8).

Strength is the distance, in units of |w^k|, that the fields may change before the output is wrong. In a
committee whose output is correct the median unit learns; if it is wrong, the units that least action
would update. In a parity machine it is the unit with the smallest |h|/|w|.
"""

import math

import numpy as np

from markone.machines._units import (
    COMMITTEE,
    copy_weights,
    example_strength,
    machine_output,
    nearest_unit,
    unit_fields,
)
from markone.numerics.compiling import entry


@entry
def unit_lengths(W, begin, end, lengths):
    for k in range(W.shape[0]):
        total = 0.0
        for j in range(end[k] - begin[k]):
            total += W[k, j] ** 2
        lengths[k] = math.sqrt(total) if total > 0.0 else 1.0


@entry
def weakest_example(H, S, lengths, kind, h, buffer):
    """The first example of the least strength, and this strength."""
    least, place = math.inf, 0
    for mu in range(H.shape[0]):
        for k in range(H.shape[1]):
            h[k] = H[mu, k] / lengths[k]
        E = example_strength(kind, S[mu], h, buffer)
        if least > E:
            least, place = E, mu
    return place, least


@entry
def assign_strengthening_steps(kind, S, E, h, step):
    """Fill the step of each unit (+1, -1 or 0) for the weakest example; h are its fields over lengths."""
    for k in range(h.shape[0]):
        step[k] = 0.0
        if kind == COMMITTEE and E <= S * h[k] <= max(E, 0.0):
            step[k] = S
    if kind != COMMITTEE:
        k = nearest_unit(h)
        sigma = 1.0 if h[k] >= 0.0 else -1.0
        step[k] = sigma * S * machine_output(kind, h)


@entry
def update_unit(xi, mu, k, begin, end, W, rate, H):
    """w^k += rate xi^mu, with the update of the fields of all examples."""
    a, b = begin[k], end[k]
    for j in range(b - a):
        W[k, j] += rate * xi[mu, a + j]
    for nu in range(xi.shape[0]):
        overlap = 0.0
        for j in range(a, b):
            overlap += xi[nu, j] * xi[mu, j]
        H[nu, k] += rate * overlap


@entry
def weakest_first(xi, S, begin, end, W, kind, tol, window, since, steps, best_W, best):
    """Run at most `steps` updates; the best weights are kept in best_W, their strength in best.

    Stops when all examples are correct and `window` updates have not increased the least strength by the
    fraction tol; `since` counts them across calls. Returns (updates, best, since, settled).
    """
    P, K = xi.shape[0], W.shape[0]
    H, h, step, buffer, lengths = np.empty((P, K)), np.empty(K), np.empty(K), np.empty(K), np.empty(K)
    for mu in range(P):
        unit_fields(xi, mu, begin, end, W, H[mu])
    for t in range(steps):
        unit_lengths(W, begin, end, lengths)
        mu, E = weakest_example(H, S, lengths, kind, h, buffer)
        since += 1
        if best < E:
            if best + tol * abs(best) < E:
                since = 0
            best = E
            copy_weights(W, best_W)
        if best > 0.0 and since >= window:
            return t, best, since, True
        for k in range(K):
            h[k] = H[mu, k] / lengths[k]
        assign_strengthening_steps(kind, S[mu], E, h, step)
        for k in range(K):
            if step[k] != 0.0:
                update_unit(xi, mu, k, begin, end, W, step[k] / (end[k] - begin[k]), H)
    return steps, best, since, False
