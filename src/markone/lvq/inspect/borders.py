"""The quadratic metric of a fitted prototype classifier, borders between its classes, and distances to them.

With one quadratic metric for all prototypes, d_k - d_j is linear in x: the border between two prototypes is a
plane, and the distance to it is (d_k - d_j) / (2 |Lambda (w_k - w_j)|) in the Euclidean norm of the inputs.
That is the robustness radius of a prediction, and a point beyond the border a counterfactual.
"""

from copy import copy
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from scipy.special import logsumexp
from sklearn.utils.validation import check_is_fitted

from markone.base.parameters import Examples, documented
from markone.lvq.distances import Distance
from markone.lvq.distances.covariance import Mahalanobis
from markone.lvq.distances.geometric import Euclidean
from markone.numerics.arrays import Array


def global_metric(model: Any) -> Array:
    """Lambda (N, N); the identity for Euclidean distance. ValueError for other distances."""
    check_is_fitted(model)
    name = type(model).__name__
    if not hasattr(model, "prototypes_"):
        raise ValueError(f"{name} has no prototypes among the inputs, and no metric of them.")
    Lambda = getattr(model, "lambda_", None)
    if Lambda is None:
        return _fixed_metric(name, getattr(model, "distance_", Euclidean()), model.prototypes_.shape[1])
    if np.ndim(Lambda) != 2:
        raise ValueError(
            f"{name} has {len(Lambda)} local metrics, whose class borders are curved; this needs one metric "
            "for all prototypes, as in GMLVQ."
        )
    return np.asarray(Lambda, dtype=float)


def _fixed_metric(name: str, distance: Distance, N: int) -> Array:
    """Lambda of a distance without a learned metric."""
    if isinstance(distance, Euclidean):
        return np.eye(N)
    if isinstance(distance, Mahalanobis):
        omega = np.asarray(distance.omega, dtype=float)
        return np.asarray(omega.T @ omega)
    raise ValueError(
        f"{name} measures with the distance {type(distance).__name__}; this needs one quadratic metric: "
        "squared Euclidean, Mahalanobis, GRLVQ, GMLVQ or MRSLVQ."
    )


def class_indices(model: Any) -> Array:
    """Index into `classes_` of each prototype."""
    return np.searchsorted(model.classes_, model.prototype_labels_)


def without_names(model: Any) -> Any:
    """Copy of the model without feature names: scikit-learn warns if it is then given an array."""
    if not hasattr(model, "feature_names_in_"):
        return model
    model = copy(model)
    del model.feature_names_in_
    return model


def one_per_class(model: Any) -> bool:
    return len(model.prototype_labels_) == len(model.classes_)


def mixture_width(model: Any) -> float | None:
    """sigma^2 of a model that predicts by posteriors; None if the nearest prototype decides.

    With one prototype per class both give the same predictions, with several they may differ.
    """
    return float(model.sigma2_) if hasattr(model, "predict_proba") else None


@dataclass(frozen=True)
class Borders:
    """Scores z.weights' + offsets with z = x - centre: d_k - d_j = score_j - score_k for two prototypes.

    slope[j, k] = 2 |Lambda (w_k - w_j)|, unit[j, k]: direction of steepest ascent of score_k - score_j.
    """

    weights: Array
    offsets: Array
    centre: Array
    c: Array
    slope: Array
    unit: Array
    # sigma^2 if probabilities of the prototypes of a class are summed, None if the nearest one decides.
    width: float | None

    def scores(self, X: Array) -> Array:
        return np.asarray((X - self.centre) @ self.weights.T + self.offsets)

    def nearest_border(self, X: Array, answer: Array) -> tuple[Array, Array, Array]:
        """Radius of each row of the class `answer`, and the prototypes j, k of the nearest border."""
        scores = self.scores(X)
        if self.width is None:
            return self._nearest_prototype_radius(scores, answer)
        return self._posterior_radius(scores, answer)

    def _nearest_prototype_radius(self, scores: Array, answer: Array) -> tuple[Array, Array, Array]:
        own = answer[:, None] == self.c[None, :]
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = (scores[:, :, None] - scores[:, None, :]) / self.slope
        # Two equal prototypes (0/0) have no border: radius zero.
        reach = np.where(
            own[:, None, :], np.inf, np.nan_to_num(reach, nan=0.0, posinf=np.inf, neginf=-np.inf)
        )
        each = np.where(own, reach.min(axis=2), -np.inf)
        j = each.argmax(axis=1)
        rows = np.arange(len(scores))
        return each[rows, j], j, reach[rows, j].argmin(axis=1)

    def _posterior_radius(self, scores: Array, answer: Array) -> tuple[Array, Array, Array]:
        """F_y - F_k of F = 2 sigma^2 ln sum exp(score / 2 sigma^2), divided by its largest possible slope.

        The gradient of F is a mean of weights of prototypes, so no slope exceeds the largest of pairs.
        """
        assert self.width is not None
        C, f = int(self.c.max()) + 1, scores / (2 * self.width)
        F = np.stack([logsumexp(f[:, self.c == k], axis=1) for k in range(C)], axis=1) * (2 * self.width)
        steep = np.array(
            [[self.slope[self.c == y][:, self.c == k].max() for k in range(C)] for y in range(C)]
        )
        rows = np.arange(len(scores))
        margin = F[rows, answer][:, None] - F
        reach = np.divide(margin, steep[answer], out=np.zeros_like(margin), where=steep[answer] > 0)
        reach[rows, answer] = np.inf
        rival = reach.argmin(axis=1)
        best = [np.where(self.c == k[:, None], scores, -np.inf).argmax(axis=1) for k in (answer, rival)]
        return reach[rows, rival], *best


