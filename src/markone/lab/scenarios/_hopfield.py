"""Random patterns in a Hopfield network: one set a repeat, recalled from near its first pattern.

Bits are drawn neuron by neuron, 64 at a time, from the stream DATA; the places where the start is wrong, and
what the dynamics draws, come from TRAINING.
"""

import math

import numpy as np

from markone.hopfield._dynamics import CYCLE, FIXED, GLAUBER, OPEN, SHUFFLED, parallel, sequential
from markone.hopfield._fields import Matrix, Patterns, add_up
from markone.lab.scenarios._optimum import optimum
from markone.numerics._random import draw, uniform
from markone.numerics._streams import DATA, TRAINING, key
from markone.numerics.compiling import entry, part

ONE = np.uint64(1)
EPSILON = 2.0**-52
# Neurons of optimal stability: the relative gap at which the ascent stops, and its patience.
TOL, ASCENT = 1e-6, 1000


@entry
def draw_patterns(seed, repeat, state, xi):
    """xi (N, P) of +-1, a row per neuron."""
    N, P = xi.shape
    key(state, seed, N, P, repeat, DATA)
    for i in range(N):
        bits = np.uint64(0)
        for mu in range(P):
            if mu % 64 == 0:
                bits = draw(state)
            xi[i, mu] = 2 * np.int64(bits & ONE) - 1
            bits >>= ONE


@part
def start_near(xi, m0, state, S):
    """The first pattern, each neuron right with probability (1 + m0)/2."""
    for i in range(S.shape[0]):
        S[i] = xi[i, 0] if uniform(state) < 0.5 * (1.0 + m0) else -xi[i, 0]


@part
def agreement(xi, S):
    """m = (1/N) sum_i xi_i S_i with the first pattern."""
    total = 0
    for i in range(S.shape[0]):
        total += xi[i, 0] * S[i]
    return total / S.shape[0]


@part
def first_steps(memory, xi, S, state, out):
    """m after one and two parallel steps at T = 0."""
    before = np.zeros(S.shape[0], np.int8)
    for k in range(2):
        parallel(memory, S, before, 0.0, state, 1)
        out[k] = agreement(xi, S)


@part
def run_on(memory, xi, S, T, at_once, sweeps, state, turn):
    """Sweeps or parallel steps until rest: (done, status, m). At T > 0 m is the mean of the second half."""
    N = S.shape[0]
    before = np.zeros(N, np.int8)
    if T == 0.0:
        if at_once:
            done, status = parallel(memory, S, before, T, state, sweeps)
        else:
            done, status = sequential(memory, S, T, GLAUBER, SHUFFLED, turn, state, sweeps)
        return done, status, agreement(xi, S)
    total = 0.0
    for sweep in range(sweeps):
        if at_once:
            parallel(memory, S, before, T, state, 1)
        else:
            sequential(memory, S, T, GLAUBER, SHUFFLED, turn, state, 1)
        if sweep >= sweeps // 2:
            total += agreement(xi, S)
    return sweeps, OPEN, total / (sweeps - sweeps // 2)


@part
def fill(out, done, status, m, energy):
    out[2], out[3], out[4] = m, energy, done
    out[5] = 1.0 if status == FIXED else 0.0
    out[6] = 1.0 if status == CYCLE else 0.0


@entry
def hebb(seed, start, xi, M, m0, T, at_once, sweeps, out):
    """m1, m2, m, H/N, sweeps, fixed, cycle."""
    N, P = xi.shape
    S, state, turn = np.empty(N, np.int8), np.empty(1, np.uint64), np.empty(N, np.int64)
    for k in range(out.shape[0]):
        draw_patterns(seed, start + k, state, xi)
        memory = Patterns(xi, M, P, 1.0 / N, 0.0)
        key(state, seed, N, P, start + k, TRAINING)
        start_near(xi, m0, state, S)
        first = S.copy()
        add_up(xi, S, M)
        first_steps(memory, xi, S, state, out[k])
        S[:] = first
        add_up(xi, S, M)
        turn[:] = np.arange(N)
        done, status, m = run_on(memory, xi, S, T, at_once, sweeps, state, turn)
        squares = 0.0
        for mu in range(P):
            squares += float(M[mu]) ** 2
        fill(out[k], done, status, m, 0.5 * (P - squares / N) / N)


@part
def project(xi, basis, columns):
    """The projection on the span of the patterns, without its diagonal: Gram and Schmidt, each row twice."""
    N, P = xi.shape
    rank = 0
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
    columns[:] = basis[:rank].T @ basis[:rank]
    for i in range(N):
        columns[i, i] = 0.0


@part
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
        columns[:, i] = w / math.sqrt(w @ w)


@part
def refresh(columns, S, h):
    h[:] = S.astype(np.float64) @ columns


@part
def at_rest(memory, S):
    quiet = True
    for i in range(S.shape[0]):
        quiet = quiet and (memory.h[i] >= -memory.tie) == (S[i] > 0)
    return quiet


@entry
def matrix(seed, start, P, N, optimal, m0, T, at_once, sweeps, out):
    """As `hebb`, with the couplings of the projection rule or of optimal stability."""
    xi, columns, h = np.empty((N, P), np.int8), np.empty((N, N)), np.empty(N)
    basis = np.empty((0 if optimal else P, N))
    S, state, turn = np.empty(N, np.int8), np.empty(1, np.uint64), np.empty(N, np.int64)
    for k in range(out.shape[0]):
        draw_patterns(seed, start + k, state, xi)
        key(state, seed, N, P, start + k, TRAINING)
        start_near(xi, m0, state, S)
        first = S.copy()
        if optimal:
            stabilise(xi, state, columns)
        else:
            project(xi, basis, columns)
        memory = Matrix(columns, h, EPSILON * np.abs(columns).sum(axis=0).max())
        refresh(columns, S, h)
        first_steps(memory, xi, S, state, out[k])
        S[:] = first
        turn[:] = np.arange(N)
        done, status, resting, m = 0, OPEN, False, 0.0
        # Fields that were kept through many flips have gathered rounding: rest is judged with fresh ones.
        while not resting and done < sweeps:
            refresh(columns, S, h)
            some, status, m = run_on(memory, xi, S, T, at_once, sweeps - done, state, turn)
            done += some
            refresh(columns, S, h)
            resting = status == CYCLE or (status == FIXED and at_rest(memory, S))
        fill(out[k], done, status if resting else OPEN, m, -0.5 * (S.astype(np.float64) @ h) / N)
