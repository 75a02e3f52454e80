"""Perceptrons from sums over partitions: Hebb and the margin costs."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize

from markone.numerics.arrays import Array
from markone.perceptron.students.margin_cost import WIDTHS, _rounded_hinge, _squared_hinge
from markone.tables.partitions.least_squares import class_signs
from markone.tables.partitions.partition_sums import PartitionSums


def add_clamped_input(X: Array, clamped: float) -> Array:
    return np.hstack([X, np.full((len(X), 1), clamped)]) if clamped else X


def _hebb_sum(X: Array, y: Array, clamped: float, classes: Array) -> tuple[Array]:
    return (class_signs(y, classes).T @ add_clamped_input(X, clamped),)


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
