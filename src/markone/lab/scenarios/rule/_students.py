"""Students of a teacher, one block of repeats per call: data, noise, training and measures in one loop.

`how` = (max_sweeps, tol, gamma, ridge). Every `train` part fills w and returns (updates, whether its
stop rule was met). Each student has its own entry, so that only the requested one is compiled.
"""

import math

import numpy as np

from markone.lab.scenarios.rule._examples import TEACHER, add_input_noise, draw_signed_examples
from markone.lab.scenarios.rule._optimal_weights import find_optimal_weights
from markone.numerics._random import CYCLIC, TRAINING, seed_stream
from markone.numerics._vectors import dot_product, sum_values
from markone.numerics.compiling import entry, part
from markone.perceptron.base._loops import ExampleOrder, LoopSettings
from markone.perceptron.students._minover import GAP, WEIGHT_CHANGE, minover
from markone.perceptron.students._rosenblatt import rosenblatt_w

MEASURES = 6


@part
def measure_student(Z, w, out):
    """Fill `out` with epsilon_g, R, kappa, epsilon_t for the teacher (1, .., 1); w = 0 has R = 0."""
    P, N = Z.shape
    length = math.sqrt(dot_product(w, w))
    E = Z @ w
    R = min(max(sum_values(w) / (length * math.sqrt(N)), -1.0), 1.0) if length > 0.0 else 0.0
    wrong = 0
    for mu in range(P):
        wrong += E[mu] <= 0.0
    out[0], out[1] = math.acos(R) / math.pi, R
    out[2], out[3] = E.min() / length if length > 0.0 else 0.0, wrong / P


@part
def train_block(seed, start, stop, P, N, noise, input_noise, how, train):
    """One row of MEASURES per repeat; the last two are updates and stopped."""
    out = np.empty((stop - start, MEASURES))
    Z, w, state = np.empty((P, N)), np.empty(N), np.empty(1, np.uint64)
    for k in range(stop - start):
        draw_signed_examples(seed, N, P, start + k, TEACHER, noise, Z)
        add_input_noise(seed, N, P, start + k, input_noise, Z)
        seed_stream(state, seed, N, P, start + k, TRAINING)
        w[:] = 0.0
        updates, stopped = train(Z, w, how, state)
        measure_student(Z, w, out[k])
        out[k, 4], out[k, 5] = updates, 1.0 if stopped else 0.0
    return out


@part
def learn_hebb(Z, w, how, state):
    """w = (1/N) sum xi S   (3.10)"""
    w[:] = (np.ones(Z.shape[0]) @ Z) / Z.shape[1]
    return Z.shape[0], True


@part
def learn_rosenblatt(Z, w, how, state):
    """Rosenblatt (3.15), cyclic presentation, until all E > 0 or for max_sweeps sweeps."""
    P = Z.shape[0]
    one, x, gamma, turn = np.ones(P), np.zeros(P), np.full(P, math.inf), np.arange(P)
    settings, turns = LoopSettings(1.0, 0.0, gamma, 0.0), ExampleOrder(CYCLIC, turn, state)
    run = rosenblatt_w(Z, one, one, w, x, settings, how[0], turns)
    return run[1], run[2]


@part
def learn_minover(Z, w, rule, tol, steps):
    """MinOver (3.42). The report's stop rule returns the last student, the certified one the most stable."""
    P, N = Z.shape
    C = Z @ Z.T
    for mu in range(P):
        for nu in range(P):
            C[mu, nu] /= N
    x, E, best_x = np.zeros(P), np.zeros(P), np.zeros(P)
    updates, _, best, stopped = minover(C, N, x, E, 0.0, best_x, -math.inf, math.inf, rule, tol, steps)
    if rule == GAP and E.min() <= 0.0 and best > -math.inf:
        x = best_x
    w[:] = (x @ Z) / N
    return updates, stopped


@part
def learn_minover_report(Z, w, how, state):
    return learn_minover(Z, w, WEIGHT_CHANGE, how[1], how[0] * Z.shape[0])


@part
def learn_minover_optimal(Z, w, how, state):
    return learn_minover(Z, w, GAP, how[1], how[0] * Z.shape[0])


@part
def solve_regression(Z, w, ridge):
    """min (N ridge/2) w^2 + (1/2) sum (1 - E)^2; ridge = 0: the pseudo-inverse   (3.53-3.66)."""
    P, N = Z.shape
    if P <= N:
        # (C + ridge) x = 1
        A = Z @ Z.T / N
        for mu in range(P):
            A[mu, mu] += ridge
        w[:] = (np.linalg.solve(A, np.ones(P)) @ Z) / N
    else:
        A = Z.T @ Z / N
        for j in range(N):
            A[j, j] += ridge
        w[:] = np.linalg.solve(A, (np.ones(P) @ Z) / N)


@part
def learn_least_squares(Z, w, how, state):
    solve_regression(Z, w, how[3])
    return 1, True


@part
def learn_optimum(Z, w, how, state):
    """AdaTron: gamma = infinity is optimal stability, else errors are allowed   (3.76), (4.6)."""
    x = np.zeros(Z.shape[0])
    sweeps, met = find_optimal_weights(Z, how[2], how[1], how[0], state, x, w)
    return sweeps * Z.shape[0], met


@entry
def train_hebb_block(seed, start, stop, P, N, noise, input_noise, how):
    return train_block(seed, start, stop, P, N, noise, input_noise, how, learn_hebb)


@entry
def train_rosenblatt_block(seed, start, stop, P, N, noise, input_noise, how):
    return train_block(seed, start, stop, P, N, noise, input_noise, how, learn_rosenblatt)


@entry
def train_minover_report_block(seed, start, stop, P, N, noise, input_noise, how):
    return train_block(seed, start, stop, P, N, noise, input_noise, how, learn_minover_report)


@entry
def train_minover_optimal_block(seed, start, stop, P, N, noise, input_noise, how):
    return train_block(seed, start, stop, P, N, noise, input_noise, how, learn_minover_optimal)


@entry
def train_adaline_block(seed, start, stop, P, N, noise, input_noise, how):
    return train_block(seed, start, stop, P, N, noise, input_noise, how, learn_least_squares)


@entry
def train_adatron_block(seed, start, stop, P, N, noise, input_noise, how):
    return train_block(seed, start, stop, P, N, noise, input_noise, how, learn_optimum)
