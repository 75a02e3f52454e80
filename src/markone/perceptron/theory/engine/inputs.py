"""Inputs of a world: independent, with a covariance, two Gaussian clouds, or clusters with labels."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array
from markone.perceptron.theory.engine.penalties import Spectrum


def _check_covariance(covariance: ArrayLike, name: str = "The covariance") -> Array:
    """A symmetric positive semi-definite matrix, or a vector of variances."""
    C = np.asarray(covariance, dtype=float)
    square = C.ndim == 2 and C.shape[0] == C.shape[1]
    if not (square or C.ndim == 1) or not C.size or not np.isfinite(C).all():
        raise ValueError(f"{name} must be a square matrix or a vector of variances, finite numbers.")
    if square and not np.allclose(C, C.T, rtol=1e-8, atol=1e-12 * np.abs(C).max()):
        raise ValueError(f"{name} is not symmetric.")
    lowest = np.linalg.eigvalsh(C)[0] if square else C.min()
    if lowest < -1e-10 * max(np.abs(C).max(), 1e-300):
        raise ValueError(f"{name} is not positive semi-definite: its smallest eigenvalue is {lowest:.3g}.")
    return C


def _rotate_to_eigenbasis(C: Array, vector: Array) -> tuple[Array, Array]:
    if C.ndim == 1:
        return C, vector
    e, axes = np.linalg.eigh(C)
    return np.maximum(e, 0.0), axes.T @ vector


@dataclass(frozen=True)
class Covariance:
    """Gaussian inputs with a covariance (matrix or eigenvalues) and the teacher z = teacher.x + rest.

    teacher: weights, in the same basis; they are scaled so that Var(teacher.x) = 1 - missing. missing: the
    part of Var z = 1 that the inputs do not explain.
    """

    covariance: Any
    teacher: Any = None
    missing: float = 0.0

    def spectrum(self) -> Spectrum:
        C = _check_covariance(self.covariance)
        N = C.shape[0]
        weights = np.ones(N) if self.teacher is None else np.asarray(self.teacher, dtype=float)
        if weights.shape != (N,) or not np.isfinite(weights).all():
            raise ValueError(
                f"teacher must be a vector of {N} finite weights, as the covariance has {N} rows."
            )
        if not 0 <= self.missing < 1:
            raise ValueError(f"missing must lie in [0, 1), not {self.missing}.")
        e, w = _rotate_to_eigenbasis(C, weights)
        variance = (e * w * w).sum()
        if not variance > 0:
            raise ValueError("The teacher's field has no variance on these inputs.")
        c2 = (e * w) ** 2 / variance * (1 - self.missing)
        return Spectrum(e, c2, np.full(N, 1 / N), 1.0)


@dataclass(frozen=True)
class TwoGaussians:
    """x = y mu + noise: mu2 = |mu|^2, or mean = mu with a covariance; P(y = +1) = p_plus."""

    mu2: float = 1.0
    p_plus: float = 0.5
    mean: Any = None
    covariance: Any = None

    def spectrum(self) -> Spectrum:
        if not 0 < self.p_plus < 1:
            raise ValueError(f"p_plus must lie between 0 and 1, not {self.p_plus}.")
        if self.mean is None:
            if not 0 < self.mu2 < np.inf or self.covariance is not None:
                raise ValueError("Give mu2 > 0 for independent noise, or mean with a covariance.")
            return Spectrum(np.ones(1), np.array([self.mu2]), np.ones(1), self.mu2)
        mu = np.asarray(self.mean, dtype=float)
        C = _check_covariance(np.ones(mu.shape[0]) if self.covariance is None else self.covariance)
        if mu.shape != (C.shape[0],):
            raise ValueError(
                f"mean must be a vector of {C.shape[0]} numbers, as the covariance has that many rows."
            )
        e, mu = _rotate_to_eigenbasis(C, mu)
        if not (e > 0).all() or not mu.any():
            raise ValueError(
                "The covariance of two Gaussians must be positive definite and the mean not zero."
            )
        return Spectrum(e, mu**2, np.full(mu.size, 1 / mu.size), float((mu**2 / e).sum()))


@dataclass(frozen=True)
class Clusters:
    """Gaussian clusters: means (C, N), covariances (C of them), weights (sum to one) and labels +-1."""

    means: Any
    covariances: Sequence[Any]
    weights: Any
    labels: Any

    def arrays(self) -> tuple[Array, Array, Array, Array]:
        """Means (C, N), covariances (C, N, N), or (C, N) if all are diagonal, weights and labels."""
        means = np.atleast_2d(np.asarray(self.means, dtype=float))
        C, N = means.shape
        weights, labels = np.asarray(self.weights, dtype=float), np.asarray(self.labels, dtype=float)
        if weights.shape != (C,) or labels.shape != (C,) or len(self.covariances) != C:
            raise ValueError(f"Give {C} weights, labels and covariances, one for each mean.")
        if not (weights > 0).all() or abs(weights.sum() - 1) > 1e-9:
            raise ValueError(
                f"The weights of the clusters must be positive and sum to one, not to {weights.sum():g}."
            )
        if set(labels) != {-1.0, 1.0}:
            raise ValueError("The labels of clusters are +1 and -1, and both must occur.")
        found = [
            _check_covariance(c, f"The covariance of cluster {k}") for k, c in enumerate(self.covariances)
        ]
        if any(c.shape[0] != N for c in found) or not np.isfinite(means).all():
            raise ValueError(f"Each covariance must have {N} rows, as the means have {N} finite components.")
        if all(c.ndim == 1 for c in found):
            return means, np.stack(found), weights, labels
        return means, np.stack([np.diag(c) if c.ndim == 1 else c for c in found]), weights, labels
