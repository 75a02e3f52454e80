"""Small dense problems, solved by the active set without a return to Python in between.

Calls from Python cost more than the arithmetic where P N is some ten thousand. What is not settled within so
many changes of the active set is handed back as it is, and `solve` goes on from there.
"""

import numpy as np

from markone.numerics._vectors import LANES, padded
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


def settle(problem: Quadratic, state: State, max_epochs: int) -> bool:
    """Change x, and w and E with it, until Kuhn-Tucker is met; False where that takes too many changes."""
    N, used, gamma = problem.N, problem.used, problem.gamma
    count = _sweeps(problem)
    if not suits(problem) or max_epochs < count:
        return False
    every = len(used) == len(problem.S)
    xi, S, norms = problem.xi, problem.S, problem.norms
    if not every:
        xi, S, norms, gamma = xi[used], S[used], norms[used], gamma[used]
    P, x = len(S), state.x if every else state.x[used]
    most = min(P, N) + 1
    Z, M = np.zeros((P, padded(N))), np.zeros((most + 1, padded(most + 1)))
    top, y, w, E, r, d, t = np.zeros((7, max(P, N, most) + LANES))
    everyone, free, near, queue = np.empty((4, max(P, most) + 1), np.int64)
    waiting = sweeps(xi, S, norms, gamma, x, Z, top, y, w, E, everyone, near, queue, count)
    cap = 8 * N + 100 if problem.hard else SOFT_CHANGES
    ended, changes, residual = active_set(
        Z, M, norms, top, y, w, E, r, d, t,
        everyone, free, near, queue, np.zeros(P, np.bool_), N, waiting, problem.length, cap,
    )  # fmt: skip
    if ended == UNBOUNDED:
        # Not separable, most likely: where y has gone says nothing about the best student there is.
        return False
    x = N * y[:P]
    if not problem.hard:
        x = np.where(y[:P] == top[:P], gamma, np.minimum(x, gamma))
    if every:
        state.x = x
    else:
        state.x[used] = x
    state.n_epochs, state.n_newton = state.n_epochs + count, state.n_newton + changes
    if ended == SETTLED:
        state.w = w[:N].copy()
        state.E = E[:P].copy() if every else potentials(problem.xi, problem.S, state.w)
        state.residual = residual
    return bool(ended == SETTLED)


def _sweeps(problem: Quadratic) -> int:
    """More where a change costs more, and with errors allowed, where more changes follow."""
    return min(max(10, problem.N // 5), 40) if problem.hard else 20
