"""On-line LVQ with many prototypes: the distances from all of them at once, one prototype per lane.

Prototypes are stored as (N, M), one row per feature: a sum over features is then M contiguous sums, without
a reduction over lanes. The rules are those of `_winner_takes_all`.
"""

import numpy as np

from markone.lvq.solvers.online._winner_takes_all import OLVQ1, olvq1_rate, rule_steps, scheduled_rate
from markone.numerics._random import pick_example
from markone.numerics.compiling import entry, part

# Number of prototypes from which on this is faster; float64 numbers in the widest vector register.
MANY, LANES = 8, 8
# Multiplications of an epoch below which compiling takes longer than what it saves.
WORTH = 100_000


@entry
def transpose_prototypes(w):
    """Prototypes (M, N) as (N, M), M padded to a multiple of the lanes by prototypes at infinity."""
    M, N = w.shape
    wt = np.empty((N, -(-M // LANES) * LANES))
    for k in range(N):
        for j in range(M):
            wt[k, j] = w[j, k]
        for j in range(M, wt.shape[1]):
            wt[k, j] = np.inf
    return wt


@part
def all_squared_distances(xi, mu, wt, d):
    """d^j = |xi^mu - w^j|^2 of all prototypes, four features at a time."""
    N, M = wt.shape
    x = xi[mu]
    for j in range(M):
        d[j] = 0.0
    k = 0
    while k + 4 <= N:
        x0, x1, x2, x3 = x[k], x[k + 1], x[k + 2], x[k + 3]
        w0, w1, w2, w3 = wt[k], wt[k + 1], wt[k + 2], wt[k + 3]
        for j in range(M):
            a, b, c, e = x0 - w0[j], x1 - w1[j], x2 - w2[j], x3 - w3[j]
            d[j] += a * a + b * b + c * c + e * e
        k += 4
    while k < N:
        for j in range(M):
            a = x[k] - wt[k, j]
            d[j] += a * a
        k += 1


@part
def move_column(xi, mu, wt, j, step):
    """w^j += step (xi^mu - w^j)."""
    for k in range(wt.shape[0]):
        wt[k, j] += step * (xi[mu, k] - wt[k, j])


@entry
def lvq_epoch_of_many(
    rule, xi, y, weight, w, c, rates, eta, schedule, tau, t, window, epsilon, order, turn, state
):
    """`lvq_epoch` for examples without missing features."""
    P, M, N = xi.shape[0], w.shape[0], w.shape[1]
    wt = transpose_prototypes(w)
    d = np.empty(wt.shape[1])
    cost, wrong = 0.0, 0
    for i in range(P):
        mu = pick_example(order, i, turn, state)
        all_squared_distances(xi, mu, wt, d)
        best, next_best, winner, second = np.inf, np.inf, 0, 0
        for j in range(M):
            if d[j] < best:
                next_best, second = best, winner
                best, winner = d[j], j
            elif d[j] < next_best:
                next_best, second = d[j], j
        right = c[winner] == y[mu]
        now = scheduled_rate(schedule, eta, tau, t + i / P)
        if rule == OLVQ1:
            now = olvq1_rate(rates, winner, right, eta)
        # A step ends at the example at most, however large its weight.
        now = min(now * weight[mu], 1.0)
        first, other = rule_steps(rule, right, c[second] == y[mu], best, next_best, now, window, epsilon)
        if first != 0.0:
            move_column(xi, mu, wt, winner, first)
        if other != 0.0:
            move_column(xi, mu, wt, second, other)
        cost += best if right else -best
        wrong += 0 if right else 1
    for k in range(N):
        for j in range(M):
            w[j, k] = wt[k, j]
    return cost / P, wrong


@entry
def wrong_winners_of_many(xi, y, weight, w, c):
    """`wrong_winners` for examples without missing features."""
    M, wt, total = w.shape[0], transpose_prototypes(w), 0.0
    d = np.empty(wt.shape[1])
    for mu in range(xi.shape[0]):
        all_squared_distances(xi, mu, wt, d)
        winner = 0
        for j in range(1, M):
            if d[j] < d[winner]:
                winner = j
        if c[winner] != y[mu]:
            total += weight[mu]
    return total
