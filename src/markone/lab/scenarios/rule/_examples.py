"""One data set of a named random stream: the same for every scenario and every student.

Gaussian inputs row by row, then one uniform number per example, which flips the teacher's label or
gives a random label. Perceptrons without threshold need only the rows Z^mu = S^mu xi^mu.
"""

import numpy as np

from markone.numerics._random import DATA, draw_normal, draw_uniform, seed_stream
from markone.numerics._vectors import sum_values
from markone.numerics.compiling import entry, part

RANDOM, TEACHER = 0, 1


@part
def draw_gaussian_inputs(seed, N, P, repeat, xi, state):
    """Fill xi (P, N); the state then continues with the labels."""
    seed_stream(state, seed, N, P, repeat, DATA)
    for mu in range(P):
        for j in range(N):
            xi[mu, j] = draw_normal(state)


@part
def draw_label(row, labels, noise, state):
    """Label of one input. The teacher is w* = (1, .., 1), as in the stability report."""
    u = draw_uniform(state)
    if labels == TEACHER:
        S = 1.0 if sum_values(row) >= 0.0 else -1.0
        return -S if u < noise else S
    return 1.0 if u >= 0.5 else -1.0


@entry
def draw_signed_examples(seed, N, P, repeat, labels, noise, Z):
    """Fill Z (P, N) with S^mu xi^mu."""
    state = np.empty(1, np.uint64)
    draw_gaussian_inputs(seed, N, P, repeat, Z, state)
    for mu in range(P):
        if draw_label(Z[mu], labels, noise, state) < 0.0:
            for j in range(N):
                Z[mu, j] = -Z[mu, j]


@entry
def draw_labelled_examples(seed, N, P, repeat, labels, noise, xi, S):
    """The same data as inputs (P, N) and labels (P,), for students that need both."""
    state = np.empty(1, np.uint64)
    draw_gaussian_inputs(seed, N, P, repeat, xi, state)
    for mu in range(P):
        S[mu] = draw_label(xi[mu], labels, noise, state)
