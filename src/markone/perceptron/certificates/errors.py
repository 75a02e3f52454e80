"""Proven duality gap of the soft margin (4.3), rounding errors included."""

import math

import numpy as np

from markone.perceptron.certificates._roundings import U
from markone.perceptron.certificates.both_bounds import LEAST, MOST, figures_of, from_figures
from markone.perceptron.certificates.bounds import from_below, from_sum, least_stability, length, root_of, up
from markone.perceptron.certificates.rows import Rows, rows_of
from markone.perceptron.quadratic.optimum import Optimum
from markone.perceptron.quadratic.problem import Quadratic


def certified(problem: Quadratic, found: Optimum, tol: float) -> Optimum:
    """Set the proven `gap`: (cost of w - lower bound from x on all costs) / cost of w."""
    rows = rows_of(problem.xi, problem.S, problem.length)
    figures = figures_of(rows, problem.gamma, found.w, found.x)
    ordinary = math.isfinite(figures.least) and LEAST < figures.weight < MOST and figures.of_strengths
    if problem.all_count and ordinary:
        lower, upper = from_figures(rows, found.w, found.x, figures)
        long, high = root_of(figures.weight, 1.0)[1], root_of(figures.square, 1.0)[1] / rows.scale
        gap = _relative_gap(problem.N, long, figures.cost, high, figures.total)
    else:
        lower, upper, gap = _carefully(problem, found, rows)
    status, message = found.status, found.message
    if status in ("exact", "converged") and gap > max(tol, 1e-9):
        status = "max_epochs"
        message = f"stopped with a relative duality gap of {gap:.1e}: scale the inputs, or raise tol."
    f = found
    return Optimum(f.x, f.w, f.E, lower, upper, gap, f.n_epochs, f.n_newton, status, message)


def _carefully(problem: Quadratic, found: Optimum, rows: Rows) -> tuple[float, float, float]:
    """Both bounds on the stability and the gap, for huge or tiny numbers, or if not all examples count."""
    # E is of order one with an error bound; scaling by a power of two is exact.
    E, error = rows.potentials(found.w)
    g, g_error = rows.embedding(found.x)
    # E - error is rounded as well, which matters where 1 - E is small.
    least = (E - (error + 2.0 * U * np.abs(E))) / rows.scale
    missing = np.maximum(1.0 - least, 0.0) * (1.0 + 4.0 * U)
    hinge = math.fsum((problem.gamma * missing).tolist())
    high = length((np.abs(g) + g_error) / rows.scale * (1.0 + 4.0 * U))[1]
    gap = _relative_gap(problem.N, length(found.w)[1], hinge, high, math.fsum(found.x.tolist()))
    if problem.all_count:
        lower = least_stability(rows, found.w, None, E, error)
    else:
        lower = from_below(rows.only(problem.counted), found.w)
    return lower, from_sum(rows, found.x, g, g_error), gap


def _relative_gap(N: int, long: float, hinge: float, high: float, amount: float) -> float:
    """(primal - dual) / primal of (4.3), (4.5), rounded up, given upper bounds on |w| and |sum x S xi|."""
    primal = (N / 2 * long**2 + hinge) * (1.0 + 16.0 * U)
    bound = high**2 / (2 * N)
    dual = amount - bound - 16.0 * U * (amount + bound)
    return max(up((primal - dual) / primal * (1.0 + 8.0 * U)), 0.0) if primal > 0.0 else 0.0
