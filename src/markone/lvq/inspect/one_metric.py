"""The single quadratic metric of a fitted prototype classifier: d = (x - w)' Lambda (x - w)."""

from copy import copy
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from markone.lvq.distances import Distance
from markone.lvq.distances.euclidean import Euclidean
from markone.lvq.distances.mahalanobis import Mahalanobis
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
