"""Separability of data sets with a proof, their largest stability, and Rosenblatt's updates on them."""

import math

import numpy as np

from markone.lab.scenarios.rule._examples import add_input_noise, draw_signed_examples
from markone.lab.scenarios.rule._optimal_weights import find_optimal_weights
from markone.numerics._random import CYCLIC, TRAINING, seed_stream
from markone.numerics._rows import squared_norms
from markone.numerics._vectors import dot_product
from markone.numerics.compiling import entry
from markone.perceptron.base._loops import ExampleOrder, LoopSettings
from markone.perceptron.separable._balance import proves_balance, proves_separation
from markone.perceptron.separable._decide import NOT_SEPARABLE, SEPARABLE, decide_separable
from markone.perceptron.students._rosenblatt import rosenblatt_w

TOL, MAX_ITER = 1e-9, 200


@entry
def decide_separable_block(seed, start, stop, P, N, labels, noise, input_noise):
    """1 or 0 with a proof; NaN where none was found, to be decided in `separable.py`.

    The only entry that contains `decide`: each further one would take as long to compile.
    """
    out = np.empty(stop - start)
    Z, w, x = np.empty((P, N)), np.empty(N), np.empty(P)
    for k in range(stop - start):
        draw_signed_examples(seed, N, P, start + k, labels, noise, Z)
        add_input_noise(seed, N, P, start + k, input_noise, Z)
        status, _ = decide_separable(Z, w, x, TOL, MAX_ITER)
        out[k] = math.nan
        if status == SEPARABLE and proves_separation(Z, w):
            out[k] = 1.0
        elif status == NOT_SEPARABLE and proves_balance(Z, x):
            out[k] = 0.0
    return out


@entry
def optimal_stability_block(seed, start, stop, P, N, labels, noise, separable, tol, max_sweeps):
    """kappa, support vectors per N and whether the relative gap is at most tol.

    kappa is the maximum over |w| <= 1 of min E: 0 where the given `separable` is 0.
    """
    out = np.empty((stop - start, 3))
    Z, w, x, state = np.empty((P, N)), np.empty(N), np.empty(P), np.empty(1, np.uint64)
    for k in range(stop - start):
        if separable[k] == 0.0:
            out[k, 0], out[k, 1], out[k, 2] = 0.0, math.nan, 1.0
            continue
        draw_signed_examples(seed, N, P, start + k, labels, noise, Z)
        seed_stream(state, seed, N, P, start + k, TRAINING)
        _, met = find_optimal_weights(Z, math.inf, tol, max_sweeps, state, x, w)
        out[k, 0] = max((Z @ w).min() / math.sqrt(dot_product(w, w)), 0.0)
        out[k, 1] = np.sum(x > 0.0) / N
        out[k, 2] = 1.0 if met else 0.0
    return out


@entry
def rosenblatt_updates_block(seed, start, stop, P, N, labels, noise, c, max_sweeps):
    """Updates, sweeps, converged, and Gamma = max |xi|^2/N of the data."""
    out = np.empty((stop - start, 4))
    Z, state = np.empty((P, N)), np.empty(1, np.uint64)
    one, gamma, turn = np.ones(P), np.full(P, math.inf), np.arange(P)
    for k in range(stop - start):
        draw_signed_examples(seed, N, P, start + k, labels, noise, Z)
        seed_stream(state, seed, N, P, start + k, TRAINING)
        settings, turns = LoopSettings(1.0, c, gamma, 0.0), ExampleOrder(CYCLIC, turn, state)
        sweeps, updates, converged = rosenblatt_w(
            Z, one, one, np.zeros(N), np.zeros(P), settings, max_sweeps, turns
        )
        out[k, 0], out[k, 1], out[k, 2] = updates, sweeps, 1.0 if converged else 0.0
        out[k, 3] = squared_norms(Z).max() / N
    return out
