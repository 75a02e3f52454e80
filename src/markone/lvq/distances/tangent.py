"""Tangent distance: differences along the leading directions of variation of the class are ignored."""

from dataclasses import dataclass, field, replace

import numpy as np

from markone.lvq.distances.adaptive.local import local_distances
from markone.lvq.distances.base import Distance, Pull, Rows
from markone.lvq.distances.mahalanobis import observed_covariance
from markone.numerics.arrays import Array

UNSEEN = (
    "The tangent distance takes the directions of each class from the first batch of a stream, which must "
    "therefore show every class."
)


@dataclass(frozen=True)
class Tangent(Distance):
    """d = |(I - V V')(x - w)|^2, V the leading directions of variation in the prototype's class.

    Saralajew and Villmann (2016), with V taken from the data once.

    Parameters
    ----------
    directions : int, default=1
        Columns of V; fewer than features.
    """

    directions: int = 1
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
            C = observed_covariance(X[mine], y[mine], None if weights is None else weights[mine], pooled=True)
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
