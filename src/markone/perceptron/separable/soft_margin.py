"""Proven duality gap of the soft margin (4.3), rounding errors included."""

import math

from markone.perceptron.margin.optimum import Optimum
from markone.perceptron.margin.problem import Quadratic
from markone.perceptron.separable._roundings import U
from markone.perceptron.separable.bounds import balance_exactly, round_up, stability_bounds
from markone.perceptron.separable.rows import build_rows

# Costs below this may be sums of squares that underflowed.
TINY = 1e-305


def certify_soft_margin(problem: Quadratic, found: Optimum, tol: float) -> Optimum:
    """Set the proven `gap`: (cost of w - lower bound from x on all costs) / cost of w."""
    rows = build_rows(problem.xi, problem.S, problem.longest_norm)
    scaling = math.inf if problem.free else None
    x = balance_exactly(found.x, problem.S) if problem.free else found.x
    proven = stability_bounds(rows, found.w, x, gamma=problem.gamma, scaling=scaling)
    lower, upper = proven.lower, proven.upper
    if not problem.all_count:
        counted = rows.select_rows(problem.counted_examples)
        lower = stability_bounds(counted, found.w, None, scaling=scaling).lower
    gap = _relative_gap(problem.N, proven.length, proven.cost, proven.field, proven.total)
    status, message = found.status, found.message
    if status in ("exact", "converged") and not gap <= max(tol, 1e-9):
        status = "max_epochs"
        message = f"stopped with a relative duality gap of {gap:.1e}: scale the inputs, or raise tol."
    f = found
    return Optimum(x, f.w, f.E, lower, upper, gap, f.n_epochs, f.n_newton, status, message)


def _relative_gap(N: int, long: float, hinge: float, high: float, amount: float) -> float:
    """(primal - dual) / primal of (4.3), (4.5), rounded up, given upper bounds on |w| and |sum x S xi|.

    Infinite if the dual is negative, as it then bounds nothing and the gap would need a lower bound on the
    primal; also if squares of |w| may have underflowed.
    """
    if not all(map(math.isfinite, (long * long, hinge, high * high, amount))):
        return math.inf
    primal = (N / 2 * long**2 + hinge) * (1.0 + 16.0 * U)
    bound = high**2 / (2 * N)
    dual = amount - bound - 16.0 * U * (amount + bound)
    if dual < 0.0 or (primal < TINY and long > 0.0):
        return math.inf
    return max(round_up((primal - dual) / primal * (1.0 + 8.0 * U)), 0.0) if primal > 0.0 else 0.0
