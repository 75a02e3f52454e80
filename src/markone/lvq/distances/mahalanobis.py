"""Mahalanobis distance: the quadratic distance whose matrix is the inverse covariance of the data."""

from dataclasses import dataclass, field, replace

import numpy as np

from markone.lvq.distances.adaptive.quadratic import quadratic_distances
from markone.lvq.distances.base import Distance, Pull, Rows
from markone.lvq.distances.observed_statistics import class_mean
from markone.numerics.arrays import Array

# Smaller eigenvalues of the correlation matrix count as zero.
SINGULAR = 1e-10


def observed_covariance(X: Array, y: Array, weights: Array | None, pooled: bool) -> Array:
    """Covariance around the class means (pooled) or the common mean, over pairs observed together."""
    Z, group = np.array(X, dtype=np.float64), y if pooled else np.zeros_like(y)
    for k in np.unique(group):
        mine = group == k
        Z[mine] -= class_mean(X[mine], None if weights is None else weights[mine])
    seen = (~np.isnan(Z)).astype(np.float64)
    Z = np.where(seen > 0, Z, 0.0)
    s = np.ones(len(Z)) if weights is None else weights
    counts = seen.T @ (s[:, None] * seen)
    return (Z.T @ (s[:, None] * Z)) / np.maximum(counts, np.finfo(float).tiny)


def _matrix_roots(C: Array) -> tuple[Array, Array]:
    """C^(-1/2) and C^(1/2); ValueError if C is singular."""
    spread = np.sqrt(np.diag(C))
    constant = np.flatnonzero(spread <= 1e-10 * max(float(spread.max(initial=0.0)), 1e-300))
    if len(constant):
        raise ValueError(
            f"The Mahalanobis distance needs features that vary, but {len(constant)} are constant within "
            f"the classes, the first of them feature {constant[0]}. Remove them or use GMLVQ."
        )
    smallest = float(np.linalg.eigvalsh(C / np.outer(spread, spread))[0])
    if smallest < SINGULAR:
        raise ValueError(
            "The covariance matrix has no inverse: its correlations have the smallest eigenvalue "
            f"{smallest:.2g}. Some features are combinations of others (or values are missing in too many "
            "pairs): remove them, or set ridge > 0."
        )
    values, vectors = np.linalg.eigh(C)
    return (vectors / np.sqrt(values)) @ vectors.T, (vectors * np.sqrt(values)) @ vectors.T


@dataclass(frozen=True)
class Mahalanobis(Distance):
    """d = (x - w)' C^-1 (x - w).

    Parameters
    ----------
    pooled : bool, default=True
        Deviations from the class means; False: from the mean of all.
    ridge : float, default=0.0
        This fraction of the mean variance is added to the variance of every feature.
    """

    pooled: bool = True
    ridge: float = 0.0
    omega: Array | None = field(default=None, repr=False, compare=False)
    root: Array | None = field(default=None, repr=False, compare=False)

    def fit_constants(self, X: Array, y: Array, c: Array, weights: Array | None = None) -> Distance:
        C = observed_covariance(X, y, weights, self.pooled)
        C += self.ridge * np.trace(C) / len(C) * np.eye(len(C))
        omega, root = _matrix_roots(C)
        return replace(self, omega=omega.astype(X.dtype), root=root.astype(X.dtype))

    # Prototypes are trained in coordinates where the distance is Euclidean, independent of the feature units.
    def scale(self, spread: float) -> float:
        return 1.0

    def encode(self, W: Array) -> Array:
        return W @ self.omega

    def decode(self, V: Array) -> Array:
        return V @ self.root

    def pull_back(self, W: Array, dW: Array) -> Array:
        return dW @ self.root

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        assert self.omega is not None
        D, pull = quadratic_distances(rows, W, self.omega)
        return D, lambda R: (pull(R)[0], None)
