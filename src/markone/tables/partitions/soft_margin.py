"""The soft margin of partitions, exactly, with few of their rows in memory.

At the solution (Kuhn and Tucker) x = 0 where E > 1 and x = gamma where E < 1: rows of the second kind enter
only through their sum, those of the first not at all. Only rows near E = 1 are needed individually.
Steps: fit a sample; load the rows within a band around E = 1; replace all rows below the band by one example,
their mean with their total weight. AdaTron's solution for these is that of all rows if every other row is on
the assumed side. Rows that are not are added, until none is misplaced.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.perceptron.margin import solve_margin_problem
from markone.tables.partitions.linear_models import add_clamped_input
from markone.tables.partitions.partition_sums import PartitionSums

# Rows of the sample, and the largest number in memory.
SAMPLE_ROWS, MOST_ROWS = 400_000, 4_000_000
# Half width of the band in standard errors of E, estimated from a part of the sample. If it is much too
# narrow, many rows are on the wrong side, and the next solution is no better.
ERRORS, PART = 4.0, 4
MAX_ROUNDS = 50
# Potentials are exact to rounding for rows in memory; others may be on the wrong side by this.
SLACK = 1e-10


@dataclass(frozen=True)
class MarginBand:
    """Sides of the band around E = 1 of a first solution w; S = 1 for rows of `label`, -1 for others."""

    label: Any
    clamped: float
    w: Array
    width: float

    def signed_inputs(self, X: Array, y: Array) -> Array:
        """S xi, the clamped input included."""
        return add_clamped_input(X, self.clamped) * np.where(y == self.label, 1.0, -1.0)[:, None]

    def is_near(self, E: Array) -> Array:
        return np.abs(E - 1.0) <= self.width


def _sample_rows(X: Array, y: Array, classes: Array, step: int) -> tuple[Array, Array, Array]:
    """Every `step`-th row of each class, at least one, with the number of rows each represents."""
    rows, stand_for = [], []
    for label in classes:
        own = np.flatnonzero(y == label)
        rows.append(own[::step])
        stand_for.append(np.full(len(rows[-1]), len(own) / max(1, len(rows[-1]))))
    chosen = np.concatenate(rows)
    return X[chosen], y[chosen], np.concatenate(stand_for)


def _split_by_band(X: Array, y: Array, sides: MarginBand) -> tuple[Array, Array, Array, float]:
    """S xi and indices of the near rows; sum of S xi and number of the rows below the band."""
    A = sides.signed_inputs(X, y)
    E = A @ sides.w
    near = sides.is_near(E)
    below = ~near & (E < 1.0)
    return A[near], np.flatnonzero(near), below.astype(float) @ A, float(below.sum())


def _find_misplaced(X: Array, y: Array, sides: MarginBand, w: Array) -> tuple[Array, Array, Array]:
    """S xi and indices of the rows that w puts on another side, and whether they were below the band."""
    A = sides.signed_inputs(X, y)
    E = A @ sides.w
    rest, below, now = ~sides.is_near(E), E < 1.0, A @ w
    wrong = np.flatnonzero(rest & np.where(below, now > 1.0 + SLACK, now < 1.0 - SLACK))
    return A[wrong], wrong, below[wrong]


def soft_margin(model: Any, sums: PartitionSums, classes: Array, P: int) -> tuple[Array, Array, int]:
    """Return weights, thresholds and the largest number of rows in memory."""
    clamped = float(model.intercept_scaling) if model.fit_intercept else 0.0
    clamped = 1.0 if model.fit_intercept == "free" else clamped
    step = -(-P // SAMPLE_ROWS)
    X, y, stand_for = (
        np.concatenate(each) for each in zip(*sums.map_partitions(_sample_rows, classes, step), strict=True)
    )
    found, most = [], len(y)
    for label in classes[1:] if len(classes) == 2 else classes:
        S = np.where(y == label, 1.0, -1.0)
        A = add_clamped_input(X, clamped) * S[:, None]
        w = _solve_weighted_margin(model, A, stand_for)
        if len(y) < P:
            width = ERRORS * _potential_standard_error(model, A, stand_for, w)
            w, rows = _solve_all_rows(model, sums, MarginBand(label, clamped, w, width))
            most = max(most, rows)
        found.append(w)
    W = np.array(found)
    if not clamped:
        return W, np.zeros(len(W)), most
    return W[:, :-1], W[:, -1] * clamped, most


def _potential_standard_error(model: Any, A: Array, weights: Array, w: Array) -> float:
    """Standard error of E for the sample's w: the w of a part differs by sqrt(PART - 1) times as much."""
    part = _solve_weighted_margin(model, A[::PART], PART * weights[::PART], w)
    return float(np.sqrt(np.mean((A @ (part - w)) ** 2) / (PART - 1)))


