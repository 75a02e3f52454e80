"""Small dense problems, solved by the active set without a return to Python in between.

Calls from Python cost more than the arithmetic where P N is some ten thousand. What is not settled within so
many changes of the active set is handed back as it is, and `solve` goes on from there.
"""

import numpy as np

from markone.numerics._vectors import LANES, padded
from markone.numerics.arrays import Array
from markone.perceptron.quadratic._active_set import SETTLED, UNBOUNDED, active_set
from markone.perceptron.quadratic._ascent import potentials
from markone.perceptron.quadratic._first_sweeps import sweeps
from markone.perceptron.quadratic.problem import Quadratic, State

# Up to these sizes. With errors allowed most supporting examples are at their bound, and each takes a change.
SOFT, SOFT_P, SOFT_N, SOFT_CHANGES = 30_000, 1500, 64, 1500
HARD, HARD_N = 400_000, 200


def suits(problem: Quadratic) -> bool:
    """Whether the active set is the faster way."""
    if problem.sparse:
        return False
    if problem.hard:
        return bool(problem.xi.size <= HARD and problem.N <= HARD_N)
    return bool(problem.xi.size <= SOFT and problem.N <= SOFT_N and len(problem.S) <= SOFT_P)


def settle(problem: Quadratic, state: State, max_epochs: int, chosen: Array | None) -> bool:
    """Change x, and w and E with it, until Kuhn-Tucker is met; False where that takes too many changes.

    chosen: the examples that count and are not zero, or None for all; False where one of all is zero.
    """
    N, count = problem.N, _sweeps(problem)
    if not suits(problem) or max_epochs < count:
        return False
    xi, S, gamma, x = problem.xi, problem.S, problem.gamma, state.x
    if chosen is not None:
        xi, S, gamma, x = xi[chosen], S[chosen], gamma[chosen], x[chosen]
    P = len(S)
    most = min(P, N) + 1
    Z, M, norms = np.zeros((P, padded(N))), np.zeros((most + 1, padded(most + 1))), np.empty(P)
    lengths, top, y, w, E, side, r, d, t = np.zeros((9, max(P, N, most) + LANES))
    everyone, free, near, queue = np.empty((4, max(P, most) + 1), np.int64)
    table = (lengths, top, y, w, E, side)
    waiting, longest = sweeps(xi, S, norms, gamma, x, Z, *table, everyone, near, queue, count)
    if waiting < 0:
        return False
    cap = 8 * N + 100 if problem.hard else SOFT_CHANGES
    room = (r, d, t, everyone, free, near, queue)
    ended, changes, residual = active_set(Z, M, *table, *room, N, waiting, longest, cap)
    if ended == UNBOUNDED or (problem.hard and ended != SETTLED):
        # Not separable, most likely: where y has gone says nothing about the best student there is, and is so
        # far away that a proof of balance from there takes long.
        return False
    x = N * y[:P]
    if not problem.hard:
        x = np.where(y[:P] == top[:P], gamma, np.minimum(x, gamma))
    if chosen is None:
        state.x = x
    else:
        state.x[chosen] = x
    state.n_epochs, state.n_newton = state.n_epochs + count, state.n_newton + changes
    if ended == SETTLED:
        state.w = w[:N]
        state.E = E[:P] if chosen is None else potentials(problem.xi, problem.S, state.w)
        state.residual = residual
        if chosen is None:
            problem.know(norms, longest)
    return bool(ended == SETTLED)


def _sweeps(problem: Quadratic) -> int:
    """More where a change costs more, and with errors allowed, where more changes follow."""
    return min(max(10, problem.N // 5), 40) if problem.hard else 20
