"""Perceptrons from sums over partitions: Hebb and the margin costs."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize

from markone.numerics.arrays import Array
from markone.perceptron.students.margin_cost import WIDTHS, _rounded_hinge, _square
from markone.tables.partitions.least_squares import signs
from markone.tables.partitions.summing import Summing


def augmented(X: Array, clamped: float) -> Array:
    return np.hstack([X, np.full((len(X), 1), clamped)]) if clamped else X


def hebb_sum(X: Array, y: Array, clamped: float, classes: Array) -> tuple[Array]:
    return (signs(y, classes).T @ augmented(X, clamped),)


def hebb(model: Any, sums: Summing, classes: Array) -> Array:
    """w = (1/N) sum S xi   (1.6)."""
    clamped = float(model.intercept_scaling) if model.fit_intercept else 0.0
    (W,) = sums.total(hebb_sum, clamped, classes)
    return np.asarray(W / W.shape[1])


def margin_sum(
    X: Array, y: Array, w: Array, clamped: float, label: Any, k: int, c: float, width: float
) -> tuple[float, Array]:
    A, S = augmented(X, clamped), np.where(y == label, 1.0, -1.0)
    gap = c - S * (A @ w)
    value, slope = _square(gap) if k == 2 else _rounded_hinge(gap, width * c)
    return float(value.sum()), -(A.T @ (slope * S))


def margin_cost(model: Any, sums: Summing, classes: Array, P: int, N: int) -> Array:
    """Minimise H^[k] by L-BFGS with value and gradient by partial sums; the same steps as on all rows."""
    clamped = float(model.intercept_scaling) if model.fit_intercept else 0.0
    options = {"maxiter": model.max_iter, "gtol": model.tol * P, "ftol": 0.0, "maxcor": 20}
    found = []
    for label in classes[1:] if len(classes) == 2 else classes:
        w = np.zeros(N + bool(clamped))
        for width in WIDTHS if model.k == 1 else (1.0,):

            def cost(w: Array, width: float = width, label: Any = label) -> tuple[float, Array]:
                value, slope = sums.total(margin_sum, w, clamped, label, model.k, model.c, width)
                return value, slope

            w = minimize(cost, w, jac=True, method="L-BFGS-B", options=options).x
        found.append(w)
    return np.array(found)
