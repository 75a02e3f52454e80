"""Small dense problems, solved by the active-set method in compiled code.

Calls from Python cost more than the arithmetic if P N is some ten thousand. If the number of changes of the
active set is exceeded, the state is returned as it is and `solve` continues from there.
"""

import numpy as np

from markone.numerics._vectors import LANES, padded_width
from markone.numerics.arrays import Array
from markone.perceptron.margin._active_set import SETTLED, UNBOUNDED, Arrays, active_set
from markone.perceptron.margin._ascent import potentials_of_examples
from markone.perceptron.margin._warm_up import warm_up_sweeps
from markone.perceptron.margin.problem import Quadratic, State

# Largest sizes. With soft margin most support vectors are at their bound, and each takes a change.
SOFT, SOFT_P, SOFT_N, SOFT_CHANGES = 30_000, 1500, 64, 1500
HARD, HARD_N = 400_000, 256


def suits_active_set(problem: Quadratic) -> bool:
    """True if the active-set method is faster."""
    if problem.sparse:
        return False
    if problem.hard:
        return bool(problem.xi.size <= HARD and problem.N <= HARD_N)
    return bool(problem.xi.size <= SOFT and problem.N <= SOFT_N and len(problem.S) <= SOFT_P)


def solve_by_active_set(problem: Quadratic, state: State, max_epochs: int, chosen: Array | None) -> bool:
    """Update x, w and E until Kuhn-Tucker is met; return False if that takes too many changes.

    chosen: the examples with gamma > 0 that are not zero, or None for all; returns False if one is zero.
    """
    N = problem.N
    # Number of warm-up sweeps: more if a change of the active set costs more, or for a soft margin.
    count = min(max(10, N // 5), 40) if problem.hard else 20
    if not suits_active_set(problem) or max_epochs < count:
        return False
    xi, S, gamma, x = problem.xi, problem.S, problem.gamma, state.x
    if chosen is not None:
        xi, S, gamma, x = xi[chosen], S[chosen], gamma[chosen], x[chosen]
    P = len(S)
    most = min(P, N) + 1
    Z, M = np.zeros((P, padded_width(N))), np.zeros((most + 1, padded_width(most + 1)))
    norms, (every, free, near, queue) = np.empty(P), np.empty((4, max(P, most) + 1), np.int64)
    lengths, top, y, w, E, side, u, r, d, t = np.zeros((10, max(P, N, most) + LANES))
    offset, clamp = np.zeros(1), abs(float(xi[0, -1])) if problem.free else 0.0
    arrays = Arrays(Z, lengths, top, every, y, w, E, side, free, M, u, r, d, t, near, queue, offset, clamp)
    waiting, longest = warm_up_sweeps(xi, S, norms, gamma, x, arrays, count)
    if waiting < 0:
        return False
    cap = 8 * N + 100 if problem.hard else SOFT_CHANGES
    ended, changes, residual = active_set(arrays, N, waiting, longest, cap)
    if ended == UNBOUNDED or (problem.hard and ended != SETTLED):
        # Probably not separable: y is large, unrelated to the best student, and a bad start for a proof.
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
        state.w, state.offset = w[:N], float(offset[0])
        state.E = E[:P] if chosen is None else potentials_of_examples(problem.xi, problem.S, state.w)
        state.residual = residual
        if chosen is None:
            problem.set_norms(norms, longest)
    return bool(ended == SETTLED)
