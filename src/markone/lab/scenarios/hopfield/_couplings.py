"""Couplings of random patterns xi (N, P), a row per neuron: w_ij in columns[j, i], w_ii = 0.

`state` belongs to the random numbers that an ascent may draw.
"""

import math

import numpy as np

from markone.lab.scenarios.rule._optimum import optimum
from markone.numerics.compiling import entry

# Neurons of optimal stability: the relative gap at which the ascent stops, and its patience.
TOL, ASCENT = 1e-6, 1000


@entry
def project(xi, state, columns):
    """The projection on the span of the patterns, without its diagonal: Gram and Schmidt, each row twice."""
    N, P = xi.shape
    basis, rank = np.empty((P, N)), 0
    for mu in range(P):
        u = xi[:, mu].astype(np.float64)
        for _ in range(2):
            for k in range(rank):
                u -= (basis[k] @ u) * basis[k]
        length = math.sqrt(u @ u)
        # Rounding leaves about 1e-14 of sqrt(N) of a pattern that the others span.
        if length > 1e-9 * math.sqrt(N):
            basis[rank] = u / length
            rank += 1
    Q = basis[:rank].T @ basis[:rank]
    for i in range(N):
        for j in range(N):
            columns[i, j] = Q[i, j] if i != j else 0.0


@entry
def stabilise(xi, state, columns):
    """Each neuron the perceptron of optimal stability of the others' states, |w_i| = 1."""
    N, P = xi.shape
    Z, x, w = np.empty((P, N)), np.empty(P), np.empty(N)
    for i in range(N):
        for mu in range(P):
            for j in range(N):
                Z[mu, j] = xi[i, mu] * xi[j, mu]
            Z[mu, i] = 0.0
        optimum(Z, math.inf, TOL, ASCENT, state, x, w)
        length = math.sqrt(w @ w)
        for j in range(N):
            columns[j, i] = w[j] / length
