"""One data set of a named random stream: the same for every scenario and every student.

Gaussian inputs row by row, then one uniform number per example, which flips the teacher's label or
gives a random label. Perceptrons without threshold need only the rows Z^mu = S^mu xi^mu. Students that are
functions of (xi, S, rng) have a teacher of random direction.
"""

import math

import numpy as np

from markone.numerics._random import DATA, draw_normal, draw_uniform, seed_stream
from markone.numerics._vectors import dot_product, sum_values
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


@entry
def add_input_noise(seed, N, P, repeat, input_noise, Z):
    """Add Gaussian noise of this standard deviation to the rows S^mu xi^mu, after the labels are given."""
    if input_noise > 0.0:
        state = np.empty(1, np.uint64)
        seed_stream(state, seed, N, P, repeat, INPUT_NOISE)
        for mu in range(P):
            for j in range(N):
                Z[mu, j] += input_noise * draw_normal(state)


DIRECTION, INPUT_NOISE = 3, 6  # streams of the teacher's direction and of the noise on the inputs


@entry
def draw_rotated_examples(seed, N, P, repeat, noise, xi, S, w_star):
    """Fill inputs (P, N), labels and the teacher w* of length 1: the data of the compiled students after the
    Householder reflection that moves the direction (1, .., 1) to a random one."""
    state, normal = np.empty(1, np.uint64), np.empty(N)
    draw_gaussian_inputs(seed, N, P, repeat, xi, state)
    for mu in range(P):
        S[mu] = draw_label(xi[mu], TEACHER, noise, state)
    seed_stream(state, seed, N, P, repeat, DIRECTION)
    for j in range(N):
        w_star[j] = draw_normal(state)
    length = math.sqrt(dot_product(w_star, w_star))
    for j in range(N):
        w_star[j] /= length
        normal[j] = w_star[j] - 1.0 / math.sqrt(N)
    square = dot_product(normal, normal)
    for mu in range(P):
        along = 2.0 * dot_product(xi[mu], normal) / square
        for j in range(N):
            xi[mu, j] -= along * normal[j]


@entry
def measure_weights(xi, S, w, w_star, out):
    """Fill `out` with epsilon_g, R, kappa, epsilon_t; w = 0 has R = 0. False if w is not finite."""
    P = xi.shape[0]
    length, wrong, least = math.sqrt(dot_product(w, w)), 0, math.inf
    for mu in range(P):
        E = S[mu] * dot_product(xi[mu], w)
        wrong += E <= 0.0
        least = min(least, E)
    R = min(max(dot_product(w, w_star) / length, -1.0), 1.0) if length > 0.0 else 0.0
    out[0], out[1] = math.acos(R) / math.pi, R
    out[2], out[3] = least / length if length > 0.0 else 0.0, wrong / P
    return math.isfinite(length)
