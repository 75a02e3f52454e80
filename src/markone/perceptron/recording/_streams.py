"""LMS, the perceptron rule and on-line learning with a log: see `_lms.learn` and `_online.learn`."""

import math

from markone.numerics._random import pick_example
from markone.numerics._recording import record_step
from markone.numerics._rows import add_example, dot_example, n_columns, n_rows, squared_norm
from markone.numerics._vectors import dot_product
from markone.numerics.compiling import entry
from markone.perceptron.online._lms import learning_rate
from markone.perceptron.online._online import ADATRON, modulation_strength


@entry
def learn_delta_rule_recorded(
    log, xi, S, w, hard, schedule, eta0, tau, per_epoch, n, epochs, order, turn, state
):
    """The logged `change` is N times the change of w along S xi, comparable to an embedding strength."""
    P, N = n_rows(xi), n_columns(xi)
    updates, last = 0, 0
    for _ in range(epochs):
        last = 0
        for i in range(P):
            mu = pick_example(order, i, turn, state)
            potential = dot_example(xi, mu, w)
            y = potential
            if hard:
                y = 1.0 if y >= 0.0 else -1.0
            error = S[mu] - y
            now = learning_rate(schedule, eta0, tau, n)
            if error != 0.0:
                add_example(xi, mu, now * error, w)
                last += 1
            record_step(
                log, mu, S[mu] * potential, S[mu] * dot_example(xi, mu, w), N * now * error * S[mu], w, w
            )
            if not per_epoch:
                n += 1
        if per_epoch:
            n += 1
        updates += last
        if hard and last == 0:
            break
    return n, updates, last


@entry
def learn_online_recorded(log, xi, S, w, rule, eta, c, noise, decay, belief):
    P, N = n_rows(xi), n_columns(xi)
    updates = 0
    for mu in range(P):
        E = S[mu] * dot_example(xi, mu, w)
        length = math.sqrt(dot_product(w, w)) if rule >= ADATRON else 0.0
        f = modulation_strength(rule, E, length, squared_norm(xi, mu) / N, eta, c, noise, belief[mu])
        if decay > 0.0:
            for j in range(w.shape[0]):
                w[j] *= 1.0 - decay / N
        if f != 0.0:
            add_example(xi, mu, f * S[mu] / N, w)
            updates += 1
        record_step(log, mu, E, S[mu] * dot_example(xi, mu, w), f, w, w)
    return updates
