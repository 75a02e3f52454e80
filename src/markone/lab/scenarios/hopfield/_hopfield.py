"""Random patterns in a Hopfield network: one set per repeat, recalled from near its first pattern.

Bits are drawn neuron by neuron, 64 at a time, from the stream DATA; the errors of the start and the random
numbers of the dynamics come from TRAINING. Couplings are w_ij in columns[j, i], one row per neuron, w_ii = 0.
"""

import math

import numpy as np

from markone.hopfield._dynamics import CYCLE, FIXED, GLAUBER, OPEN, SHUFFLED, run_parallel, run_sequential
from markone.hopfield._fields import Matrix, Patterns, fill_overlaps
from markone.lab.scenarios.rule._optimal_weights import find_optimal_weights
from markone.numerics._random import DATA, TRAINING, draw_bits, draw_uniform, seed_stream
from markone.numerics.compiling import entry, part

ONE = np.uint64(1)
EPSILON = 2.0**-52


@entry
def draw_patterns(seed, repeat, state, xi):
    """Fill xi (N, P) with +-1, one row per neuron."""
    N, P = xi.shape
    seed_stream(state, seed, N, P, repeat, DATA)
    for i in range(N):
        bits = np.uint64(0)
        for mu in range(P):
            if mu % 64 == 0:
                bits = draw_bits(state)
            xi[i, mu] = 2 * np.int64(bits & ONE) - 1
            bits >>= ONE


@part
def start_near_pattern(xi, m0, state, S):
    """Set S to the first pattern, each neuron correct with probability (1 + m0)/2."""
    for i in range(S.shape[0]):
        S[i] = xi[i, 0] if draw_uniform(state) < 0.5 * (1.0 + m0) else -xi[i, 0]


@entry
def draw_start_state(seed, repeat, m0, state, xi, S):
    """Draw the patterns and a start near the first; the random `state` continues from there."""
    N, P = xi.shape
    draw_patterns(seed, repeat, state, xi)
    seed_stream(state, seed, N, P, repeat, TRAINING)
    start_near_pattern(xi, m0, state, S)


@entry
def copy_values(values, into):
    """into[:] = values. Compiling the array assignment would take seconds."""
    for i in range(into.shape[0]):
        into[i] = values[i]


@entry
def fill_cyclic_order(turn):
    for i in range(turn.shape[0]):
        turn[i] = i


@part
def pattern_overlap(xi, S):
    """m = (1/N) sum_i xi_i S_i with the first pattern."""
    total = 0
    for i in range(S.shape[0]):
        total += xi[i, 0] * S[i]
    return total / S.shape[0]


@entry
def first_steps(memory, xi, S, state, out):
    """m after one and two parallel steps at T = 0."""
    before = np.zeros(S.shape[0], np.int8)
    for k in range(2):
        run_parallel(memory, S, before, 0.0, state, 1)
        out[k] = pattern_overlap(xi, S)


@entry
def run_dynamics(memory, xi, S, T, at_once, sweeps, state, turn):
    """Run until rest, at most `sweeps`: (done, status, m). At T > 0 m is the mean of the second half."""
    N = S.shape[0]
    before = np.zeros(N, np.int8)
    if T == 0.0:
        if at_once:
            done, status = run_parallel(memory, S, before, T, state, sweeps)
        else:
            done, status = run_sequential(memory, S, T, GLAUBER, SHUFFLED, turn, state, sweeps, None)
        return done, status, pattern_overlap(xi, S)
    total = 0.0
    for sweep in range(sweeps):
        if at_once:
            run_parallel(memory, S, before, T, state, 1)
        else:
            run_sequential(memory, S, T, GLAUBER, SHUFFLED, turn, state, 1, None)
        if sweep >= sweeps // 2:
            total += pattern_overlap(xi, S)
    return sweeps, OPEN, total / (sweeps - sweeps // 2)


@part
def write_measures(out, done, status, m, energy):
    out[2], out[3], out[4] = m, energy, done
    out[5] = 1.0 if status == FIXED else 0.0
    out[6] = 1.0 if status == CYCLE else 0.0


@entry
def recall_hebb_block(seed, start, xi, M, m0, T, at_once, sweeps, out):
    """Fill rows of `out` with m1, m2, m, H/N, sweeps, fixed, cycle."""
    N, P = xi.shape
    S, state, turn = np.empty(N, np.int8), np.empty(1, np.uint64), np.empty(N, np.int64)
    for k in range(out.shape[0]):
        draw_start_state(seed, start + k, m0, state, xi, S)
        memory, first = Patterns(xi, M, P, 1.0 / N, 0.0), S.copy()
        fill_overlaps(xi, S, M)
        first_steps(memory, xi, S, state, out[k])
        copy_values(first, S)
        fill_overlaps(xi, S, M)
        fill_cyclic_order(turn)
        done, status, m = run_dynamics(memory, xi, S, T, at_once, sweeps, state, turn)
        squares = 0.0
        for mu in range(P):
            squares += float(M[mu]) ** 2
        write_measures(out[k], done, status, m, 0.5 * (P - squares / N) / N)


@entry
def update_fields(columns, S, h):
    """h_i = sum_j w_ij S_j"""
    copy_values(S.astype(np.float64) @ columns, h)


@entry
def tie_threshold(columns):
    """Largest rounding error of a field: smaller fields count as zero."""
    total = np.zeros(columns.shape[1])
    for j in range(columns.shape[0]):
        for i in range(columns.shape[1]):
            total[i] += abs(columns[j, i])
    largest = 0.0
    for i in range(total.shape[0]):
        largest = max(largest, total[i])
    return EPSILON * largest


@part
def is_fixed_point(memory, S):
    fixed = True
    for i in range(S.shape[0]):
        fixed = fixed and (memory.h[i] >= -memory.tie) == (S[i] > 0)
    return fixed


@entry
def recall_pattern(xi, columns, S, T, at_once, sweeps, state, out):
    """One repeat of `hebb` with arbitrary couplings, given by columns, w_ii = 0."""
    N = S.shape[0]
    h, turn, first = np.empty(N), np.empty(N, np.int64), S.copy()
    memory = Matrix(columns, h, tie_threshold(columns))
    update_fields(columns, S, h)
    first_steps(memory, xi, S, state, out)
    copy_values(first, S)
    fill_cyclic_order(turn)
    done, status, resting, m = 0, OPEN, False, 0.0
    # Fields updated through many flips accumulate rounding errors: a fixed point is checked with fresh ones.
    while not resting and done < sweeps:
        update_fields(columns, S, h)
        some, status, m = run_dynamics(memory, xi, S, T, at_once, sweeps - done, state, turn)
        done += some
        update_fields(columns, S, h)
        resting = status == CYCLE or (status == FIXED and is_fixed_point(memory, S))
    write_measures(out, done, status if resting else OPEN, m, -0.5 * (S.astype(np.float64) @ h) / N)


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
