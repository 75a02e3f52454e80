"""Linear models from sums over partitions: least squares by TSQR, Hebb and the margin costs.

TSQR: the triangular factor R of each partition replaces its rows. |A w - b|^2 = |R (w, -1)|^2 for the
triangle R of (A, b), without the squared condition number of A'A.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg
from scipy.optimize import minimize

from markone.numerics.arrays import Array
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


def add_clamped_input(X: Array, clamped: float) -> Array:
    return np.hstack([X, np.full((len(X), 1), clamped)]) if clamped else X


def _hebb_sum(X: Array, y: Array, clamped: float, classes: Array) -> tuple[Array]:
    return (_class_signs(y, classes).T @ add_clamped_input(X, clamped),)


def hebb_weights(model: Any, sums: PartitionSums, classes: Array) -> Array:
    """w = (1/N) sum S xi   (1.6)."""
    clamped = float(model.intercept_scaling) if model.fit_intercept else 0.0
    (W,) = sums.total(_hebb_sum, clamped, classes)
    return np.asarray(W / W.shape[1])


def _margin_sum(
    X: Array, y: Array, w: Array, clamped: float, label: Any, k: int, c: float, width: float
) -> tuple[float, Array]:
    A, S = add_clamped_input(X, clamped), np.where(y == label, 1.0, -1.0)
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
