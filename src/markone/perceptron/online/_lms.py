"""The delta rule w += eta(n) (d - y) xi with a linear or a hard-limited unit, one example at a time."""

from collections import namedtuple

from markone.base._recording import record_step
from markone.numerics._random import pick_example
from markone.numerics._rows import add_example, dot_example, n_columns, n_rows
from markone.numerics.compiling import entry, part

CONSTANT, INVERSE, SEARCH_THEN_CONVERGE = 0, 1, 2


# `kind` is one of the constants above; per_epoch: n counts epochs, not presentations.
RateSchedule = namedtuple("RateSchedule", ["kind", "eta0", "tau", "per_epoch"])


@part
def learning_rate(schedule, n):
    """Learning rate at n = 0, 1, 2, ... presentations or epochs."""
    if schedule.kind == INVERSE:
        return schedule.eta0 / (n + 1.0)
    if schedule.kind == SEARCH_THEN_CONVERGE:
        return schedule.eta0 / (1.0 + n / schedule.tau)
    return schedule.eta0


@entry
def learn_delta_rule(xi, S, w, hard, schedule, n, epochs, turns, log=None):
    """Run epochs; return (n, updates, updates of the last epoch). y = w . xi, or its sign for a hard unit.

    The logged change is N times that of w along S xi, comparable to an embedding strength.
    """
    P = n_rows(xi)
    updates, last = 0, 0
    for _ in range(epochs):
        last = 0
        for i in range(P):
            mu = pick_example(turns.order, i, turns.turn, turns.state)
            potential = dot_example(xi, mu, w)
            y = potential
            if hard:
                y = 1.0 if y >= 0.0 else -1.0
            error = S[mu] - y
            rate = learning_rate(schedule, n)
            if error != 0.0:
                add_example(xi, mu, rate * error, w)
                last += 1
            if log is not None:
                after = S[mu] * dot_example(xi, mu, w)
                record_step(log, mu, S[mu] * potential, after, n_columns(xi) * rate * error * S[mu], w, w)
            if not schedule.per_epoch:
                n += 1
        if schedule.per_epoch:
            n += 1
        updates += last
        if hard and last == 0:
            break
    return n, updates, last
