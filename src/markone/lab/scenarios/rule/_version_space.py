"""Sampling of version space for blocks of data sets: Gibbs students, their centre of mass, the volume.

The chains start at the teacher, which is itself a random point of version space, so that they start in
equilibrium; BURN_IN turns decorrelate them from it. Two chains, each with its own stream.
"""

import math

import numpy as np

from markone.lab.scenarios.rule._examples import TEACHER, draw_signed_examples
from markone.numerics._random import draw_normal, seed_stream
from markone.numerics._vectors import dot_product, sum_values
from markone.numerics.compiling import entry, part
from markone.perceptron.version_space._trajectory import QUARTER, Walls, draw_students_part

BURN_IN, FIRST, NEXT, MOST_HITS = 10, 20, 5, 1000
# Identifiers of streams, besides DATA and TRAINING.
CHAIN, LEVELS = 3, 5
MEASURES = 5


@part
def gram_matrix(Z, lengths):
    """Return the Gram matrix of the rows and fill their lengths."""
    G = Z @ Z.T
    for mu in range(Z.shape[0]):
        lengths[mu] = math.sqrt(G[mu, mu])
    return G


@part
def sample_chain(Z, one, G, lengths, wall, settle, most, w, state, some, wrong):
    """`settle` turns of burn-in, then one per row of `some`; one call site, since `walking` is inlined."""
    for stage in range(2):
        turns, rows = (settle, 1) if stage == 0 else (1, some.shape[0])
        walls = Walls(Z, one, G, lengths, wall)
        draw_students_part(walls, QUARTER, turns, most, w, state, some[:rows], wrong[:rows])


@part
def teacher_overlaps(out, centre):
    """(mean R, mean epsilon_g) of the unit vectors in `out`; their mean is written to `centre`."""
    m, N = out.shape
    R, angle = 0.0, 0.0
    for k in range(m):
        one = min(max(sum_values(out[k]) / math.sqrt(N), -1.0), 1.0)
        R += one / m
        angle += math.acos(one) / (m * math.pi)
    for j in range(N):
        centre[j] = sum_values(out[:, j]) / m
    return R, angle


@entry
def sample_students_block(seed, start, stop, P, N, noise, wall, students):
    """One row per repeat: Gibbs R and epsilon_g, q, Bayes R and epsilon_g (see `version_space`)."""
    out = np.empty((stop - start, MEASURES))
    m, most = (students + 1) // 2, MOST_HITS * (P + 10)
    Z, one, lengths, state = np.empty((P, N)), np.ones(P), np.empty(P), np.empty(1, np.uint64)
    some, wrong, centres = np.empty((m, N)), np.empty(m), np.empty((2, N))
    for k in range(stop - start):
        draw_signed_examples(seed, N, P, start + k, TEACHER, noise, Z)
        G = gram_matrix(Z, lengths)
        R, angle = 0.0, 0.0
        for half in range(2):
            seed_stream(state, seed, N, P, start + k, CHAIN + half)
            w = np.ones(N)
            sample_chain(Z, one, G, lengths, wall, BURN_IN, most, w, state, some, wrong)
            R_half, angle_half = teacher_overlaps(some, centres[half])
            R, angle = R + 0.5 * R_half, angle + 0.5 * angle_half
        q = dot_product(centres[0], centres[1])
        bayes = min(max(R / math.sqrt(q), -1.0), 1.0) if q > 0.0 else math.nan
        out[k, 0], out[k, 1], out[k, 2] = R, angle, q
        out[k, 3], out[k, 4] = bayes, math.acos(bayes) / math.pi
    return out


@entry
def log_volumes_block(seed, start, stop, P, N, noise, s, weight, turns):
    """ln Z(s_low) = -sum weight <wrong>/s, one number per repeat: see perceptron/version_space/space.py."""
    out = np.zeros(stop - start)
    most = MOST_HITS * (P + 10)
    Z, one, lengths, state = np.empty((P, N)), np.ones(P), np.empty(P), np.empty(1, np.uint64)
    some, wrong, w = np.empty((turns, N)), np.empty(turns), np.empty(N)
    for k in range(stop - start):
        draw_signed_examples(seed, N, P, start + k, TEACHER, noise, Z)
        G = gram_matrix(Z, lengths)
        seed_stream(state, seed, N, P, start + k, LEVELS)
        for j in range(N):
            w[j] = draw_normal(state)
        for i in range(s.shape[0]):
            wall = -math.log(s[i])
            settle = NEXT if i > 0 else FIRST
            sample_chain(Z, one, G, lengths, wall, settle, most, w, state, some, wrong)
            out[k] -= weight[i] * sum_values(wrong) / (turns * s[i])
    return out
