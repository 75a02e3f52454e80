"""Linear models from sums over partitions: least squares by TSQR, Hebb and the margin costs.

TSQR: the triangular factor R of each partition replaces its rows. |A w - b|^2 = |R (w, -1)|^2 for the
triangle R of (A, b), without the squared condition number of A'A.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning

from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.perceptron.margin import solve_margin_problem
from markone.perceptron.students.margin_cost import WIDTHS, _rounded_hinge, _squared_hinge
from markone.tables.partitions.partition_sums import PartitionSums


def _triangular_factor(X: Array, y: Array, clamped: float, classes: Array | None) -> tuple[Array, int]:
    """Return R of (X, clamped, targets) and the number of rows; targets are y, or +-1 for each class."""
    A = np.hstack([X, np.full((len(X), 1), clamped)]) if clamped else X
    B = _class_signs(y, classes) if classes is not None else np.asarray(y, dtype=np.float64)[:, None]
    return np.asarray(linalg.qr(np.hstack([A, B]), mode="r")[0])[: A.shape[1] + B.shape[1]], len(y)


def _class_signs(y: Array, classes: Array) -> Array:
    """S = +-1: one column for two classes, one for each of more."""
    if len(classes) == 2:
        return np.where(y == classes[1], 1.0, -1.0)[:, None]
    return np.where(y[:, None] == classes, 1.0, -1.0)


def _combine_factors(sums: PartitionSums, clamped: float, classes: Array | None) -> tuple[Array, int]:
    """Triangular factor of all rows, from those of the partitions in their order."""
    R, P = None, 0
    for part, rows in sums.map_partitions(_triangular_factor, clamped, classes):
        R = part if R is None else np.asarray(linalg.qr(np.vstack([R, part]), mode="r")[0])[: part.shape[1]]
        P += rows
    assert R is not None
    return R, P


def fit_linear_unit(model: Any, sums: PartitionSums) -> Any:
    """Fit a LinearUnit as `LinearUnit.fit` does on all rows   (2.8, 2.10, 2.17)."""
    R, P = _combine_factors(sums, float(model.fit_intercept), None)
    A, b = R[:, :-1], R[:, -1]
    decay = np.full(A.shape[1], float(model.ridge))
    if model.fit_intercept:
        decay[-1] = 0.0
    U, s, Vt = np.linalg.svd(np.vstack([A, np.diag(np.sqrt(decay))]), full_matrices=False)
    used = s > s.max(initial=0.0) * max(P, A.shape[1]) * np.finfo(float).eps
    inverse = (Vt[used].T / s[used] ** 2) @ Vt[used]
    w = (Vt[used].T / s[used]) @ (U[: len(b), used].T @ b)
    free = P - float(np.sum((A @ inverse) * A))
    residual = float(np.sum((b - A @ w) ** 2))
    estimate = np.sqrt(residual / free) if free > 1e-8 * P else np.nan
    model.sigma_ = float(estimate if model.sigma is None else model.sigma)
    model.covariance_ = model.sigma_**2 * inverse
    model.coef_, model.intercept_ = (w[:-1], float(w[-1])) if model.fit_intercept else (w, 0.0)
    return model


def adaline_weights(model: Any, sums: PartitionSums, classes: Array) -> Array:
    """Weights of each class, that of the clamped input last   (2.8, 2.9)."""
    clamped = float(model.intercept_scaling) if model.fit_intercept else 0.0
    R, _ = _combine_factors(sums, clamped, classes)
    K = 1 if len(classes) == 2 else len(classes)
    A, B = R[:, :-K], R[:, -K:]
    if model.ridge > 0:
        root = np.sqrt(model.ridge) * np.eye(A.shape[1])
        A, B = np.vstack([A, root]), np.vstack([B, np.zeros((A.shape[1], K))])
    return np.asarray(linalg.lstsq(A, B, lapack_driver="gelsd")[0]).T


def _add_clamped_input(X: Array, clamped: float) -> Array:
    return np.hstack([X, np.full((len(X), 1), clamped)]) if clamped else X


def _hebb_sum(X: Array, y: Array, clamped: float, classes: Array) -> tuple[Array]:
    return (_class_signs(y, classes).T @ _add_clamped_input(X, clamped),)


def hebb_weights(model: Any, sums: PartitionSums, classes: Array) -> Array:
    """w = (1/N) sum S xi   (1.6)."""
    clamped = float(model.intercept_scaling) if model.fit_intercept else 0.0
    (W,) = sums.total(_hebb_sum, clamped, classes)
    return np.asarray(W / W.shape[1])


def _margin_sum(
    X: Array, y: Array, w: Array, clamped: float, label: Any, k: int, c: float, width: float
) -> tuple[float, Array]:
    A, S = _add_clamped_input(X, clamped), np.where(y == label, 1.0, -1.0)
    gap = c - S * (A @ w)
    value, slope = _squared_hinge(gap) if k == 2 else _rounded_hinge(gap, width * c)
    return float(value.sum()), -(A.T @ (slope * S))


def margin_cost_weights(model: Any, sums: PartitionSums, classes: Array, P: int, N: int) -> Array:
    """Minimise H^[k] by L-BFGS with value and gradient by partial sums; the same steps as on all rows."""
    clamped = float(model.intercept_scaling) if model.fit_intercept else 0.0
    options = {"maxiter": model.max_iter, "gtol": model.tol * P, "ftol": 0.0, "maxcor": 20}
    found = []
    for label in classes[1:] if len(classes) == 2 else classes:
        w = np.zeros(N + bool(clamped))
        for width in WIDTHS if model.k == 1 else (1.0,):

            def cost(w: Array, width: float = width, label: Any = label) -> tuple[float, Array]:
                value, slope = sums.total(_margin_sum, w, clamped, label, model.k, model.c, width)
                return value, slope

            w = minimize(cost, w, jac=True, method="L-BFGS-B", options=options).x
        found.append(w)
    return np.array(found)


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
        return _add_clamped_input(X, self.clamped) * np.where(y == self.label, 1.0, -1.0)[:, None]

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
        A = _add_clamped_input(X, clamped) * S[:, None]
        w = _solve_weighted_margin(model, A, stand_for)
        if len(y) < P:
            # Standard error of E for the sample's w: the w of a part differs by sqrt(PART - 1) times as much.
            part = _solve_weighted_margin(model, A[::PART], PART * stand_for[::PART], w)
            width = ERRORS * float(np.sqrt(np.mean((A @ (part - w)) ** 2) / (PART - 1)))
            w, rows = _solve_all_rows(model, sums, MarginBand(label, clamped, w, width))
            most = max(most, rows)
        found.append(w)
    W = np.array(found)
    if not clamped:
        return W, np.zeros(len(W)), most
    return W[:, :-1], W[:, -1] * clamped, most


def _solve_all_rows(model: Any, sums: PartitionSums, sides: MarginBand) -> tuple[Array, int]:
    """Return the solution for all rows, and the number of rows in memory."""
    near = WorkingRows.of(sums, sides)
    for _ in range(MAX_ROUNDS):
        if len(near.A) > MOST_ROWS:
            raise BadTable(
                f"More than {MOST_ROWS} rows lie on or near the margin: they do not fit into memory. Use "
                "MarginCost, which needs sums only, or a sample."
            )
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
