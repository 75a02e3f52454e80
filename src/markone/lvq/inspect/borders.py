"""The single quadratic metric of a fitted prototype classifier, and the borders between its classes."""

from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import logsumexp
from sklearn.utils.validation import check_is_fitted

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


def class_borders(model: Any) -> Borders:
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
