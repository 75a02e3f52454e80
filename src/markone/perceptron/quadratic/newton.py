"""Newton steps on the free set until Kuhn-Tucker is met to rounding."""

import numpy as np

from markone.numerics.arrays import Array
from markone.perceptron.quadratic._arc import search
from markone.perceptron.quadratic._ascent import potentials_of, sweep
from markone.perceptron.quadratic.gram import Gram
from markone.perceptron.quadratic.problem import FLAT, Quadratic, State, floor, free_set, judge, prove

# Kuhn-Tucker residual (E is of order one) at which iteration stops.
TIGHT = 1e-13
# Between two Newton steps. Measured: with one or two, more Newton steps are needed.
SWEEPS = 3


def finish(problem: Quadratic, state: State, gram: Gram, steps: int, limit: int) -> bool:
    """Make up to `steps` Newton steps with AdaTron sweeps between them; True if converged or not separable.

    A step solves C_FF d = 1 - E_F and follows the projected path. The sweeps, over the free examples
    and those that violate Kuhn-Tucker, increase the objective at every point that is not a solution, add
    violators to the free set, and make progress if rounding in a singular C_FF spoils the step.
    """
    factor = None
    kept, least, stalled = state.x, np.inf, 0
    xi, S = problem.xi, problem.S
    for _ in range(steps):
        free = free_set(problem, state)
        if not 0 < len(free) <= limit:
            return not len(free) and state.residual <= floor(problem, state)
        if factor is None or not np.array_equal(factor.free, free):
            factor = gram.newton(free)
        d = factor.refined(1.0 - potentials_of(xi, S, state.w, free))
        endless = follow(problem, state.x, state.w, free, d)
        state.n_newton += 1
        judge(problem, state)
        if prove(problem, state, _spread(d, free, len(S)) if endless else state.x):
            return True
        # The residual often falls below the bound of rounding errors.
        stalled = stalled + 1 if state.residual > least / 2 and least <= floor(problem, state) else 0
        if state.residual < least:
            kept, least = state.x.copy(), state.residual
        if least <= TIGHT or stalled == 3:
            state.x = kept
            judge(problem, state)
            return True
        _let_in(problem, state)
    return False


def follow(problem: Quadratic, x: Array, w: Array, free: Array, d: Array) -> bool:
    """Move x[free] to the maximum along the projected path; True if there is none (see `search`)."""
    bound = np.where(d < 0, 0.0, problem.gamma[free])
    ends = np.divide(bound - x[free], d, out=np.full(len(d), np.inf), where=d != 0)
    order = np.argsort(ends)
    return bool(search(problem.xi, problem.S, problem.norms, problem.gamma, x, w, free, d, ends, order, FLAT))


def _spread(d: Array, free: Array, P: int) -> Array:
    """d >= 0 on the free set as embedding strengths of all examples."""
    x = np.zeros(P)
    x[free] = np.maximum(d, 0.0)
    return x


def _let_in(problem: Quadratic, state: State) -> None:
    """Sweep over the free examples and the violators."""
    slope = 1.0 - state.E
    wrong = ((state.x == 0) & (slope > TIGHT)) | ((state.x == problem.gamma) & (slope < -TIGHT))
    wrong &= (problem.gamma > 0) & (problem.norms > 0)
    visits = np.flatnonzero(wrong | ((state.x > 0) & (state.x < problem.gamma)))
    for _ in range(SWEEPS):
        sweep(problem.xi, problem.S, problem.norms, problem.gamma, state.x, state.w, visits, 1.0)
