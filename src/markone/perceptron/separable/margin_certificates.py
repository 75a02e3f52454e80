"""Proven bounds and status of AdaTron's results: stability of the hard margin, gap of the soft one (4.3)."""

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from markone.perceptron.margin._ascent import potentials_of_examples
from markone.perceptron.margin.optimum import Optimum
from markone.perceptron.margin.problem import Quadratic
from markone.perceptron.separable._roundings import U
from markone.perceptron.separable.bounds import EMPTY, balance_exactly, round_up, stability_bounds
from markone.perceptron.separable.exact.nearest import NearestPoint, nearest_point
from markone.perceptron.separable.rows import Floats, Rows, build_rows
from markone.perceptron.separable.verdict import ProvenVerdict, prove_verdict

# A larger relative gap is not rounding of ordinary data: solve again in double-double arithmetic.
SHARP = 1e-10


def certify_hard_margin(problem: Quadratic, found: Optimum, tol: float, careful: bool) -> Optimum:
    """Set proven bounds and the status that follows; with `careful` uncertain results are solved again.

    If the threshold is free the last column of `problem` must be 1, and the weights are not improved.
    """
    rows = build_rows(problem.xi, problem.S, problem.longest_norm)
    rows = rows if problem.all_count else rows.select_rows(problem.counted_examples)
    judged = _bound_student(rows, found.w, problem.select_counted(found.x), problem.free)
    if judged.lower > 0.0 and (judged.gap <= SHARP or not careful):
        return _build_optimum(problem, found, judged, tol)
    if found.status == "not_separable" or careful:
        answer = prove_verdict(rows, found.w, judged.x, careful)
        if problem.free:
            answer = replace(answer, lower=min(judged.lower, 0.0), upper=judged.upper)
        if answer.separable is False:
            return _not_separable_optimum(problem, found, answer)
        if problem.free and answer.separable:
            judged = max((judged, _bound_student(rows, answer.w, judged.x, True)), key=lambda j: j.lower)
        elif careful and answer.separable is not None:
            judged = _improve_student(rows, judged, answer)
        elif answer.separable is None and found.status == "not_separable":
            return _undecided_optimum(problem, found, answer)
    return _build_optimum(problem, found, judged, tol)


class _BoundedStudent(NamedTuple):
    """A student, the strengths of the upper bound, and the proven bounds."""

    w: Floats
    x: Floats
    lower: float
    upper: float

    @property
    def gap(self) -> float:
        return (self.upper - self.lower) / self.upper if 0.0 < self.upper < np.inf else np.inf


def _bound_student(rows: Rows, w: Floats, x: Floats, free: bool = False) -> _BoundedStudent:
    if not free:
        return _BoundedStudent(w, x, *stability_bounds(rows, w, x)[:2])
    x = balance_exactly(x, rows.S)
    return _BoundedStudent(w, x, *stability_bounds(rows, w, x, scaling=np.inf)[:2])


def _improve_student(rows: Rows, judged: _BoundedStudent, answer: ProvenVerdict) -> _BoundedStudent:
    """The best of the students found so far and the one found in double-double arithmetic."""
    best = max((judged, _bound_student(rows, answer.w, answer.x)), key=lambda j: j.lower)
    Z = rows.signed_inputs()
    point = nearest_point(Z / np.abs(Z).max(), np.where(judged.x > 0.0, judged.x, 0.0))
    if point is None or not point.r.any():
        return best
    w, x = _scale_to_margin(rows, point)
    lower, upper = stability_bounds(rows, w, point.x, EMPTY, point.x_low)[:2]
    upper = min(upper, judged.upper, answer.upper)
    if lower < best.lower:
        w, lower = best.w, best.lower
    return _BoundedStudent(w, x, lower, upper)


def _scale_to_margin(rows: Rows, point: NearestPoint) -> tuple[Floats, Floats]:
    """w with E = 1 at the margin and x with w = (1/N) sum x S xi (3.13)."""
    N, top = rows.shape[1], float(np.abs(rows.input_values).max())
    margin = float(point.w @ point.w) / float(point.x.sum())
    if not margin * top * top > 1e-290:
        # For inputs this small E = 1 is out of the range of floats: only the direction is returned.
        return point.w, point.x
    return point.w / (margin * top), N * point.x / (margin * top * top)


def _build_optimum(problem: Quadratic, found: Optimum, judged: _BoundedStudent, tol: float) -> Optimum:
    """Result with the status that follows from the proven gap."""
    status, message = found.status, found.message
    if judged.w is not found.w or status in ("not_separable", "exact", "converged"):
        status = "exact" if judged.gap <= 1e-9 else "converged" if judged.gap <= tol else "max_epochs"
    if status == "exact" and found.status == "converged":
        status = "converged"
    counts = f"after {found.n_epochs} epochs and {found.n_newton} Newton steps"
    if status == "max_epochs":
        bounds = f"{judged.lower:.6g} <= kappa_max <= {judged.upper:.6g}"
        bounds = bounds if judged.lower > 0.0 else f"kappa = {judged.lower:.3g} <= 0"
        advice = "raise max_iter or tol."
        if judged.lower <= 0.0:
            advice = "the data may not be separable. Set C to allow errors, or raise max_iter or tol."
        elif judged.w is not found.w:
            advice = "floats cannot represent the best student of inputs so far from zero. Centre the inputs."
        message = f"stopped {counts} with {bounds}: {advice}"
    elif status != found.status:
        message = f"reached a relative gap of {judged.gap:.1e} {counts}."
    bounds_and_gap = judged.lower, judged.upper, judged.gap
    return _replace_optimum(problem, found, judged.w, judged.x, *bounds_and_gap, status, message)


def _not_separable_optimum(problem: Quadratic, found: Optimum, answer: ProvenVerdict) -> Optimum:
    x, squares = answer.x, problem.select_counted(problem.squared_norms)
    message = (
        "found that the data are not linearly separable: x >= 0 with sum x S xi = 0 exists, which is proven "
        f"({np.count_nonzero(x)} examples balance). The best student found has kappa = {answer.lower:.3g}. "
        "Set C to allow errors."
    )
    if not squares[x != 0].any():
        message = (
            f"found that the data are not linearly separable: {np.sum(squares == 0)} example(s) are all zero "
            "and have E = 0 for any weights. Remove them, set fit_intercept=True, or set C to allow errors."
        )
    return _replace_optimum(problem, found, found.w, x, answer.lower, 0.0, np.inf, "not_separable", message)


def _undecided_optimum(problem: Quadratic, found: Optimum, answer: ProvenVerdict) -> Optimum:
    message = (
        f"could not decide whether the data are separable: {answer.lower:.3g} <= kappa_max <= "
        f"{answer.upper:.3g} is all that is proven, and the set is too large for exact arithmetic. "
        "Scale the inputs to a similar size, or set C to allow errors."
    )
    bounds = answer.lower, answer.upper
    return _replace_optimum(problem, found, found.w, answer.x, *bounds, np.inf, "undecided", message)


def _replace_optimum(problem: Quadratic, found: Optimum, w: Floats, x: Floats, *rest: Any) -> Optimum:
    """The result found with these weights, and strengths x of the examples that count."""
    lower, upper, gap, status, message = rest
    if not problem.all_count:
        strengths = np.zeros(len(problem.S))
        strengths[problem.counted_examples] = x
        x = strengths
    E = found.E if w is found.w else potentials_of_examples(problem.xi, problem.S, w)
    return Optimum(x, w, E, lower, upper, gap, found.n_epochs, found.n_newton, status, message)


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
