"""Data for displays from a fitted estimator: weights in the plane, support vectors, last updates."""

from typing import Any

import numpy as np

from markone.base.history import History
from markone.numerics.arrays import Array
from markone.perceptron.measures import support_vectors
from markone.show.histories import split_inputs_weights
from markone.show.projection import display_plane

GRID = 160


def linear_boundary(estimator: Any, X: Array, S: Array, teacher: Any) -> dict[str, Any]:
    w, w0 = estimator.coef_[0], float(estimator.intercept_[0])
    plane = display_plane(X, w, list(getattr(estimator, "feature_names_in_", [])) or None)
    level = 1.0 if hasattr(estimator, "gap_") else max(float((S * (X @ w + w0)).min()), 0.0)
    rule = None if teacher is None else plane.weights(np.asarray(teacher, dtype=float), 0.0)
    return {
        "points": plane.points(X),
        "w": plane.weights(w, w0),
        "level": level,
        "teacher": rule,
        "names": plane.names,
        "note": plane.note,
    }


def curved_boundary(estimator: Any, X: Array) -> dict[str, Any]:
    if X.shape[1] != 2:
        raise ValueError(
            f"{type(estimator).__name__} has a curved boundary in {X.shape[1]} inputs, not in a plane: "
            "fit it on two inputs."
        )
    low, high = X.min(axis=0), X.max(axis=0)
    centre, reach = (low + high) / 2, 0.58 * float((high - low).max() or 1.0)
    x, y = (np.linspace(c - reach, c + reach, GRID) for c in centre)
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    values = np.asarray(estimator.decision_function(grid)).reshape(GRID, GRID)
    return {"points": X, "w": None, "level": 1.0, "field_": (x, y, values)}


def embedding_strengths(estimator: Any, P: int) -> Array | None:
    x = getattr(estimator, "embedding_", None)
    return np.asarray(x) if x is not None and np.shape(x) == (P,) else None


def free_and_clipped(estimator: Any, P: int) -> tuple[Array, Array]:
    """Indices of free and clipped support vectors; empty for a student without them."""
    x = embedding_strengths(estimator, P)
    if x is None or not hasattr(estimator, "support_"):
        return np.empty(0, dtype=int), np.empty(0, dtype=int)
    # gamma = C N, where N includes the clamped input; in feature space the strengths are bounded by C.
    N = estimator.n_features_in_ + int(estimator.fit_intercept) if hasattr(estimator, "coef_") else 1
    return support_vectors(x, estimator.C * N)


def last_updates(history: History, count: int) -> Array:
    rows = np.flatnonzero(history["change"] != 0)[-count:]
    W = split_inputs_weights(history)[1]
    return np.array([[W[k - 1], W[k]] for k in rows if k > 0]).reshape(-1, 2, 2)
