"""Random labels, one set at a time: Rosenblatt in float64, and separability."""

import math

import numpy as np

from markone.lab.scenarios.storage._inputs import UNITS, draw_set
from markone.numerics._vectors import dot_product
from markone.numerics.compiling import entry, part
from markone.perceptron.separable._balance import proves_balance, proves_separation
from markone.perceptron.separable._decide import NOT_SEPARABLE, SEPARABLE, SHARP, decide_scaled
from markone.perceptron.separable._descent import gradient_steps


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
def learn_in_float64(seed, repeat, P, N, sweeps):
    """Draw a set and learn it."""
    state, Z = np.empty(1, np.uint64), np.empty((P, N), np.int32)
    draw_set(seed, repeat, state, Z)
    return learn_set(Z, np.empty(N), sweeps)


@entry
def draw_float_set(seed, repeat, state, Z, Y):
    """Fill the rows S xi of one set: Z in units of 2^-20, Y as floats."""
    draw_set(seed, repeat, state, Z)
    for mu in range(Z.shape[0]):
        for j in range(Z.shape[1]):
            Y[mu, j] = Z[mu, j] / UNITS


@part
def scale_to_length_two(Y):
    """Multiply all rows by one power of two, which is exact, so that none is longer than 2."""
    longest = 1e-300
    for mu in range(Y.shape[0]):
        longest = max(longest, dot_product(Y[mu], Y[mu]))
    factor = math.ldexp(1.0, -math.frexp(math.sqrt(longest))[1])
    for mu in range(Y.shape[0]):
        for j in range(Y.shape[1]):
            Y[mu, j] *= factor


@entry
def separate_sets(seed, numbers, P, N, separable):
    """Fill `separable` for the sets with these numbers: 1 or 0, proven, or NaN."""
    state, Z = np.empty(1, np.uint64), np.empty((P, N), np.int32)
    Y, w, x, E = np.empty((P, N)), np.empty(N), np.empty(P), np.empty(P)
    examples, inputs = np.empty((2, P)), np.empty((3, N))
    # Of few inputs a Newton step is as fast as one of conjugate gradients.
    steps = gradient_steps(N) if N >= 10 else 0
    for k in range(separable.shape[0]):
        draw_float_set(seed, numbers[k], state, Z, Y)
        scale_to_length_two(Y)
        status, _ = decide_scaled(Y, w, E, x, steps, SHARP, 500, examples, inputs)
        separable[k] = math.nan
        if status == SEPARABLE and proves_separation(Y, w):
            separable[k] = 1.0
        elif status == NOT_SEPARABLE and proves_balance(Y, x):
            separable[k] = 0.0
