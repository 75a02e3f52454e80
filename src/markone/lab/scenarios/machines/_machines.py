"""Tree machines that learn random labels or a teacher of the same type, one block of repeats per call."""

import math

import numpy as np

from markone.machines._least_action import least_action
from markone.machines._units import machine_output, unit_fields
from markone.numerics._random import CYCLIC, DATA, TRAINING, draw_normal, draw_uniform, seed_stream
from markone.numerics.compiling import entry

RANDOM, TEACHER = 0, 1
MEASURES = 4


@entry
def draw_machine_examples(seed, repeat, kind, labels, begin, end, W_star, xi, S):
    """Draw Gaussian inputs row by row, then a uniform number per example, as in `_examples`. xi and S are
    kept separate, since a parity machine with an even number of units ignores the sign of xi."""
    P, N = xi.shape
    state, h = np.empty(1, np.uint64), np.empty(W_star.shape[0])
    seed_stream(state, seed, N, P, repeat, DATA)
    for mu in range(P):
        for j in range(N):
            xi[mu, j] = draw_normal(state)
    for mu in range(P):
        u = draw_uniform(state)
        if labels == TEACHER:
            unit_fields(xi, mu, begin, end, W_star, h)
            S[mu] = machine_output(kind, h)
        else:
            S[mu] = 1.0 if u >= 0.5 else -1.0


@entry
def draw_start_weights(state, W):
    """Draw Gaussian weights, |w| about 1: the fields are of the order of one step."""
    for k in range(W.shape[0]):
        for j in range(W.shape[1]):
            W[k, j] = draw_normal(state) / math.sqrt(W.shape[1])


@entry
def learn_machine_block(seed, start, stop, P, K, n, kind, labels, sweeps, restarts):
    """Per repeat: (learned, sweeps, updates, errors) and the overlaps of the branches with (1, .., 1).

    Cyclic presentation. Starts are drawn from the stream TRAINING; a new one only after all sweeps of the
    previous one.
    """
    out, R = np.empty((stop - start, MEASURES)), np.empty((stop - start, K))
    xi, S, turn = np.empty((P, K * n)), np.empty(P), np.arange(P)
    begin, W, best_W = n * np.arange(K), np.empty((K, n)), np.empty((K, n))
    end, W_star, state = begin + n, np.ones((K, n)), np.empty(1, np.uint64)
    for i in range(stop - start):
        draw_machine_examples(seed, start + i, kind, labels, begin, end, W_star, xi, S)
        seed_stream(state, seed, K * n, P, start + i, TRAINING)
        learned, used, updates, best = False, 0, 0, P
        for _ in range(restarts):
            draw_start_weights(state, W)
            more, M, best, learned = least_action(
                xi, S, begin, end, W, kind, 0.0, sweeps, CYCLIC, turn, state, True, best_W, best
            )
            used += more
            updates += M
            if learned:
                break
        # The last sweep, without errors, only confirms the solution.
        out[i, 0], out[i, 1] = 1.0 if learned else 0.0, used - 1 if learned else used
        out[i, 2], out[i, 3] = updates, best
        for k in range(K):
            total, square = 0.0, 0.0
            for j in range(n):
                total += best_W[k, j]
                square += best_W[k, j] ** 2
            R[i, k] = total / math.sqrt(n * square)
    return out, R
