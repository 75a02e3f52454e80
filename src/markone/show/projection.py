"""A fitted estimator in a plane: projection of its inputs, its boundary, support vectors and last updates."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.base.history import History
from markone.base.plot_style import plane_axes, square_around
from markone.numerics.arrays import Array
from markone.perceptron.measures import support_vectors
from markone.show.histories import split_inputs_weights


@dataclass(frozen=True)
class Plane:
    """Rows of `axes` (2, N) are orthonormal directions; `note` describes them, "" for two inputs."""

    axes: Array
    names: tuple[str, str]
    note: str = ""

    def points(self, X: Array) -> Array:
        return np.asarray(np.asarray(X, dtype=float) @ self.axes.T)

    def weights(self, w: Array, offset: float) -> Array:
        """Project weights to (w1, w2, w0); exact for the w that defines the plane."""
        return np.append(self.axes @ w, offset)


def display_plane(X: Array, w: Array, names: list[str] | None = None) -> Plane:
    """The two inputs themselves; for more, w and the direction of largest variance orthogonal to it."""
    X, N = np.asarray(X, dtype=float), X.shape[1]
    if N == 1:
        return Plane(np.array([[1.0], [0.0]]), ("x1", ""), "one input; the vertical position has no meaning")
    if N == 2:
        first, second = (names or ["x1", "x2"])[:2]
        return Plane(np.eye(2), (str(first), str(second)))
    length = float(np.linalg.norm(w))
    across = X - X.mean(axis=0)
    if length > 0:
        u = w / length
        across = across - np.outer(across @ u, u)
    directions = np.linalg.svd(across, full_matrices=False)[2]
    if length > 0:
        note = f"{N} inputs, projected on w and the direction of largest variance orthogonal to it"
        return Plane(np.array([u, directions[0]]), ("along w", "orthogonal"), note)
    note = f"{N} inputs, projected on the two principal directions"
    return Plane(directions[:2], ("1st direction", "orthogonal"), note)


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
    centre, reach = square_around(X)
    x, y, grid = plane_axes(centre, centre, reach, GRID)
    values = np.asarray(estimator.decision_function(grid)).reshape(GRID, GRID)
    return {"points": X, "w": None, "level": 1.0, "field_": (x, y, values)}


def support_parts(estimator: Any, P: int) -> dict[str, Array]:
    """Embedding strengths, and indices of free and clipped support vectors, of a student that has them."""
    x = getattr(estimator, "embedding_", None)
    if x is None or np.shape(x) != (P,):
        return {}
    if not hasattr(estimator, "support_"):
        return {"strengths": np.asarray(x)}
    # gamma = C N, where N includes the clamped input; in feature space the strengths are bounded by C.
    N = estimator.n_features_in_ + bool(estimator.fit_intercept) if hasattr(estimator, "coef_") else 1
    return dict(zip(("strengths", "free", "clipped"), (x, *support_vectors(x, estimator.C * N)), strict=True))


def last_updates(history: History, count: int) -> Array:
    rows = np.flatnonzero(history["change"] != 0)[-count:]
    W = split_inputs_weights(history)[1]
    return np.array([[W[k - 1], W[k]] for k in rows if k > 0]).reshape(-1, 2, 2)
