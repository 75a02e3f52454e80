"""Coordinates in which prototypes and metric are trained, and the transformation back to the units of X.

With more features than examples all differences x - w lie in a space of k < P dimensions. A distance
|Omega (x - w)| depends on no other direction, the row-space correction removes them from Omega before
training, and all updates are sums of Omega (x - w)(x - w)': prototypes and Omega never leave that space. So
they are trained in k orthonormal coordinates of it, 2000 features of 50 examples in 49. Costs, norms,
averages and step lengths are the same there; the paths agree to rounding. (L-BFGS stops by single components
of the gradient: it may take a step more or less.)
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.lvq.distances.base import Distance, Rows
from markone.lvq.distances.omega import first_omega
from markone.numerics.arrays import Array

# Coordinates of the row space are used if they are at most this fraction of the features: otherwise they
# save little.
WORTH = 0.5


@dataclass(frozen=True)
class Coordinates:
    """x -> (x - shift) basis'; basis (k, N) has orthonormal rows, None: all directions."""

    shift: Array | None = None
    basis: Array | None = None

    def to_coordinates(self, X: Array) -> Array:
        moved = X if self.shift is None else X - self.shift
        return moved if self.basis is None else moved @ self.basis.T

    def from_coordinates(self, W: Array) -> Array:
        """Prototypes in the units of X."""
        W = W if self.basis is None else W @ self.basis
        return W if self.shift is None else W + self.shift

    def metric_of_features(self, Omega: Array) -> Array:
        """Omega for differences in the units of X."""
        return Omega if self.basis is None else Omega @ self.basis


def row_space_coordinates(X: Array, basis: Array) -> Coordinates:
    """Coordinates of the row space `basis`, with the mean of the rows as origin."""
    return Coordinates(X.mean(axis=0, dtype=np.float64).astype(X.dtype), basis)


def omega_in_row_space(
    basis: Array, settings: Any, distance: Distance, X: Array, W: Array, groups: int, rng: Any
) -> Array:
    """Initial Omega in coordinates `basis`, with at most as many rows: it is free up to a rotation."""
    k, N = basis.shape
    coordinates = row_space_coordinates(X, basis)
    if isinstance(settings.initial_omega, str) and settings.initial_omega == "identity":
        rows, V = Rows(coordinates.to_coordinates(X)), coordinates.to_coordinates(W)
        return first_omega(distance.adapts, rows, V, min(settings.rank or N, k), groups, "identity", rng)
    Omega = first_omega(distance.adapts, Rows(X), W, settings.rank, groups, settings.initial_omega, rng)
    Omega = Omega @ basis.T
    return Omega if Omega.shape[-2] <= k else np.asarray(np.linalg.qr(Omega, mode="r"))


def n_omega_rows(settings: Any, N: int) -> int:
    """Number of rows of Omega that `first_omega` uses for all N features."""
    given = None if isinstance(settings.initial_omega, str) else np.shape(settings.initial_omega)[-2]
    return int(settings.rank or given or N)
