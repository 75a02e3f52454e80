"""The margin problem with a threshold that does not count into |w|: the constraint sum x S = 0.

The solver takes the threshold as the weight of a last input of about the length of the others, which costs
nothing (`Quadratic.free`). It converges fastest if the inputs are centred, which changes only the threshold.
"""

import math
from typing import Any

import numpy as np

from markone.numerics._rows import Sparse
from markone.numerics.arrays import Array
from markone.perceptron.margin._ascent import centre_inputs, potentials_of_examples
from markone.perceptron.margin.optimum import Optimum
from markone.perceptron.margin.problem import Quadratic
from markone.perceptron.margin.solve import solve_quadratic

# Value of the last input relative to the longest example. With a larger one sweeps converge more slowly, with
# a smaller one the threshold does.
CLAMP = 0.25


def solve_free_threshold(problem: Quadratic, **options: Any) -> Optimum:
    """Solve a problem whose last input is 1; the options are those of `solve_quadratic`."""
    xi, centre, clamp = _centred_inputs(problem)
    found = solve_quadratic(Quadratic(xi, problem.S, problem.gamma, free=True), **options)
    if found.status != "exact":
        found.x = problem.balance_strengths(found.x, float(found.x @ problem.S))
    w = found.w.copy()
    w[-1] = 0.0
    potentials = problem.S * potentials_of_examples(problem.xi, problem.S, w)
    w[-1] = _middle_threshold(problem, potentials) if problem.hard else found.w[-1] * clamp - w[:-1] @ centre
    found.w, found.E = w, problem.S * (potentials + w[-1])
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
    out, centre, longest, norms = centre_inputs(xi)
    clamp = _clamped_value(problem, longest)
    if problem.all_count:
        problem.set_norms(norms, math.sqrt(norms.max()))
    out[:, -1] = clamp
    return out, centre[:-1], clamp


def _clamped_value(problem: Quadratic, square: float) -> float:
    """Value of the last input; `square` is that of the longest example.

    Strengths at their bounds change a potential by at most value^2 gamma / N in one step of the multiplier,
    which must be able to move it by one.
    """
    value = CLAMP * math.sqrt(square)
    if not problem.hard:
        # Measured: with many examples per weight a third fewer Newton steps are needed.
        value *= 2.0 if len(problem.S) > 100 * problem.N else 1.0
        value = max(value, math.sqrt(problem.N / float(problem.gamma.max())))
    return value or 1.0


def _middle_threshold(problem: Quadratic, potentials: Array) -> float:
    """The threshold halfway between the classes; on one side of a single class, at distance one."""
    v, S = problem.select_counted(potentials), problem.select_counted(problem.S)
    above, below = v[S > 0].min(initial=math.inf), v[S < 0].max(initial=-math.inf)
    if not math.isfinite(above) or not math.isfinite(below):
        return float(1.0 - above if math.isfinite(above) else -1.0 - below)
    return float(-0.5 * (above + below))
