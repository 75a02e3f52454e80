"""Nearest prototypes of one example (5.3), and the update of a prototype (5.4).

A missing feature (NaN) of the example is left out of the distance and of the update. It is missing for all
prototypes, so that a rescaling of the distance would not change the winner.
"""

import numpy as np

from markone.numerics.compiling import part


@part
def squared_distance(xi, mu, w, j, missing):
    """|xi^mu - w^j|^2 over the observed features."""
    total = 0.0
    if missing:
        for k in range(w.shape[1]):
            difference = xi[mu, k] - w[j, k]
            if not np.isnan(difference):
                total += difference * difference
    else:
        for k in range(w.shape[1]):
            difference = xi[mu, k] - w[j, k]
            total += difference * difference
    return total


@part
def nearest_two(xi, mu, w, missing):
    """Winner (5.3), second nearest, and their distances; of ties the first."""
    best, next_best, winner, second = np.inf, np.inf, 0, 0
    for j in range(w.shape[0]):
        d = squared_distance(xi, mu, w, j, missing)
        if d < best:
            next_best, second = best, winner
            best, winner = d, j
        elif d < next_best:
            next_best, second = d, j
    return winner, second, best, next_best


@part
def move_prototype(xi, mu, w, j, step, missing):
    """w^j += step (xi^mu - w^j)."""
    if missing:
        for k in range(w.shape[1]):
            difference = xi[mu, k] - w[j, k]
            if not np.isnan(difference):
                w[j, k] += step * difference
    else:
        for k in range(w.shape[1]):
            w[j, k] += step * (xi[mu, k] - w[j, k])
