"""Proven bounds and status for the hard-margin result of AdaTron's solver."""

from dataclasses import replace
from typing import Any

import numpy as np

from markone.perceptron.margin._ascent import potentials_of_examples
from markone.perceptron.margin.optimum import Optimum
from markone.perceptron.margin.problem import Quadratic
from markone.perceptron.separable.bounds import EMPTY, balance_exactly, stability_bounds
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


class _BoundedStudent:
    """A student, the strengths of the upper bound, and the proven bounds."""

    def __init__(self, w: Floats, x: Floats, lower: float, upper: float) -> None:
        self.w, self.x, self.lower, self.upper = w, x, lower, upper
        self.gap = (upper - lower) / upper if 0.0 < upper < np.inf else np.inf


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


def _spread_strengths(problem: Quadratic, x: Floats) -> Floats:
    if problem.all_count:
        return x
    out = np.zeros(len(problem.S))
    out[problem.counted_examples] = x
    return out


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
        message = f"stopped {counts} with {bounds}: {_advice_text(judged, found)}"
    elif status != found.status:
        message = f"reached a relative gap of {judged.gap:.1e} {counts}."
    x = _spread_strengths(problem, judged.x)
    return _replace_optimum(
        problem, found, judged.w, x, judged.lower, judged.upper, judged.gap, status, message
    )


def _advice_text(judged: _BoundedStudent, found: Optimum) -> str:
    if judged.lower > 0.0 and judged.w is not found.w:
        return "floats cannot represent the best student of inputs so far from zero. Centre the inputs."
    if judged.lower > 0.0:
        return "raise max_iter or tol."
    return "the data may not be separable. Set C to allow errors, or raise max_iter or tol."


def _not_separable_optimum(problem: Quadratic, found: Optimum, answer: ProvenVerdict) -> Optimum:
    x = _spread_strengths(problem, answer.x)
    blank = int(np.sum(problem.squared_norms[x > 0] == 0))
    message = (
        "found that the data are not linearly separable: x >= 0 with sum x S xi = 0 exists, which is proven "
        f"({np.count_nonzero(x)} examples balance). The best student found has kappa = {answer.lower:.3g}. "
        "Set C to allow errors."
    )
    if blank and np.count_nonzero(x) == blank:
        blanks = int(np.sum(problem.squared_norms[problem.counted_examples] == 0))
        message = (
            f"found that the data are not linearly separable: {blanks} example(s) are all zero and have "
            "E = 0 for any weights. Remove them, set fit_intercept=True, or set C to allow errors."
        )
    return _replace_optimum(problem, found, found.w, x, answer.lower, 0.0, np.inf, "not_separable", message)


def _undecided_optimum(problem: Quadratic, found: Optimum, answer: ProvenVerdict) -> Optimum:
    message = (
        f"could not decide whether the data are separable: {answer.lower:.3g} <= kappa_max <= "
        f"{answer.upper:.3g} is all that is proven, and the set is too large for exact arithmetic. "
        "Scale the inputs to a similar size, or set C to allow errors."
    )
    x = _spread_strengths(problem, answer.x)
    return _replace_optimum(
        problem, found, found.w, x, answer.lower, answer.upper, np.inf, "undecided", message
    )


def _replace_optimum(problem: Quadratic, found: Optimum, w: Floats, x: Floats, *rest: Any) -> Optimum:
    lower, upper, gap, status, message = rest
    E = found.E if w is found.w else potentials_of_examples(problem.xi, problem.S, w)
    return Optimum(x, w, E, lower, upper, gap, found.n_epochs, found.n_newton, status, message)
