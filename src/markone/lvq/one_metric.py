"""The one metric of a fitted prototype classifier, where it has one: d = (x - w)' Lambda (x - w)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

Array = NDArray[Any]


def global_metric(model: Any) -> Array:
    """Lambda (N, N); the identity for plain Euclidean distances. Other distances are refused."""
    check_is_fitted(model, "prototypes_")
    name = type(model).__name__
    if getattr(model, "distance", "euclidean") not in ("euclidean", "mahalanobis"):
        raise ValueError(
            f"{name} measures with distance={model.distance!r}; this needs one quadratic metric: squared "
            "Euclidean, Mahalanobis, GRLVQ, GMLVQ or MRSLVQ."
        )
    Lambda = getattr(model, "lambda_", None)
    if Lambda is None:
        return np.eye(model.prototypes_.shape[1])
    if np.ndim(Lambda) != 2:
        raise ValueError(
            f"{name} has {len(Lambda)} local metrics, whose class borders are curved; this needs one metric "
            "for all prototypes, as in GMLVQ."
        )
    return np.asarray(Lambda)


def class_indices(model: Any) -> Array:
    """For each prototype, which of `classes_` it stands for."""
    return np.searchsorted(model.classes_, model.prototype_labels_)
