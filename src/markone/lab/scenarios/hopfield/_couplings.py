"""Couplings of random patterns xi (N, P), one row per neuron: w_ij in columns[j, i], w_ii = 0.

`state` is the state of the random numbers for the order of the ascent.
"""

import math

import numpy as np

from markone.lab.scenarios.rule._optimal_weights import find_optimal_weights
from markone.numerics.compiling import entry

# Neurons of optimal stability: relative gap at which the ascent stops, and its largest number of sweeps.
TOL, ASCENT = 1e-6, 1000


@entry
def projection_couplings(xi, state, columns):
    """Projection on the span of the patterns, without its diagonal: Gram-Schmidt, each row twice."""
    N, P = xi.shape
    basis, rank = np.empty((P, N)), 0
    for mu in range(P):
        u = xi[:, mu].astype(np.float64)
        for _ in range(2):
            for k in range(rank):
                u -= (basis[k] @ u) * basis[k]
        length = math.sqrt(u @ u)
        # Rounding leaves about 1e-14 sqrt(N) of a pattern in the span of the others.
        if length > 1e-9 * math.sqrt(N):
            basis[rank] = u / length
            rank += 1
    Q = basis[:rank].T @ basis[:rank]
    for i in range(N):
        for j in range(N):
            columns[i, j] = Q[i, j] if i != j else 0.0


@entry
def optimal_couplings(xi, state, columns):
    """Train each neuron as a perceptron of optimal stability on the other neurons, |w_i| = 1."""
    N, P = xi.shape
    Z, x, w = np.empty((P, N)), np.empty(P), np.empty(N)
    for i in range(N):
        for mu in range(P):
            for j in range(N):
                Z[mu, j] = xi[i, mu] * xi[j, mu]
            Z[mu, i] = 0.0
        find_optimal_weights(Z, math.inf, TOL, ASCENT, state, x, w)
        length = math.sqrt(w @ w)
        for j in range(N):
            columns[j, i] = w[j] / length
