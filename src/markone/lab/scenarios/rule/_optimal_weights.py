"""Optimal stability and soft margin, certified, in compiled code: AdaTron and Newton steps alternate.

Maximise -1/2 x C x + sum x, 0 <= x <= gamma (3.75, 4.5), for rows Z = S xi. The sweeps identify the
support vectors; once these are correct, the strengths with 0 < x < gamma follow from E = 1 by one linear
system. The result is always compared with its bound.
"""

import math

import numpy as np

from markone.numerics._rows import squared_norms
from markone.numerics._vectors import dot_product, sum_values
from markone.numerics.compiling import entry, part
from markone.perceptron.margin._ascent import shrinking_sweeps
from markone.perceptron.margin._line_search import search_projected_path

# Over-relaxation: the fastest of the tested rates for hard margins, as in AdaTron.
ETA = 1.5
# Sweeps between two Newton steps, and the ridge added to C_mumu (about 1) where C is singular. Measured: at
# alpha = 8 without noise a ridge of 10^-1, or no Newton steps, leaves gaps after 1000 sweeps.
STRETCH, RIDGE = 10, 1e-3


@part
def update_gap(Z, gamma, x, w, E):
    """Update w and E from x; return the relative gap to the optimum, infinite for x = 0."""
    N = Z.shape[1]
    w[:] = (x @ Z) / N
    E[:] = Z @ w
    amount, square = sum_values(x), dot_product(w, w)
    if square == 0.0 or amount == 0.0:
        return math.inf
    if gamma == math.inf:
        # min E/|w| <= kappa_max <= N |w|/sum x
        return 1.0 - E.min() * amount / (N * square)
    energy, errors = 0.5 * N * square, 0.0
    for mu in range(E.shape[0]):
        errors += max(1.0 - E[mu], 0.0)
    primal = energy + gamma * errors
    return (primal - (amount - energy)) / primal


@part
def argsort_ascending(values):
    """Insertion sort, since np.argsort takes seconds to compile; the linear system costs n^3."""
    order = np.arange(values.shape[0])
    for k in range(1, order.shape[0]):
        item, i = order[k], k
        while i > 0 and values[order[i - 1]] > values[item]:
            order[i] = order[i - 1]
            i -= 1
        order[i] = item
    return order


@part
def move_by_newton(Z, one, norms, box, x, w):
    """Newton step to E = 1 on the examples with 0 < x < gamma, projected on the box.

    If the support vectors are correct the step ends at the solution. For more than N examples the ridge
    removes many at once; far more than N are left to the sweeps.
    """
    N = Z.shape[1]
    free = np.flatnonzero((x > 0.0) & (x < box))
    n = free.shape[0]
    if n == 0 or n > 3 * N:
        return
    rows, ends = np.empty((n, N)), np.full(n, math.inf)
    for k in range(n):
        rows[k] = Z[free[k]]
    A = rows @ rows.T / N
    if n > N:
        for k in range(n):
            A[k, k] += RIDGE
    # Numba raises for an exactly singular matrix; N or fewer Gaussian rows never give one.
    d = np.linalg.solve(A, 1.0 - rows @ w)
    for k in range(n):
        if d[k] < 0.0:
            ends[k] = -x[free[k]] / d[k]
        elif d[k] > 0.0:
            ends[k] = (box[free[k]] - x[free[k]]) / d[k]
    search_projected_path(Z, one, norms, box, x, w, free, d, ends, argsort_ascending(ends), 0.0)


@entry
def find_optimal_weights(Z, gamma, tol, max_sweeps, state, x, w):
    """Fill x and w; return (sweeps, whether the relative gap is certified to be at most tol)."""
    P, N = Z.shape
    one, box, norms = np.ones(P), np.full(P, gamma), squared_norms(Z)
    E, edges = np.empty(P), np.empty(2)
    # Consecutive rows visited together, for efficient memory access.
    block = min(max(1024 // N, 1), 16)
    x[:] = 0.0
    w[:] = 0.0
    sweeps = 0
    while sweeps < max_sweeps:
        edges[0], edges[1] = math.inf, -math.inf
        count = min(STRETCH, max_sweeps - sweeps)
        sweeps += shrinking_sweeps(Z, one, norms, box, x, w, np.arange(P), edges, ETA, block, state, count)[1]
        move_by_newton(Z, one, norms, box, x, w)
        if update_gap(Z, gamma, x, w, E) <= tol:
            return sweeps, True
    return sweeps, False
