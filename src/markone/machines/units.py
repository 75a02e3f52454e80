"""The hidden layer of a trained machine: perceptrons, and grandmother units in a grown parity machine."""

from dataclasses import dataclass

import numpy as np

from markone.machines._units import example_strengths, unit_distances
from markone.numerics.arrays import Array


@dataclass(frozen=True)
class Layer:
    """sigma^k = sign(w^k . xi - theta^k); with a radius, -1 inside the sphere around -w^k and +1 outside.

    Such a unit is a perceptron with the additional input |xi|^2/2: sign(|xi|^2/2 + w . xi - theta). If all
    inputs have the same length this input is constant, and the unit is that of (4.13).
    """

    weights: Array
    thresholds: Array
    radii: Array
    scale: float = 1.0

    @classmethod
    def of_perceptrons(cls, weights: Array, thresholds: Array, scale: float = 1.0) -> "Layer":
        return cls(weights, thresholds, np.full(len(weights), np.nan), scale)

    @classmethod
    def without_units(cls, N: int, scale: float) -> "Layer":
        return cls(np.empty((0, N)), np.empty(0), np.empty(0), scale)

    def __len__(self) -> int:
        return len(self.weights)

    def __add__(self, more: "Layer") -> "Layer":
        return Layer(
            np.vstack([self.weights, more.weights]),
            np.append(self.thresholds, more.thresholds),
            np.append(self.radii, more.radii),
            self.scale,
        )

    def first(self, K: int) -> "Layer":
        return Layer(self.weights[:K], self.thresholds[:K], self.radii[:K], self.scale)

    def distances(self, X: Array) -> Array:
        """Distances (n, K) of rows to the units' surfaces, signed like sigma; the clamped input counts."""
        square = (self.weights**2).sum(axis=1) + (self.thresholds / self.scale) ** 2
        lengths = np.sqrt(np.where(square > 0, square, 1.0))
        X = np.ascontiguousarray(X)
        return np.asarray(unit_distances(X, self.weights, self.thresholds, self.radii, lengths))

    def first_projections(self, X: Array) -> Array:
        """w . xi of the first unit, a perceptron."""
        one, zero = np.ones(1), np.zeros(1)
        X = np.ascontiguousarray(X)
        return np.asarray(unit_distances(X, self.weights[:1], zero, self.radii[:1], one))[:, 0]

    def hidden(self, X: Array) -> Array:
        """sigma (n, K), sign(0) = +1 (1.5)."""
        return np.where(self.distances(X) >= 0, 1, -1)

    def example_strengths(self, X: Array, S: Array, kind: int) -> Array:
        """Distance of each example from a wrong output; negative if the output is wrong."""
        return np.asarray(example_strengths(self.distances(X), S, kind))
