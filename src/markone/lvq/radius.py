"""How far an input can be moved before its label changes, and where to: radius and counterfactual.

With one quadratic metric for all prototypes, d_k - d_j is linear in x: the border between two prototypes is a
plane, and the distance to it is (d_k - d_j) / (2 |Lambda (w_k - w_j)|) in the Euclidean norm of the inputs.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.lvq.one_metric import Array, class_indices, global_metric

# A counterfactual goes this much further than the border, relative to its way and at the least to the inputs.
BEYOND = 1e-6


@dataclass(frozen=True)
class Robustness:
    """For each row: no change shorter than `radius` changes the label; `exact` where one that long does.

    counterfactual: the nearest point beyond the border of the closest rival; `label` is what it is called.
    Its distance is the radius where that is exact, and an upper bound on the true radius where `flips`.
    """

    radius: Array
    exact: bool
    counterfactual: Array
    label: Array
    flips: Array


def robustness(model: Any, X: Any) -> Robustness:
    """The robustness radius of each prediction, in the units of X.

    Exact with one prototype per class: the region of a class is then bounded by planes, and the nearest plane
    is the nearest way out. With several it is a lower bound: the largest radius in which one prototype of the
    class stays closer than every rival.
    """
    Lambda, c = global_metric(model), class_indices(model)
    X = model._read_rows(X)
    if np.isnan(X).any():
        raise ValueError("X has missing values; a radius needs all coordinates of an input.")
    D, W = model.distances(X), np.asarray(model.prototypes_, dtype=float)
    reach = _reach(D, W, Lambda, c, c[D.argmin(axis=1)])
    radius = reach.min(axis=2).max(axis=1)
    j = reach.min(axis=2).argmax(axis=1)
    k = reach[np.arange(len(X)), j].argmin(axis=1)
    moved = _beyond(X, W, Lambda, j, k, radius)
    label = model.predict(moved.astype(X.dtype))
    return Robustness(radius, len(c) == len(np.unique(c)), moved, label, label != model.predict(X))


def _reach(D: Array, W: Array, Lambda: Array, c: Array, winner: Array) -> Array:
    """[i, j, k]: how far row i may move before rival k is closer than j of the winning class; inf if k is no
    rival, -inf where j is not of that class."""
    normal = np.linalg.norm((W[None, :] - W[:, None]) @ Lambda, axis=2)
    reach = np.full((len(D), len(W), len(W)), np.inf)
    with np.errstate(divide="ignore", invalid="ignore"):
        ways = (D[:, None, :] - D[:, :, None]) / (2 * normal)
    rivals = c[None, :] != c[:, None]
    # Two prototypes in the same place (0/0) are never told apart: no radius at all.
    reach[:, rivals] = np.nan_to_num(ways[:, rivals], nan=0.0, posinf=np.inf)
    reach[winner[:, None] != c[None, :]] = -np.inf
    return reach


def _beyond(X: Array, W: Array, Lambda: Array, j: Array, k: Array, radius: Array) -> Array:
    normal = (W[k] - W[j]) @ Lambda
    length = np.linalg.norm(normal, axis=1)
    way = radius * (1 + BEYOND) + BEYOND * np.maximum(np.linalg.norm(X, axis=1), 1.0)
    return np.asarray(X + (way / np.where(length > 0, length, 1.0))[:, None] * normal)
