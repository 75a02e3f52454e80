"""The one metric of a fitted prototype classifier, where it has one: d = (x - w)' Lambda (x - w)."""

from copy import copy
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from markone.lvq.distances import Distance
from markone.lvq.distances.euclidean import Euclidean
from markone.lvq.distances.mahalanobis import Mahalanobis
from markone.numerics.arrays import Array


def global_metric(model: Any) -> Array:
    """Lambda (N, N); the identity for plain Euclidean distances. Other distances are refused."""
    check_is_fitted(model)
    name = type(model).__name__
    if not hasattr(model, "prototypes_"):
        raise ValueError(f"{name} has no prototypes among the inputs, so that no metric of theirs is known.")
    Lambda = getattr(model, "lambda_", None)
    if Lambda is None:
        return fixed_metric(name, getattr(model, "distance_", Euclidean()), model.prototypes_.shape[1])
    if np.ndim(Lambda) != 2:
        raise ValueError(
            f"{name} has {len(Lambda)} local metrics, whose class borders are curved; this needs one metric "
            "for all prototypes, as in GMLVQ."
        )
    return np.asarray(Lambda, dtype=float)


def fixed_metric(name: str, distance: Distance, N: int) -> Array:
    """Lambda of a distance that was not learned."""
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
    """For each prototype, which of `classes_` it stands for."""
    return np.searchsorted(model.classes_, model.prototype_labels_)


def without_names(model: Any) -> Any:
    """The same model for plain arrays: scikit-learn warns where a model of a data frame is given none."""
    if not hasattr(model, "feature_names_in_"):
        return model
    model = copy(model)
    del model.feature_names_in_
    return model


def one_per_class(model: Any) -> bool:
    return len(model.prototype_labels_) == len(model.classes_)


def mixture_width(model: Any) -> float | None:
    """sigma^2 of a model that answers by posteriors; None where the nearest prototype decides.

    With one prototype per class both give the same answers, with several they need not.
    """
    return float(model.sigma2_) if hasattr(model, "predict_proba") else None
