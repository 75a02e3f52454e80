"""Counterfactuals: for each row of a table the nearest input found with another prediction."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.lvq import robustness
from markone.numerics.arrays import Array

# Bisection steps on the line to a prototype of another class.
HALVINGS = 30
# Number of features listed: those that change most.
NAMED = 6


@dataclass(frozen=True)
class Counterfactuals:
    """`moved` rows and their `labels`; `found` where the prediction changes; `exact` if none is nearer."""

    moved: Array
    labels: Array
    found: Array
    exact: bool


def find_counterfactuals(model: Any, X: Array) -> Counterfactuals:
    """Move each row along the normal of the nearest boundary; with one metric per class, whose boundaries are
    curved, towards the prototype of another class whose boundary is nearest."""
    if getattr(getattr(model, "lambda_", None), "ndim", 0) == 3:
        return _towards_prototypes(model, X)
    known = robustness(model, X)
    return Counterfactuals(known.counterfactual, known.label, known.flips, known.exact)


def _towards_prototypes(model: Any, X: Array) -> Counterfactuals:
    before = model.predict(X)
    best, distance = X.copy(), np.full(len(X), np.inf)
    for prototype, label in zip(model.prototypes_, model.prototype_labels_, strict=True):
        # At the prototype itself the prediction differs, unless it is of the row's own class.
        low, high = np.zeros(len(X)), np.ones(len(X))
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            other = model.predict(X + middle[:, None] * (prototype - X)) != before
            low, high = np.where(other, low, middle), np.where(other, middle, high)
        moved = X + high[:, None] * (prototype - X)
        away = np.where(label != before, np.linalg.norm(moved - X, axis=1), np.inf)
        nearer = away < distance
        best[nearer], distance[nearer] = moved[nearer], away[nearer]
    labels = model.predict(best)
    return Counterfactuals(best, labels, labels != before, exact=False)


def counterfactuals_for_page(model: Any, X: Array, raw: Array, directions: Array) -> dict[str, Any]:
    """Return one entry per row: its place in the picture, its distance, and the features that change most."""
    known = find_counterfactuals(model, X)
    change = known.moved - X
    order = np.argsort(-(change**2), axis=1, kind="stable")[:, :NAMED]
    would_be = raw.mean(axis=0) + known.moved * raw.std(axis=0)
    return {
        "exact": known.exact,
        "found": known.found.tolist(),
        "answer": np.searchsorted(model.classes_, model.predict(X)).tolist(),
        "other": np.searchsorted(model.classes_, known.labels).tolist(),
        "away": np.round(np.linalg.norm(change, axis=1), 5).tolist(),
        "place": np.round(known.moved @ directions, 4).tolist(),
        "order": order.tolist(),
        "is": np.take_along_axis(raw, order, axis=1).tolist(),
        "would_be": _round_digits(np.take_along_axis(would_be, order, axis=1)),
    }


def _round_digits(values: Array) -> list[list[float]]:
    return [[float(f"{value:.5g}") for value in row] for row in values.tolist()]
