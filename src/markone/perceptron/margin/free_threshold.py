"""The margin problem with a threshold that does not count into |w|: the constraint sum x S = 0.

The solver takes the threshold as the weight of a last input of about the length of the others, which costs
nothing (`Quadratic.free`). It converges fastest if the inputs are centred, which changes only the threshold.
"""

import math
from typing import Any

import numpy as np

from markone.numerics._rows import Sparse
from markone.numerics.arrays import Array
from markone.perceptron.margin._ascent import centre_inputs, extreme_potentials
from markone.perceptron.margin.optimum import Optimum
from markone.perceptron.margin.problem import Quadratic
from markone.perceptron.margin.small_problems import suits_active_set
from markone.perceptron.margin.solve import solve_quadratic

# Value of the last input relative to the longest example. With a larger one sweeps converge more slowly, with
# a smaller one the threshold does, which the methods that follow determine exactly.
SMALL_CLAMP, CLAMP, MANY_CLAMP = 0.0625, 0.125, 0.5


def solve_free_threshold(problem: Quadratic, **options: Any) -> Optimum:
    """Solve a problem whose last input is 1; the options are those of `solve_quadratic`."""
    xi, centre, clamp = _centred_inputs(problem)
    found = solve_quadratic(Quadratic(xi, problem.S, problem.gamma, free=True), **options)
    if found.status != "exact":
        found.x = problem.balance_strengths(found.x, float(found.x @ problem.S))
    w, v = found.w.copy(), np.empty(len(problem.S))
    w[-1] = 0.0
    ends = extreme_potentials(problem.xi, problem.S, problem.gamma, w, v)
    w[-1] = _middle_threshold(*ends) if problem.hard else found.w[-1] * clamp - w[:-1] @ centre
    found.w, found.E = w, problem.S * (v + w[-1])
    return found


def _centred_inputs(problem: Quadratic) -> tuple[Any, Array, float]:
    """Inputs minus their mean (not if sparse) and a last column, the mean, the value of that column."""
    xi, N = problem.xi, problem.N
    if isinstance(xi, Sparse):
        ends = xi.indptr[1:] - 1
        squares = problem.squared_norms - 1.0
        clamp = _clamped_value(problem, max(squares.max(), 0.0))
        data = xi.data.copy()
        data[ends] = clamp
        return Sparse(data, xi.indices, xi.indptr, N), np.zeros(N - 1), clamp
    # Allocated here: numpy asks for large pages, which makes each pass over the rows faster.
    out, centre, norms = np.empty(xi.shape), np.empty(N), np.empty(len(problem.S))
    longest, top = centre_inputs(xi, out, centre, norms)
    clamp = _clamped_value(problem, longest)
    if problem.all_count:
        problem.set_norms(norms, math.sqrt(top))
    out[:, -1] = clamp
    return out, centre[:-1], clamp


def _clamped_value(problem: Quadratic, square: float) -> float:
    """Value of the last input; `square` is that of the longest example."""
    small = problem.hard or suits_active_set(problem)
    share = SMALL_CLAMP if small else MANY_CLAMP if len(problem.S) > 100 * problem.N else CLAMP
    return share * math.sqrt(square) or 1.0


def _middle_threshold(above: float, below: float) -> float:
    """The threshold halfway between the classes; on one side of a single class, at distance one."""
    if not math.isfinite(above) or not math.isfinite(below):
        return 1.0 - above if math.isfinite(above) else -1.0 - below
    return -0.5 * (above + below)
