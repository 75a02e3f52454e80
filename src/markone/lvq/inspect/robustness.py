"""Robustness radius of a prediction (the distance to a change of the label) and counterfactual.

With one quadratic metric for all prototypes, d_k - d_j is linear in x: the border between two prototypes is a
plane, and the distance to it is (d_k - d_j) / (2 |Lambda (w_k - w_j)|) in the Euclidean norm of the inputs.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.lvq.inspect.borders import Borders, class_borders, one_per_class, without_names
from markone.numerics.arrays import Array

# A counterfactual lies this much beyond the border, relative to its distance and to the inputs.
BEYOND = 1e-6
# Size of the largest temporary array.
BLOCK = 2**21
# Maximum number of doublings of a distance until the label changes, and of bisections to locate it.
DOUBLED, HALVED = 20, 20


@dataclass(frozen=True)
class Robustness:
    """For each row: no change shorter than `radius` changes the label; `exact`: one of that length does.

    Parameters
    ----------
    radius : array (n,)
        In the units of X.
    exact : bool
        True if a change of this length changes the label.
    counterfactual : array (n, N)
        Beyond the border of the closest rival, along its normal until the label changes. Its distance is the
        radius where that is exact, and where it `flips` an upper bound on the true radius.
    label : array (n,)
        Predicted label of the counterfactual.
    flips : array (n,) of bool
        True where the label changes.

    Examples
    --------
    >>> from markone import NearestPrototype
    >>> from markone.lvq import robustness
    >>> model = NearestPrototype().fit([[0.0], [2.0], [10.0], [12.0]], ["low", "low", "high", "high"])
    >>> robustness(model, [[2.0]]).radius.tolist()
    [4.0]
    """

    radius: Array
    exact: bool
    counterfactual: Array
    label: Array
    flips: Array


def robustness(model: Any, X: Any) -> Robustness:
    """Robustness radius of each prediction, in the units of X.

    Exact with one prototype per class: the region of a class is then bounded by planes, and the radius is the
    distance of the nearest one. With several it is a lower bound: the largest radius in which one prototype
    of the class stays closer than every rival; for RSLVQ and MRSLVQ, which sum probabilities, the log odds
    divided by their largest possible slope. Memory is linear in the rows of X.

    Parameters
    ----------
    model : fitted prototype classifier
        With one quadratic metric.
    X : array (n, N)
        The inputs.

    Returns
    -------
    Robustness
        Radius and counterfactual of each row.

    Examples
    --------
    >>> from markone import NearestPrototype
    >>> from markone.lvq import robustness
    >>> model = NearestPrototype().fit([[0.0], [2.0], [10.0], [12.0]], ["low", "low", "high", "high"])
    >>> found = robustness(model, [[2.0]])
    >>> found.exact, found.radius.tolist(), found.label.tolist()
    (True, [4.0], ['high'])
    """
    found = class_borders(model)
    X = np.asarray(model._read_rows(X), dtype=float)
    if np.isnan(X).any():
        raise ValueError("X has missing values; a radius needs all coordinates of an input.")
    model = without_names(model)
    before = model.predict(X)
    rows = max(1, BLOCK // len(found.c) ** 2)
    parts = [
        _border_radius(found, model, X[i : i + rows], before[i : i + rows]) for i in range(0, len(X), rows)
    ]
    radius, j, k = (np.concatenate(part) for part in zip(*parts, strict=True))
    unit = found.unit[j, k]
    distance = radius * (1 + BEYOND) + BEYOND * np.maximum(np.linalg.norm(X, axis=1), 1.0)
    if not one_per_class(model):
        distance = _distance_to_change(model, X, unit, distance, before)
    moved = X + distance[:, None] * unit
    label = model.predict(moved)
    return Robustness(radius, one_per_class(model), moved, label, label != before)


def _border_radius(found: Borders, model: Any, X: Array, before: Array) -> tuple[Array, Array, Array]:
    radius, j, k = found.nearest_border(X, np.searchsorted(model.classes_, before))
    # On a border rounding may give a negative radius.
    return np.maximum(radius, 0.0), j, k


def _distance_to_change(model: Any, X: Array, unit: Array, start: Array, before: Array) -> Array:
    """Distances along `unit`, at least `start`, at which the label changes; `start` where it never does."""

    def keeps_label(rows: Array, length: Array) -> Array:
        return np.asarray(model.predict(X[rows] + length[:, None] * unit[rows]) == before[rows])

    distance, rows = start.copy(), np.arange(len(X))
    rows = rows[keeps_label(rows, distance)]
    high = np.maximum(distance, 1e-3 * np.ptp(model.prototypes_, axis=0).max())
    changed = []
    for _ in range(DOUBLED):
        if not len(rows):
            break
        high[rows] *= 2
        stays = keeps_label(rows, high[rows])
        changed.append(rows[~stays])
        rows = rows[stays]
    rows = np.concatenate([*changed, rows[:0]])
    low, high = distance[rows], high[rows]
    for _ in range(HALVED if len(rows) else 0):
        middle = 0.5 * (low + high)
        stays = keeps_label(rows, middle)
        low, high = np.where(stays, middle, low), np.where(stays, high, middle)
    distance[rows] = high
    return distance
