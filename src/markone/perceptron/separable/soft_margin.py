"""Proven duality gap of the soft margin (4.3), rounding errors included."""

import math

import numpy as np

from markone.perceptron.margin.optimum import Optimum
from markone.perceptron.margin.problem import Quadratic
from markone.perceptron.separable._roundings import U
from markone.perceptron.separable.both_bounds import LEAST, MOST, bounds_from_sums, compute_bound_sums
from markone.perceptron.separable.bounds import (
    lower_bound_from_potentials,
    lower_stability_bound,
    norm_bounds,
    root_bounds,
    round_up,
    upper_bound_from_sum,
)
from markone.perceptron.separable.rows import Rows, build_rows


def certify_soft_margin(problem: Quadratic, found: Optimum, tol: float) -> Optimum:
    """Set the proven `gap`: (cost of w - lower bound from x on all costs) / cost of w."""
    rows = build_rows(problem.xi, problem.S, problem.longest_norm)
    figures = compute_bound_sums(rows, problem.gamma, found.w, found.x)
    ordinary = math.isfinite(figures.least) and LEAST < figures.weight < MOST and figures.has_upper_bound
    if problem.all_count and ordinary:
        lower, upper = bounds_from_sums(rows, found.w, found.x, figures)
        long, high = root_bounds(figures.weight, 1.0)[1], root_bounds(figures.square, 1.0)[1] / rows.scale
        gap = _relative_gap(problem.N, long, figures.cost, high, figures.total)
    else:
        lower, upper, gap = _bounds_in_numpy(problem, found, rows)
    status, message = found.status, found.message
    if status in ("exact", "converged") and gap > max(tol, 1e-9):
        status = "max_epochs"
        message = f"stopped with a relative duality gap of {gap:.1e}: scale the inputs, or raise tol."
    f = found
    return Optimum(f.x, f.w, f.E, lower, upper, gap, f.n_epochs, f.n_newton, status, message)


def _bounds_in_numpy(problem: Quadratic, found: Optimum, rows: Rows) -> tuple[float, float, float]:
    """Both bounds on the stability and the gap, for huge or tiny numbers, or if not all examples count."""
    # E is of order one with an error bound; scaling by a power of two is exact.
    E, error = rows.compute_potentials(found.w)
    g, g_error = rows.embedding(found.x)
    # E - error is rounded as well, which matters where 1 - E is small.
    least = (E - (error + 2.0 * U * np.abs(E))) / rows.scale
    missing = np.maximum(1.0 - least, 0.0) * (1.0 + 4.0 * U)
    hinge = math.fsum((problem.gamma * missing).tolist())
    high = norm_bounds((np.abs(g) + g_error) / rows.scale * (1.0 + 4.0 * U))[1]
    gap = _relative_gap(problem.N, norm_bounds(found.w)[1], hinge, high, math.fsum(found.x.tolist()))
    if problem.all_count:
        lower = lower_bound_from_potentials(rows, found.w, None, E, error)
    else:
        lower = lower_stability_bound(rows.only(problem.counted_examples), found.w)
    return lower, upper_bound_from_sum(rows, found.x, g, g_error), gap


def _relative_gap(N: int, long: float, hinge: float, high: float, amount: float) -> float:
    """(primal - dual) / primal of (4.3), (4.5), rounded up, given upper bounds on |w| and |sum x S xi|."""
    primal = (N / 2 * long**2 + hinge) * (1.0 + 16.0 * U)
    bound = high**2 / (2 * N)
    dual = amount - bound - 16.0 * U * (amount + bound)
    return max(round_up((primal - dual) / primal * (1.0 + 8.0 * U)), 0.0) if primal > 0.0 else 0.0
