"""Inputs of a world: with a covariance, two Gaussian clouds, clusters with labels, or random features."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erf

from markone.numerics.arrays import Array
from markone.numerics.gaussian import gauss_legendre, panel_quadrature, phi
from markone.perceptron.theory.engine.formula import parse_formula
from markone.perceptron.theory.engine.penalties import ElasticNet, Spectrum

MARCHENKO_PASTUR_NODES = 200


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
    part of Var z = 1 that the inputs do not explain. A vector, or a diagonal matrix, are variances of
    independent inputs: an l1 penalty is possible.
    """

    covariance: Any
    teacher: Any = None
    missing: float = 0.0

    def spectrum(self) -> Spectrum:
        e, w = self._eigenbasis()
        return Spectrum(e, (e * w) ** 2, np.full(e.size, 1 / e.size), 1.0)

    def weights_law(self) -> ElasticNet | None:
        """Of independent inputs: every weight with its own value of the teacher; else None."""
        C = np.asarray(self.covariance, dtype=float)
        if C.ndim == 2 and np.count_nonzero(C - np.diag(np.diag(C))):
            return None
        plain = replace(self, covariance=np.diag(C) if C.ndim == 2 else C)
        e, w = plain._eigenbasis()
        N = e.size
        return ElasticNet(np.full(N, 1 / N), np.sqrt(N) * w, np.zeros(N), np.maximum(e, 1e-300))

    def _eigenbasis(self) -> tuple[Array, Array]:
        """Variances and the teacher's weights, scaled."""
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
        return e, w * np.sqrt((1 - self.missing) / variance)


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


@dataclass(frozen=True)
class RandomFeatures:
    """Random features v = f(F x) of Gaussian inputs x on which the teacher acts (Gerace et al. 2020).

    By Gaussian equivalence: F has rows of unit length and D columns. With k0 = <f>, k1 = <t f>,
    k* = sqrt(<f^2> - k0^2 - k1^2), t normal, features behave as k1 F x + k* noise: e = k1^2 g + k*^2 and
    c^2 = k1^2 g/D for the eigenvalues g of F F', whose law is that of Marchenko and Pastur. alpha counts
    examples per feature.

    activation: tanh, erf, sign, relu, a formula in x, or a function. features_per_input: their number divided
    by that of the inputs. Features with a mean, such as relu's, are centred (or b is fitted).
    """

    activation: str | Callable[[Array], Any] = "tanh"
    features_per_input: float = 1.0

    def spectrum(self) -> Spectrum:
        ratio = float(self.features_per_input)
        if not 0 < ratio < np.inf:
            raise ValueError(f"features_per_input must be a positive number, not {ratio}.")
        k1, rest = self._moments()
        g, weight = _marchenko_pastur(ratio)
        return Spectrum(k1**2 * g + rest, k1**2 * g * weight * ratio, weight, 1.0)

    def _moments(self) -> tuple[float, float]:
        """k1 and k*^2."""
        t, weight = panel_quadrature(np.linspace(-10, 10, 41), 24)
        weight, f = weight * phi(t), _read_activation(self.activation)(t)
        k0, k1, square = (float((weight * one).sum()) for one in (f, t * f, f * f))
        if not np.isfinite(square) or abs(k1) < 1e-9 * np.sqrt(max(square, 1e-300)):
            raise ValueError(
                "The activation has no linear part, <t f(t)> = 0: its features have no correlation with "
                "the teacher's field."
            )
        return k1, max(square - k0**2 - k1**2, 0.0)


def _read_activation(activation: str | Callable[[Array], Any]) -> Callable[[Array], Array]:
    if callable(activation):
        return lambda t: np.asarray(activation(t), dtype=float)
    named: dict[str, Callable[[Array], Array]] = {
        "tanh": np.tanh, "erf": erf, "sign": np.sign, "relu": lambda t: np.maximum(t, 0)
    }  # fmt: skip
    return named.get(activation) or (lambda t: parse_formula(str(activation), ("x",)).evaluate_jet(t)[0])


def _marchenko_pastur(ratio: float) -> tuple[Array, Array]:
    """Eigenvalues of F F' and their shares, for `ratio` rows per column; beyond one row some are zero."""
    low, high = (1 - np.sqrt(ratio)) ** 2, (1 + np.sqrt(ratio)) ** 2
    x, weight = gauss_legendre(MARCHENKO_PASTUR_NODES)
    # g = middle + half sin(angle): the square roots at both ends become smooth.
    angle = 0.5 * np.pi * x
    g = np.maximum(0.5 * (high + low) + 0.5 * (high - low) * np.sin(angle), 1e-300)
    width = 0.5 * (high - low) * np.cos(angle)
    share = 0.5 * np.pi * weight * width**2 / (2 * np.pi * ratio * g)
    share *= min(1.0, 1 / ratio) / share.sum()
    if ratio <= 1:
        return g, share
    return np.append(g, 0.0), np.append(share, 1 - 1 / ratio)
