"""MinOver and the pocket with a log: see `markone.perceptron.students._minover` and `_pocket`."""

import math

import numpy as np

from markone.numerics._random import draw_below
from markone.numerics._recording import record_step
from markone.numerics._rows import add_example, dot_example, n_columns, n_rows
from markone.numerics.compiling import entry
from markone.perceptron.students._minover import (
    WEIGHT_CHANGE,
    add_row_and_find_weakest,
    diagonal_element,
    stop_rule_met,
)
from markone.perceptron.students._pocket import count_wrong_examples, is_wrong


@entry
def minover_recorded(log, C, N, x, E, Q, best_x, best, c, rule, tol, steps):
    P = x.shape[0]
    old_E, old_Q = E.copy(), Q
    mu = np.argmin(E)
    weakest = E[mu]
    for t in range(steps):
        if weakest > c:
            return t, Q, best, True
        learned, before = mu, weakest
        x[mu] += 1.0
        change = diagonal_element(C, mu) / N
        Q += 2.0 * weakest / N + change
        weakest, mu = add_row_and_find_weakest(C, E, mu)
        record_step(log, learned, before, E[learned], 1.0, x, x)
        if rule == WEIGHT_CHANGE and change < tol * tol * Q:
            return t + 1, Q, best, True
        if (t + 1) % P == 0:
            if Q > 0.0 and weakest > best * math.sqrt(Q):
                best = weakest / math.sqrt(Q)
                best_x[:] = x
            if rule > WEIGHT_CHANGE and stop_rule_met(rule, tol, E, x, Q, N, old_E, old_Q, weakest):
                return t + 1, Q, best, True
            old_E[:] = E
            old_Q = Q
    return steps, Q, best, False


@entry
def pocket_exact_recorded(log, C, S, x, E, tiny, best_x, best, presentations, state):
    """Snapshots: the current strengths, and those in the pocket."""
    P = x.shape[0]
    updates = 0
    for t in range(presentations):
        mu = draw_below(state, P)
        before = E[mu]
        if before > tiny:
            record_step(log, mu, before, before, 0.0, x, best_x)
            continue
        x[mu] += 1.0
        updates += 1
        errors = 0
        for nu in range(P):
            E[nu] += C[mu, nu]
            errors += is_wrong(E[nu], S[nu], tiny)
        if errors < best:
            best = errors
            best_x[:] = x
        record_step(log, mu, before, E[mu], 1.0, x, best_x)
        if best == 0:
            return best, updates, t + 1
    return best, updates, presentations


@entry
def pocket_ratchet_recorded(log, xi, S, w, x, best_w, best_x, best, runs, presentations, state):
    """Snapshots: the current weights, and those in the pocket."""
    P, N = n_rows(xi), n_columns(xi)
    updates = 0
    for _ in range(presentations):
        mu = draw_below(state, P)
        E = S[mu] * dot_example(xi, mu, w)
        if E > 0.0:
            runs[0] += 1
            record_step(log, mu, E, E, 0.0, w, best_w)
            continue
        if runs[0] > runs[1]:
            errors = count_wrong_examples(xi, S, w, best)
            if errors < best:
                best = errors
                best_w[:] = w
                best_x[:] = x
                runs[1] = runs[0]
        runs[0] = 0
        x[mu] += 1.0
        add_example(xi, mu, S[mu] / N, w)
        updates += 1
        record_step(log, mu, E, S[mu] * dot_example(xi, mu, w), 1.0, w, best_w)
    return best, updates, presentations
