"""The delta rule w += eta(n) (d - y) xi with a linear or a hard-limited unit, one example at a time."""

from markone.numerics._random import pick_example
from markone.numerics._rows import add_example, dot_example, n_rows
from markone.numerics.compiling import entry, part

CONSTANT, INVERSE, SEARCH_THEN_CONVERGE = 0, 1, 2


@part
def learning_rate(schedule, eta0, tau, n):
    """Learning rate at n = 0, 1, 2, ... presentations or epochs."""
    if schedule == INVERSE:
        return eta0 / (n + 1.0)
    if schedule == SEARCH_THEN_CONVERGE:
        return eta0 / (1.0 + n / tau)
    return eta0


@entry
def learn_delta_rule(xi, S, w, hard, schedule, eta0, tau, per_epoch, n, epochs, order, turn, state):
    """Run epochs; return (n, updates, updates of the last epoch). y = w . xi, or its sign for a hard unit."""
    P = n_rows(xi)
    updates, last = 0, 0
    for _ in range(epochs):
        last = 0
        for i in range(P):
            mu = pick_example(order, i, turn, state)
            y = dot_example(xi, mu, w)
            if hard:
                y = 1.0 if y >= 0.0 else -1.0
            error = S[mu] - y
            if error != 0.0:
                add_example(xi, mu, learning_rate(schedule, eta0, tau, n) * error, w)
                last += 1
            if not per_epoch:
                n += 1
        if per_epoch:
            n += 1
        updates += last
        if hard and last == 0:
            break
    return n, updates, last
