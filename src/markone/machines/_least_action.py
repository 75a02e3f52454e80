"""Least action: if the output is wrong, update as few units as possible, those with the smallest fields.

(Mitchison and Durbin 1989.) Each of them learns the example by Rosenblatt's step xi/n (3.15), n being the
number of inputs it sees. For one unit this is Rosenblatt's algorithm.
"""

import numpy as np

from markone.base._recording import record_step
from markone.machines._units import (
    COMMITTEE,
    PARITY,
    copy_weights,
    count_machine_errors,
    example_strength,
    machine_output,
    nearest_unit,
    unit_fields,
)
from markone.numerics._random import pick_example
from markone.numerics.compiling import entry, piece


@piece
def assign_committee_steps(h, S, c, step):
    """A majority must have S h > c: of the other units the nearest to it learn S, as many as are missing."""
    K = h.shape[0]
    missing = K // 2 + 1
    for k in range(K):
        missing -= S * h[k] > c
        step[k] = 0.0
    for _ in range(missing):
        best = -1
        for k in range(K):
            if step[k] == 0.0 and S * h[k] <= c and (best < 0 or S * h[k] > S * h[best]):
                best = k
        step[best] = S
    return missing > 0


@piece
def assign_parity_steps(h, S, c, step):
    """The unit with the smallest |h| learns: the other sign if the product is wrong, its own if |h| <= c."""
    for i in range(h.shape[0]):
        step[i] = 0.0
    k = nearest_unit(h)
    right = machine_output(PARITY, h) == S
    if right and abs(h[k]) > c:
        return False
    sigma = 1.0 if h[k] >= 0.0 else -1.0
    step[k] = sigma if right else -sigma
    return True


@piece
def assign_steps(kind, h, S, c, step):
    """Fill the step of each unit (+1, -1 or 0); return whether any unit learns."""
    if kind == COMMITTEE:
        return assign_committee_steps(h, S, c, step)
    return assign_parity_steps(h, S, c, step)


@piece
def apply_steps(xi, mu, begin, end, W, step):
    """w^k += step_k xi^mu/n"""
    for k in range(W.shape[0]):
        if step[k] != 0.0:
            a = begin[k]
            width = end[k] - a
            rate = step[k] / width
            for j in range(width):
                W[k, j] += rate * xi[mu, a + j]


@entry
def least_action(xi, S, begin, end, W, kind, c, epochs, order, turn, state, pocket, best_W, best, log=None):
    """Run sweeps until one needs no update; `pocket` keeps the weights with the fewest errors (4.2).

    Returns (sweeps, updates, errors in the pocket, whether a sweep passed without an update). In the log
    `change` is the number of units that learned.
    """
    P, K = xi.shape[0], W.shape[0]
    h, step = np.empty(K), np.empty(K)
    if log is not None:
        buffer, flat = np.empty(K), W.reshape(W.size)
    updates = 0
    for epoch in range(epochs):
        mistakes = 0
        for i in range(P):
            mu = pick_example(order, i, turn, state)
            unit_fields(xi, mu, begin, end, W, h)
            if log is not None:
                before = example_strength(kind, S[mu], h, buffer)
            if assign_steps(kind, h, S[mu], c, step):
                apply_steps(xi, mu, begin, end, W, step)
                mistakes += 1
            if log is not None:
                unit_fields(xi, mu, begin, end, W, h)
                after = example_strength(kind, S[mu], h, buffer)
                record_step(log, mu, before, after, np.abs(step).sum(), flat, flat)
        updates += mistakes
        if mistakes == 0:
            copy_weights(W, best_W)
            return epoch + 1, updates, 0, True
        if pocket:
            errors = count_machine_errors(xi, S, begin, end, W, kind)
            if errors < best:
                best = errors
                copy_weights(W, best_W)
    return epochs, updates, best, False
