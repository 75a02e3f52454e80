"""Hidden units: which inputs each of them sees while it learns, and the layer of a trained machine.

Units are perceptrons, and in a grown parity machine also grandmother units.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.machines._units import COMMITTEE, unit_distances
from markone.numerics.arrays import Array

CLAMPED = -1


@dataclass(frozen=True)
class Wiring:
    """`columns` of X side by side as the compiled loops read them (-1: the clamped input of value `scale`).

    Unit k sees the places begin[k] .. end[k]-1 of them, its clamped input last.
    """

    columns: Array
    begin: Array
    end: Array
    N: int
    scale: float

    @property
    def K(self) -> int:
        return len(self.begin)

    def arrange_inputs(self, X: Array) -> Array:
        """X (n, N) with its columns arranged for the compiled loops."""
        padded = np.hstack([X, np.full((len(X), 1), self.scale)])
        return np.ascontiguousarray(padded[:, self.columns], dtype=np.float64)

    def split_weights(self, W: Array) -> tuple[Array, Array]:
        """(weights (K, N), thresholds (K,)) of sign(w . xi - theta); 0 for inputs a unit does not see."""
        weights, thresholds = np.zeros((self.K, self.N)), np.zeros(self.K)
        for k in range(self.K):
            seen = self.columns[self.begin[k] : self.end[k]]
            w, clamped = W[k, : len(seen)], seen == CLAMPED
            weights[k, seen[~clamped]] = w[~clamped]
            thresholds[k] = -self.scale * w[clamped].sum()
        return weights, thresholds


def full_wiring(K: int, N: int, scale: float) -> Wiring:
    """Every unit sees every input; scale = 0: no thresholds."""
    columns = np.append(np.arange(N), [CLAMPED] if scale else []).astype(int)
    return Wiring(columns, np.zeros(K, dtype=int), np.full(K, len(columns)), N, scale)


def tree_wiring(groups: Sequence[Array], N: int, scale: float) -> Wiring:
    """Unit k sees the inputs groups[k]."""
    pieces = [np.append(group, [CLAMPED] if scale else []).astype(int) for group in groups]
    end = np.cumsum([len(piece) for piece in pieces])
    return Wiring(np.concatenate(pieces), end - [len(piece) for piece in pieces], end, N, scale)


def branch_inputs(groups: Any, K: int, N: int) -> list[Array]:
    """The inputs of each unit: as given, or equal shares in order."""
    if groups is None:
        if N % K:
            raise ValueError(
                f"A tree of {K} units needs a number of inputs divisible by {K}, but X has {N} features. "
                "Give the inputs of each unit as groups=[[0, 1, ..], ..], or choose architecture='full'."
            )
        return list(np.arange(N).reshape(K, N // K))
    found = [np.asarray(group, dtype=int).ravel() for group in groups]
    if len(found) != K:
        raise ValueError(f"groups has the inputs of {len(found)} units, but n_units is {K}.")
    every = np.concatenate(found)
    if any(len(group) == 0 for group in found) or len(np.unique(every)) < len(every):
        raise ValueError("In a tree each unit has inputs of its own: groups must be disjoint and not empty.")
    unknown = every[(every < 0) | (every >= N)]
    if len(unknown):
        raise ValueError(f"groups holds the input {unknown[0]}; X has features 0 .. {N - 1}.")
    return found


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

    def first_units(self, K: int) -> "Layer":
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
        d = self.distances(X)
        if kind == COMMITTEE:
            return np.asarray(np.sort(S[:, None] * d, axis=1)[:, d.shape[1] // 2])
        return np.asarray(S * np.where(d < 0, -1.0, 1.0).prod(axis=1) * np.abs(d).min(axis=1))
