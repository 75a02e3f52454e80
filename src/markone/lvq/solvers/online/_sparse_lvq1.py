"""LVQ1 on sparse rows: squared distances from the stored entries.

|xi - w|^2 = xi.xi - 2 xi.w + w.w, the last stored with w: only the update of the winner touches all features.
"""

import numpy as np

from markone.lvq.solvers.online._winner_takes_all import scheduled_rate
from markone.numerics._random import pick_example
from markone.numerics.compiling import entry, part


@part
def row_dot_prototype(data, indices, start, stop, w, j):
    """Scalar product xi.w^j over the entries of the row."""
    total = 0.0
    for k in range(start, stop):
        total += data[k] * w[j, indices[k]]
    return total


@part
def nearest_prototype(data, indices, start, stop, w, ww, square):
    """Winner (5.3), its scalar product with the row, and its squared distance."""
    best, winner, product = np.inf, 0, 0.0
    for j in range(w.shape[0]):
        xw = row_dot_prototype(data, indices, start, stop, w, j)
        d = max(square - 2.0 * xw + ww[j], 0.0)
        if d < best:
            best, winner, product = d, j, xw
    return winner, product, best


@part
def move_winner(data, indices, start, stop, w, j, step):
    """w^j += step (xi - w^j)."""
    for k in range(w.shape[1]):
        w[j, k] *= 1.0 - step
    for k in range(start, stop):
        w[j, indices[k]] += step * data[k]


@entry
def sparse_lvq1_epoch(data, indices, indptr, y, weight, w, c, eta, schedule, tau, t, order, turn, state):
    """P presentations from time t (in epochs) on; returns the mean of Psi d(w*, xi) and the wrong winners."""
    P = y.shape[0]
    # Squares are recomputed in each epoch, to bound the rounding error.
    ww = np.empty(w.shape[0])
    for j in range(w.shape[0]):
        ww[j] = 0.0
        for k in range(w.shape[1]):
            ww[j] += w[j, k] * w[j, k]
    cost, wrong = 0.0, 0
    for i in range(P):
        mu = pick_example(order, i, turn, state)
        start, stop = indptr[mu], indptr[mu + 1]
        square = 0.0
        for k in range(start, stop):
            square += data[k] * data[k]
        winner, product, d = nearest_prototype(data, indices, start, stop, w, ww, square)
        psi = 1.0 if c[winner] == y[mu] else -1.0
        # A step ends at the example at most, however large its weight.
        step = psi * min(scheduled_rate(schedule, eta, tau, t + i / P) * weight[mu], 1.0)
        move_winner(data, indices, start, stop, w, winner, step)
        keep = 1.0 - step
        ww[winner] = keep * keep * ww[winner] + 2.0 * step * keep * product + step * step * square
        cost += psi * d
        wrong += 0 if psi > 0.0 else 1
    return cost / P, wrong
