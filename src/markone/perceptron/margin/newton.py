"""Newton steps on the free set until Kuhn-Tucker is met to rounding."""

import numpy as np

from markone.numerics.arrays import Array
from markone.perceptron.margin._ascent import potentials_of_subset, sweep_examples
from markone.perceptron.margin._line_search import search_projected_path
from markone.perceptron.margin.gram import Factor, Gram
from markone.perceptron.margin.problem import (
    FLAT,
    Quadratic,
    State,
    evaluate_bounds,
    evaluate_state,
    free_set,
    record_proof,
    rounding_floor,
)

# Kuhn-Tucker residual (E is of order one) at which iteration stops.
TIGHT = 1e-13
# Between two Newton steps. Measured: with one or two, more Newton steps are needed.
SWEEPS = 3


def finish_by_newton(problem: Quadratic, state: State, gram: Gram, steps: int, limit: int) -> bool:
    """Make up to `steps` Newton steps with AdaTron sweeps between them; True if converged or not separable.

    A step solves C_FF d = 1 - E_F and follows the projected path. The sweeps, over the free examples
    and those that violate Kuhn-Tucker, increase the objective at every point that is not a solution, add
    violators to the free set, and make progress if rounding in a singular C_FF spoils the step.
    """
    factor = None
    kept, least, stalled = (state.x, state.offset), np.inf, 0
    xi, S = problem.xi, problem.S
    for _ in range(steps):
        free = free_set(problem, state)
        if not 0 < len(free) <= limit:
            evaluate_bounds(problem, state)
            return not len(free) and state.residual <= rounding_floor(problem, state)
        if factor is None or not np.array_equal(factor.free, free):
            factor = gram.factor_free_set(free)
        d = factor.solve_refined(1.0 - potentials_of_subset(xi, S, state.w, free))
        if problem.free:
            d = _balance_direction(problem, state, factor, d)
        endless = follow_direction(problem, state.x, state.w, free, d)
        state.n_newton += 1
        # The bounds of a soft margin are needed at the end only.
        evaluate_state(problem, state, bounded=problem.hard)
        candidate = state.x
        if endless:
            candidate = np.zeros(len(S))
            candidate[free] = np.maximum(d, 0.0)
        if record_proof(problem, state, candidate):
            return True
        # The residual often falls below the bound of rounding errors.
        stalled = stalled + 1 if state.residual > least / 2 and least <= rounding_floor(problem, state) else 0
        if state.residual < least:
            kept, least = (state.x.copy(), state.offset), state.residual
        if least <= TIGHT or stalled == 3:
            state.x, state.offset = kept
            evaluate_state(problem, state)
            return True
        _sweep_violators(problem, state)
    return False


def _balance_direction(problem: Quadratic, state: State, factor: Factor, d: Array) -> Array:
    """Change the offset of the free threshold and d such that x + d is balanced."""
    column = problem.threshold_column[factor.free]
    response = factor.solve_refined(column)
    share, unbalanced = float(column @ response), float(state.w[-1]) - state.offset
    if not share > 1e-6 * problem.N:
        return d
    change = (problem.N * unbalanced + float(column @ d)) / share
    state.offset += change
    state.w[-1] += change
    return d - change * response


def follow_direction(problem: Quadratic, x: Array, w: Array, free: Array, d: Array) -> bool:
    """Move x[free] to the maximum along the projected path; True if there is none (see `search`)."""
    bound = np.where(d < 0, 0.0, problem.gamma[free])
    ends = np.divide(bound - x[free], d, out=np.full(len(d), np.inf), where=d != 0)
    order = np.argsort(ends)
    return bool(
        search_projected_path(
            problem.xi, problem.S, problem.squared_norms, problem.gamma, x, w, free, d, ends, order, FLAT
        )
    )


def _sweep_violators(problem: Quadratic, state: State) -> None:
    """Sweep over the free examples and the violators."""
    slope = 1.0 - state.E
    wrong = ((state.x == 0) & (slope > TIGHT)) | ((state.x == problem.gamma) & (slope < -TIGHT))
    wrong &= (problem.gamma > 0) & (problem.squared_norms > 0)
    visits = np.flatnonzero(wrong | ((state.x > 0) & (state.x < problem.gamma)))
    for _ in range(SWEEPS):
        sweep_examples(
            problem.xi, problem.S, problem.squared_norms, problem.gamma, state.x, state.w, visits, 1.0
        )