def _class_borders(model: Any) -> Borders:
    """Borders of a fitted prototype classifier with one quadratic metric."""
    Lambda = global_metric(model)
    W = np.asarray(model.prototypes_, dtype=float)
    centre = W.mean(axis=0)
    V = (W - centre) @ Lambda
    normal = V[None, :] - V[:, None]
    length = np.linalg.norm(normal, axis=2)
    unit = normal / np.where(length > 0, length, 1.0)[..., None]
    offsets = -((W - centre) * V).sum(axis=1)
    width = None if one_per_class(model) else mixture_width(model)
    return Borders(2 * V, offsets, centre, class_indices(model), 2 * length, unit, width)


# A counterfactual lies this much beyond the border, relative to its distance and to the inputs.
BEYOND = 1e-6
# Size of the largest temporary array.
BLOCK = 2**21
# Maximum number of doublings of a distance until the label changes, and of bisections to locate it.
DOUBLED, HALVED = 20, 20


@documented
@dataclass(frozen=True)
class Robustness:
    """For each row: no change shorter than `radius` changes the label; `exact`: one of that length does.

    Returned by `robustness`.
    """

    radius: Annotated[Array, "array (n,): In the units of X."]
    exact: Annotated[bool, "True if a change of this length changes the label."]
    counterfactual: Annotated[
        Array,
        "array (n, N): Beyond the border of the closest rival, along its normal until the label changes. Its "
        "distance is the radius where that is exact, and where it `flips` an upper bound on the true radius.",
    ]
    label: Annotated[Array, "array (n,): Predicted label of the counterfactual."]
    flips: Annotated[Array, "array (n,) of bool: True where the label changes."]


@documented
def robustness(model: Any, X: Examples) -> Robustness:
    """Robustness radius of each prediction, in the units of X.

    Exact with one prototype per class: the region of a class is then bounded by planes, and the radius is the
    distance of the nearest one. With several it is a lower bound: the largest radius in which one prototype
    of the class stays closer than every rival; for RSLVQ and MRSLVQ, which sum probabilities, the log odds
    divided by their largest possible slope. Memory is linear in the rows of X.

    Parameters
    ----------
    model : fitted prototype classifier
        With one quadratic metric.

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
    found = _class_borders(model)
    X = np.asarray(model._read_rows(X), dtype=float)
    if np.isnan(X).any():
        raise ValueError("X has missing values; a radius needs all coordinates of an input.")
    model = without_names(model)
    before = model.predict(X)
    rows = max(1, BLOCK // len(found.c) ** 2)
    codes = np.searchsorted(model.classes_, before)
    parts = [found.nearest_border(X[i : i + rows], codes[i : i + rows]) for i in range(0, len(X), rows)]
    radius, j, k = (np.concatenate(part) for part in zip(*parts, strict=True))
    radius = np.maximum(radius, 0.0)  # on a border rounding may give a negative one
    unit = found.unit[j, k]
    distance = radius * (1 + BEYOND) + BEYOND * np.maximum(np.linalg.norm(X, axis=1), 1.0)
    if not one_per_class(model):
        distance = _distance_to_change(model, X, unit, distance, before)
    moved = X + distance[:, None] * unit
    label = model.predict(moved)
    return Robustness(radius, one_per_class(model), moved, label, label != before)


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