def _solve_all_rows(model: Any, sums: PartitionSums, sides: MarginBand) -> tuple[Array, int]:
    """Return the solution for all rows, and the number of rows in memory."""
    near = WorkingRows.of(sums, sides)
    for _ in range(MAX_ROUNDS):
        _check_rows_in_memory(len(near.A))
        w = near.solve_working_rows(model)
        if not near.add_misplaced_rows(sums, w):
            return w, len(near.A)
    raise BadTable(f"Rows still change sides after {MAX_ROUNDS} rounds: use a smaller C, or a sample.")


@dataclass
class WorkingRows:
    """S xi of the rows in memory, their indices per partition, and the sum over the rows below the band."""

    sides: MarginBand
    A: Array
    known: list[Array]
    below: Array
    count: float

    @classmethod
    def of(cls, sums: PartitionSums, sides: MarginBand) -> WorkingRows:
        rows, known, below, count = zip(*sums.map_partitions(_split_by_band, sides), strict=True)
        return cls(sides, np.concatenate(rows), list(known), sum(below), sum(count))

    def solve_working_rows(self, model: Any) -> Array:
        # The mean of all rows below also has E < 1: its embedding strength is at the bound, as theirs.
        mean = self.below[None] / self.count if self.count else np.zeros((0, self.A.shape[1]))
        weights = np.append(np.ones(len(self.A)), [self.count] * len(mean))
        return _solve_weighted_margin(model, np.concatenate([self.A, mean]), weights, self.sides.w)

    def add_misplaced_rows(self, sums: PartitionSums, w: Array) -> int:
        """Load the rows that w puts on the wrong side; return their number."""
        added = []
        for k, (rows, numbers, were_below) in enumerate(sums.map_partitions(_find_misplaced, self.sides, w)):
            new = ~np.isin(numbers, self.known[k])
            self.known[k] = np.concatenate([self.known[k], numbers[new]])
            gone = new & were_below
            self.below, self.count = self.below - rows[gone].sum(axis=0), self.count - float(gone.sum())
            added.append(rows[new])
        self.A = np.concatenate([self.A, *added])
        return sum(map(len, added))


def _solve_weighted_margin(model: Any, A: Array, weights: Array, w: Array | None = None) -> Array:
    """Soft margin of weighted examples S xi = A; w gives the bounds at which the strengths start."""
    gamma = model.C * A.shape[1] * weights
    x0 = None if w is None else np.where(A @ w < 1.0, gamma, 0.0)
    how = {"tol": model.tol, "exact": model.exact, "max_epochs": model.max_iter}
    how["free"] = model.fit_intercept == "free"
    found = solve_margin_problem(np.ascontiguousarray(A), np.ones(len(A)), gamma, x0=x0, **how)
    if found.status not in ("exact", "converged"):
        warnings.warn(found.message, ConvergenceWarning, stacklevel=2)
    return np.asarray(found.w)


def _check_rows_in_memory(rows: int) -> None:
    if rows > MOST_ROWS:
        raise BadTable(
            f"More than {MOST_ROWS} rows lie on or near the margin: they do not fit into memory. Use "
            "MarginCost, which needs sums only, or a sample."
        )
