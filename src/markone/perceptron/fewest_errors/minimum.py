"""Proven bounds on the fewest errors possible, and a student that attains the upper one."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from markone.numerics.arrays import Array
from markone.perceptron.fewest_errors._coordinate_descent import descend_errors
from markone.perceptron.fewest_errors.tree import SearchTree, infeasible_subset
from markone.perceptron.margin.solve import solve_margin_problem
from markone.perceptron.separable._bounds import weight_sums
from markone.perceptron.separable.bounds import EMPTY
from markone.perceptron.separable.rows import build_rows

# Steps of the coordinate descent for the upper bound.
STEPS = 2000
# For more inputs than this the lower bound is that of disjoint infeasible subsets.
MOST_INPUTS = 40


@dataclass
class Minimum:
    """lower <= fewest errors <= upper, the errors of w; E <= 0 is an error."""

    lower: int
    upper: int
    w: Array
    n_nodes: int = 0


def minimise_errors(
    Z: Array,
    w: Array,
    seed: int,
    goes_on: Callable[[int], bool],
    report: Callable[[Minimum], None] | None = None,
) -> Minimum:
    """Bounds for the rows Z = S xi and a student, from the start w, while `goes_on(nodes)`.

    `report` is called when the lower bound has been raised.
    """
    some = Z.any(axis=1)
    # Rows of zeros are errors of any student.
    found, rows = Minimum(int((~some).sum()), len(Z), w), np.ascontiguousarray(Z[some])
    scaled, columns = _scale_exactly(rows)
    if len(rows) and scaled is not None:
        v = _scale_weights(w, -columns)
        descend_errors(scaled, v, STEPS, np.array([seed], dtype=np.uint64))
        _keep_better(Z, _scale_weights(v, columns), found)
    _keep_better(Z, w, found)
    if scaled is None or Z.shape[1] > MOST_INPUTS:
        subsets, v = count_disjoint_subsets(rows, found.upper - found.lower, goes_on)
        found.lower += subsets
        _keep_better(Z, v, found)
    else:
        _search_levels(Z, scaled, columns, found, goes_on, report)
    return found


def _search_levels(
    Z: Array,
    scaled: Array,
    columns: Array,
    found: Minimum,
    goes_on: Callable[[int], bool],
    report: Callable[[Minimum], None] | None,
) -> None:
    """Raise the lower bound one by one: is there a student with at most that many errors?"""
    tree, blank = SearchTree(scaled), found.lower
    while found.lower < found.upper:
        solved = tree.find_student(found.lower - blank, goes_on)
        found.n_nodes = tree.n_nodes
        if solved:
            _keep_better(Z, _scale_weights(tree.w, columns), found)
        if solved is not False:
            break
        found.lower += 1
        if report:
            report(found)


def count_disjoint_subsets(Z: Array, most: int, goes_on: Callable[[int], bool]) -> tuple[int, Array]:
    """Number of disjoint infeasible subsets, at most `most`, and weights for the rest, NaN if unknown.

    Each contains an error of any student: E <= 0.
    """
    rest, w, n = np.arange(len(Z)), np.full(Z.shape[1], np.nan), 0
    while n < most and len(rest) and goes_on(n):
        subset = infeasible_subset(Z, rest, w)
        if subset is None:
            break
        rest, n = np.setdiff1d(rest, subset), n + 1
    return n, w


def _scale_exactly(Z: Array) -> tuple[Array | None, Array]:
    """Rows and columns times powers of two, and the exponents of the columns; None if that rounds."""
    columns = np.where(Z.any(axis=0), -np.frexp(np.abs(Z).max(axis=0, initial=0.0))[1], 0)
    scaled = np.ldexp(Z, columns)
    rows = -np.frexp(np.sqrt((scaled * scaled).sum(axis=1)))[1][:, None]
    scaled = np.ldexp(scaled, rows)
    return (scaled if np.array_equal(np.ldexp(np.ldexp(scaled, -rows), -columns), Z) else None), columns


def _scale_weights(w: Array, exponents: Array) -> Array:
    """w 2^exponents, up to a common factor; components out of the range of floats are lost."""
    w = np.ldexp(w, -np.frexp(np.abs(w).max(initial=0.0))[1])
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.ldexp(w, exponents - (int(exponents.max()) + int(exponents.min())) // 2))


def right_rows(Z: Array, w: Array) -> Array:
    """True where E > 0 is proven, rounding errors included."""
    rows, E, error = build_rows(Z, np.ones(len(Z))), np.zeros(len(Z)), np.zeros(len(Z))
    weight_sums(rows.xi, rows.S, rows.scale, np.zeros(len(Z)), w, EMPTY, E, error)
    return np.asarray(error < E)


def _keep_better(Z: Array, w: Array, found: Minimum) -> None:
    """Replace the student by w, of optimal stability on the rows where w is right, if it has fewer errors."""
    if not np.isfinite(w).all():
        return
    right = right_rows(Z, w)
    if not right.any():
        return
    best = solve_margin_problem(Z[right], np.ones(int(right.sum()))).w
    for student in (best, w):
        errors = len(Z) - int(right_rows(Z, student).sum()) if np.isfinite(student).all() else len(Z)
        if errors < found.upper:
            found.upper, found.w = errors, student
