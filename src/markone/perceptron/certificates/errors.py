"""The soft margin: how far the cost (4.3) of a student can be from the least one, rounding counted."""

import math
from dataclasses import replace

import numpy as np

from markone.perceptron.certificates._roundings import U
from markone.perceptron.certificates.bounds import from_below, from_sum, least_stability, length, up
from markone.perceptron.certificates.rows import Floats, rows_of
from markone.perceptron.quadratic.optimum import Optimum
from markone.perceptron.quadratic.problem import Quadratic


def certified(problem: Quadratic, found: Optimum, tol: float) -> Optimum:
    """`gap` is proven: (cost of w) - (the bound of x on all costs), relative to the cost of w."""
    rows = rows_of(problem.xi, problem.S, problem.length)
    # E is of order one with an error bound, and scaled by a power of two: back and forth costs nothing.
    E, error = rows.potentials(found.w)
    g, g_error = rows.embedding(found.x)
    gap = relative_gap(problem, found, (E - error) / rows.scale, (np.abs(g) + g_error) / rows.scale)
    if problem.all_count:
        lower = least_stability(rows, found.w, None, E, error)
    else:
        lower = from_below(rows.only(problem.counted), found.w)
    upper = from_sum(rows, found.x, g, g_error)
    status, message = found.status, found.message
    if status in ("exact", "converged") and gap > max(tol, 1e-9):
        status = "max_epochs"
        message = f"stopped with a relative duality gap of {gap:.1e}: scale the inputs, or raise tol."
    return replace(found, lower=lower, upper=upper, gap=gap, status=status, message=message)


def relative_gap(problem: Quadratic, found: Optimum, least_E: Floats, largest_g: Floats) -> float:
    """(primal - dual) / primal of (4.3), (4.5), rounded up."""
    energy = problem.N / 2 * length(found.w)[1] ** 2
    missing = np.maximum(1.0 - least_E, 0.0) * (1.0 + 4.0 * U)
    hinge = math.fsum((problem.gamma * missing).tolist())
    primal = (energy + hinge) * (1.0 + 16.0 * U)
    bound = length(largest_g * (1.0 + 4.0 * U))[1] ** 2 / (2 * problem.N)
    amount = math.fsum(found.x.tolist())
    dual = amount - bound - 16.0 * U * (amount + bound)
    return max(up((primal - dual) / primal * (1.0 + 8.0 * U)), 0.0) if primal > 0.0 else 0.0
