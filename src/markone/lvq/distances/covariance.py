"""Distances from the covariances of the data: Mahalanobis, and the tangents of each class."""

from dataclasses import dataclass, field, replace
from typing import Annotated

import numpy as np

from markone.base.parameters import documented
from markone.lvq.distances.adaptive import local_distances, quadratic_distances
from markone.lvq.distances.base import Distance, Pull, Rows
from markone.lvq.distances.row_statistics import class_mean
from markone.numerics.arrays import Array

# Smaller eigenvalues of the correlation matrix count as zero.
SINGULAR = 1e-10


def _observed_covariance(X: Array, y: Array, weights: Array | None, pooled: bool) -> Array:
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


@documented
@dataclass(frozen=True)
class Mahalanobis(Distance):
    """d = (x - w)' C^-1 (x - w)."""

    pooled: Annotated[bool, "Deviations from the class means; False: from the mean of all."] = True
    ridge: Annotated[float, "Fraction of the mean variance that is added to each variance."] = 0.0
    omega: Array | None = field(default=None, repr=False, compare=False)
    root: Array | None = field(default=None, repr=False, compare=False)

    def fit_constants(self, X: Array, y: Array, c: Array, weights: Array | None = None) -> Distance:
        C = _observed_covariance(X, y, weights, self.pooled)
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


UNSEEN = (
    "The tangent distance takes the directions of each class from the first batch of a stream, which must "
    "therefore show every class."
)


@documented
@dataclass(frozen=True)
class Tangent(Distance):
    """d = |(I - V V')(x - w)|^2, V the leading directions of variation in the prototype's class.

    Saralajew and Villmann (2016), with V taken from the data once.
    """

    directions: Annotated[int, "Columns of V; fewer than features."] = 1
    omegas: Array | None = field(default=None, repr=False, compare=False)
    of: Array | None = field(default=None, repr=False, compare=False)

    def fit_constants(self, X: Array, y: Array, c: Array, weights: Array | None = None) -> Distance:
        N = X.shape[1]
        if not 0 < self.directions < N:
            raise ValueError(
                f"The tangent distance leaves out {self.directions} direction(s), which must be at least one "
                f"and fewer than the {N} feature(s) of X."
            )
        omegas = []
        for k in range(int(c.max()) + 1):
            mine = y == k
            if not mine.any():
                raise ValueError(UNSEEN)
            C = _observed_covariance(
                X[mine], y[mine], None if weights is None else weights[mine], pooled=True
            )
            V = np.linalg.eigh(C)[1][:, -self.directions :]
            omegas.append(np.eye(N) - V @ V.T)
        return replace(self, omegas=np.array(omegas, dtype=X.dtype), of=np.array(c))

    def with_prototypes(self, c: Array) -> Distance:
        assert self.omegas is not None
        if int(c.max()) >= len(self.omegas):
            raise ValueError(UNSEEN)
        return replace(self, of=np.array(c))

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        assert self.omegas is not None
        assert self.of is not None
        D, pull = local_distances(rows, W, self.omegas, self.of)
        return D, lambda R: (pull(R)[0], None)
