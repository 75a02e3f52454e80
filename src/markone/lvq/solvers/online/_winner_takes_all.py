"""On-line LVQ with squared Euclidean distance: each example moves the prototypes nearest to it.

A rule is a function of the correctness and the distances of the two nearest prototypes; it returns the step
of each, towards the example (> 0) or away from it (< 0). All state is in the caller's arrays, so that a
call continues where the last one stopped. A missing feature (NaN) of the example is left out of the distance
and of the update; it is missing for all prototypes, so that a rescaling would not change the winner.
"""

import math

import numpy as np

from markone.numerics._random import pick_example
from markone.numerics.compiling import entry, part

CONSTANT, INVERSE, EXPONENTIAL = 0, 1, 2


@part
def scheduled_rate(schedule, eta, tau, t):
    """Learning rate at time t: eta, eta / (1 + t/tau), or eta exp(-t/tau)."""
    if schedule == INVERSE:
        return eta / (1.0 + t / tau)
    if schedule == EXPONENTIAL:
        return eta * math.exp(-t / tau)
    return eta


@part
def squared_distance(xi, mu, w, j, missing):
    """|xi^mu - w^j|^2 over the observed features."""
    total = 0.0
    if missing:
        for k in range(w.shape[1]):
            difference = xi[mu, k] - w[j, k]
            if not np.isnan(difference):
                total += difference * difference
    else:
        for k in range(w.shape[1]):
            difference = xi[mu, k] - w[j, k]
            total += difference * difference
    return total


@part
def nearest_two(xi, mu, w, missing):
    """Winner (5.3), second nearest, and their distances; of ties the first."""
    best, next_best, winner, second = np.inf, np.inf, 0, 0
    for j in range(w.shape[0]):
        d = squared_distance(xi, mu, w, j, missing)
        if d < best:
            next_best, second = best, winner
            best, winner = d, j
        elif d < next_best:
            next_best, second = d, j
    return winner, second, best, next_best


@part
def move_prototype(xi, mu, w, j, step, missing):
    """w^j += step (xi^mu - w^j)."""
    if missing:
        for k in range(w.shape[1]):
            difference = xi[mu, k] - w[j, k]
            if not np.isnan(difference):
                w[j, k] += step * difference
    else:
        for k in range(w.shape[1]):
            w[j, k] += step * (xi[mu, k] - w[j, k])


LVQ1, OLVQ1, LVQ21, LVQ3 = 0, 1, 2, 3


@part
def rule_steps(rule, right, second_right, d, d2, eta, window, epsilon):
    """Steps of the winner and of the second nearest; d, d2 are their squared distances.

    LVQ1 (5.4), OLVQ1: the winner alone. LVQ2.1: both, if one is right, one wrong and the example near their
    border, min(d_i/d_j, d_j/d_i) > (1 - s)/(1 + s) of unsquared distances. LVQ3: as LVQ2.1, and both if
    both are right.
    """
    if rule <= OLVQ1:
        return (eta if right else -eta), 0.0
    if right != second_right:
        edge = (1.0 - window) / (1.0 + window)
        if d > edge * edge * d2:
            return (eta, -eta) if right else (-eta, eta)
    elif right and rule == LVQ3:
        return epsilon * eta, epsilon * eta
    return 0.0, 0.0


@part
def olvq1_rate(rates, winner, right, largest):
    """OLVQ1: eta_j <- eta_j / (1 + Psi eta_j), at most `largest`: all past examples have equal weight."""
    eta = rates[winner]
    rates[winner] = min(eta / (1.0 + eta) if right else eta / (1.0 - eta), largest)
    return rates[winner]


@entry
def lvq_epoch(
    rule, xi, y, weight, w, c, rates, eta, schedule, tau, t, window, epsilon, order, turn, state, missing
):
    """P presentations from time t (in epochs) on.

    Returns the mean of Psi d(w*, xi), whose gradient LVQ1 follows, and the number of wrong winners, both
    before each update.
    """
    P = xi.shape[0]
    cost, wrong = 0.0, 0
    for i in range(P):
        mu = pick_example(order, i, turn, state)
        winner, second, d, d2 = nearest_two(xi, mu, w, missing)
        right = c[winner] == y[mu]
        now = scheduled_rate(schedule, eta, tau, t + i / P)
        if rule == OLVQ1:
            now = olvq1_rate(rates, winner, right, eta)
        # A step ends at the example at most, however large its weight.
        now = min(now * weight[mu], 1.0)
        first, other = rule_steps(rule, right, c[second] == y[mu], d, d2, now, window, epsilon)
        if first != 0.0:
            move_prototype(xi, mu, w, winner, first, missing)
        if other != 0.0:
            move_prototype(xi, mu, w, second, other, missing)
        cost += d if right else -d
        wrong += 0 if right else 1
    return cost / P, wrong


@entry
def wrong_winners(xi, y, weight, w, c, missing):
    """Total weight of the examples whose nearest prototype is of another class."""
    total = 0.0
    for mu in range(xi.shape[0]):
        winner, _, _, _ = nearest_two(xi, mu, w, missing)
        if c[winner] != y[mu]:
            total += weight[mu]
    return total


@entry
def presentation_order(order, turn, state):
    """The examples of one epoch, in the order in which the compiled loops present them."""
    P = turn.shape[0]
    chosen = np.empty(P, np.int64)
    for i in range(P):
        chosen[i] = pick_example(order, i, turn, state)
    return chosen
