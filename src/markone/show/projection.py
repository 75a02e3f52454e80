"""Projection of more than two inputs on a plane, with a note for the figure."""

from dataclasses import dataclass

import numpy as np

from markone.numerics.arrays import Array


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
    axes = np.array([u, directions[0]]) if length > 0 else directions[:2]
    what = (
        "w and the direction of largest variance orthogonal to it"
        if length > 0
        else "the two principal directions"
    )
    return Plane(
        axes, ("along w" if length > 0 else "1st direction", "orthogonal"), f"{N} inputs, projected on {what}"
    )
