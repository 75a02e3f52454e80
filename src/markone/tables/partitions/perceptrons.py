"""Perceptrons from sums over partitions: Hebb, the margin costs, and the soft margin by a working set."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.optimize import minimize
from sklearn.base import clone

from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.perceptron.students.margin_cost import WIDTHS, _rounded_hinge, _square
from markone.tables.partitions.least_squares import signs
from markone.tables.partitions.summing import Summing

# Rows of the first working set, and how many it may have.
FIRST_ROWS, MOST_ROWS = 20_000, 4_000_000
ROUNDS = 50
# Potentials are exact to rounding on the working set; a row outside it must not cost more than this.
SLACK = 1e-10


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
    """H^[k] by L-BFGS, its value and gradient by partial sums; the same steps as with all rows at once."""
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


def every(X: Array, y: Array, step: int) -> tuple[Array, Array, Array]:
    rows = np.arange(0, len(y), step)
    return X[rows], y[rows], rows


def violators(X: Array, y: Array, W: Array, b: Array, labels: Array) -> tuple[Array, Array, Array]:
    """The rows with E < 1 for one of the perceptrons: those that would cost something."""
    S = np.where(y[:, None] == labels, 1.0, -1.0)
    rows = np.flatnonzero((S * (X @ W.T + b) < 1 - SLACK).any(axis=1))
    return X[rows], y[rows], rows


def soft_margin(model: Any, sums: Summing, classes: Array, P: int) -> tuple[Array, Array, int]:
    """The soft margin exactly: rows outside the working set have E >= 1, so x = 0 there (Kuhn-Tucker).

    The fit to the working set is the library's own; each round adds the rows that it would have to pay for.
    """
    labels = classes[1:] if len(classes) == 2 else classes
    step = max(1, P // FIRST_ROWS)
    kept = dict(enumerate(sums.each(every, step)))
    for _ in range(ROUNDS):
        X = np.concatenate([part[0] for part in kept.values()])
        y = np.concatenate([part[1] for part in kept.values()])
        fits = [clone(model).fit(X, y == label) for label in labels]
        W, b = np.vstack([f.coef_ for f in fits]), np.concatenate([f.intercept_ for f in fits])
        added = 0
        for k, (more, label, rows) in enumerate(sums.each(violators, W, b, labels)):
            new = ~np.isin(rows, kept[k][2])
            added += int(new.sum())
            old = kept[k]
            kept[k] = tuple(
                np.concatenate([a, c[new]]) for a, c in zip(old, (more, label, rows), strict=True)
            )
        if not added:
            return W, b, len(y)
        if len(y) + added > MOST_ROWS:
            raise BadTable(
                f"More than {MOST_ROWS} rows lie inside the margin: they do not fit into memory. Use "
                "MarginCost, whose sums need no rows, or a sample."
            )
    raise BadTable(f"The working set still grows after {ROUNDS} rounds: use a smaller C, or a sample.")
