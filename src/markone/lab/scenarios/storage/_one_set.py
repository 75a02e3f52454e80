"""Random labels, one set at a time: Rosenblatt in float64, and separability."""

import math

import numpy as np

from markone.lab.scenarios.storage._inputs import UNITS, draw_set
from markone.numerics.compiling import entry
from markone.perceptron.separable._balance import proves_balance, proves_separation
from markone.perceptron.separable._decide import NOT_SEPARABLE, SEPARABLE, decide_separable


@entry
def learn_set(Z, w, sweeps):
    """Rosenblatt from w = 0; return (converged, sweeps used, updates).

    In units of the inputs w is an integer and exact, and so is E while sum |w z| < 2^53. A sweep without a
    mistake proves that all E > 0: one more pass, without updates, tests that.
    """
    w[:] = 0.0
    M = 0
    for sweep in range(sweeps + 1):
        mistakes = 0
        for mu in range(Z.shape[0]):
            E = 0.0
            for j in range(Z.shape[1]):
                E += w[j] * Z[mu, j]
            if E <= 0.0:
                mistakes += 1
                if sweep == sweeps:
                    return 0.0, sweeps, M
                for j in range(Z.shape[1]):
                    w[j] += Z[mu, j]
        if mistakes == 0:
            return 1.0, sweep, M
        M += mistakes
    return 0.0, sweeps, M


@entry
def learn_one_by_one(seed, start, P, N, sweeps, converged, used, updates):
    """Learn sets start, start + 1, ...: as many as `converged` has elements."""
    state, Z, w = np.empty(1, np.uint64), np.empty((P, N), np.int32), np.empty(N)
    for k in range(converged.shape[0]):
        draw_set(seed, start + k, state, Z)
        converged[k], used[k], updates[k] = learn_set(Z, w, sweeps)


@entry
def draw_float_set(seed, repeat, state, Z, Y):
    """Fill the rows S xi of one set: Z in units of 2^-20, Y as floats."""
    draw_set(seed, repeat, state, Z)
    for mu in range(Z.shape[0]):
        for j in range(Z.shape[1]):
            Y[mu, j] = Z[mu, j] / UNITS


@entry
def separate_one_by_one(seed, numbers, P, N, separable):
    """Fill `separable` for the sets with these numbers: 1 or 0, proven, or NaN."""
    state, Z = np.empty(1, np.uint64), np.empty((P, N), np.int32)
    Y, w, x = np.empty((P, N)), np.empty(N), np.empty(P)
    for k in range(separable.shape[0]):
        draw_float_set(seed, numbers[k], state, Z, Y)
        status, _ = decide_separable(Y, w, x, 1e-9, 500)
        separable[k] = math.nan
        if status == SEPARABLE and proves_separation(Y, w):
            separable[k] = 1.0
        elif status == NOT_SEPARABLE and proves_balance(Y, x):
            separable[k] = 0.0
