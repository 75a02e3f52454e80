"""Adaline's student of a rule at finite N: the exact mean of its error and overlap, by quadrature.

The pseudo-inverse of P Gaussian examples in N dimensions, w* = e_1. Let u be the first inputs, y the labels,
c = u.y/|u| and delta = c/sqrt(P - c^2), the cotangent of the angle of u and y. All other inputs are Gaussian
and independent of these two, so that by the laws of Wishart matrices

    R = sqrt(b) k/sqrt(k^2 + S),   k = delta sqrt(W/B) + z,

z Gaussian, S ~ chi^2 of max(P, N) and W of |P-N| + 1 degrees, b ~ Beta(P/2, (N-P)/2) for P < N, else 1, and
B ~ Beta((N-1)/2, (P-N)/2) for P > N, else 1, all independent. R depends on z, S and W by two angles, b
and B are the square of the sine of one: their densities are products of powers of sine and cosine. c has a
Gauss rule or a density with its exact moments (`label_overlap`). Means are accurate to 2e-5 for N < 6, else
1e-6. At alpha = 1 the limit is 1/2, N = 200 gives 0.476.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array
from markone.perceptron.theory.label_overlap import label_overlap_rule
from markone.perceptron.theory.rule import check_noise

NODES = 32
# Angles are taken up to so many standard deviations from their mean.
RANGE = 9.0
LARGEST = 1e6


def generalization_error(alpha: ArrayLike, noise: float = 0.0, *, N: int) -> Array:
    """Mean of arccos(R)/pi over data sets of P = round(alpha N) examples."""
    return _mean_at_each(alpha, noise, N, 0)


def overlap(alpha: ArrayLike, noise: float = 0.0, *, N: int) -> Array:
    """Mean of R over data sets of P = round(alpha N) examples."""
    return _mean_at_each(alpha, noise, N, 1)


def _mean_at_each(alpha: ArrayLike, noise: float, N: int, which: int) -> Array:
    check_noise(np.asarray(noise, dtype=float))
    if N < 2:
        raise ValueError(f"N = {N} must be 2 or more.")
    values = np.asarray(alpha, dtype=float)
    if not np.all((values > 0) & (values <= LARGEST)):
        wrong = values[~((values > 0) & (values <= LARGEST))].flat[0]
        raise ValueError(f"alpha is {wrong}: it must be positive and at most {LARGEST:g}.")
    sizes = np.maximum(1, np.round(values * N)).astype(int)
    return np.array([_mean_error_and_overlap(int(P), N, float(noise))[which] for P in sizes.ravel()]).reshape(
        values.shape
    )


@lru_cache(maxsize=4096)
def _mean_error_and_overlap(P: int, N: int, noise: float) -> tuple[float, float]:
    c, weight = label_overlap_rule(P, noise, smooth=N > 5)
    with np.errstate(divide="ignore"):
        delta = c / np.sqrt(np.maximum(P - c * c, 0.0))
    sine, share = np.ones(1), np.ones(1)  # sqrt(b) for P < N, sqrt(B) for P > N
    if P != N:
        angle, share = _angle_rule(P, N - P) if P < N else _angle_rule(N - 1, P - N)
        sine = np.sin(angle)
    if P > N:
        delta, weight = (delta[:, None] / sine).ravel(), (weight[:, None] * share).ravel()
    delta, weight = _drop_negligible(delta, weight)
    # tan(first) = sqrt(W)/sqrt(S + z^2), tan(second) = z/sqrt(S): the sign of z is free.
    first, p = _angle_rule(abs(P - N) + 1, max(P, N) + 1)
    second, q = _angle_rule(1, max(P, N))
    second, q = np.concatenate([second, -second]), np.concatenate([q, q]) / 2
    along = delta[:, None, None] * np.tan(first)[:, None] + np.sin(second)
    theta, weight = np.arctan2(np.cos(second), along), weight[:, None, None] * p[:, None] * q
    if P >= N:
        return float((weight * theta).sum() / np.pi), float((weight * np.cos(theta)).sum())
    R = np.cos(theta)
    error = sum(part * float((weight * np.arccos(r * R)).sum()) for r, part in zip(sine, share, strict=True))
    return error / np.pi, float(sine @ share) * float((weight * R).sum())


def _angle_rule(p: int, q: int) -> tuple[Array, Array]:
    """Nodes and weights of the angle of two lengths chi_p, chi_q: density ~ sin^(p-1) cos^(q-1)."""
    middle, width = np.arctan2(np.sqrt(p), np.sqrt(q)), RANGE / np.sqrt(2.0 * (p + q))
    low, high = max(0.0, middle - width), min(np.pi / 2, middle + width)
    x, weight = np.polynomial.legendre.leggauss(NODES)
    angle = low + (high - low) * (x + 1) / 2
    # Relative to the middle: the logarithms of large powers would lose digits.
    density = (p - 1) * np.log(np.sin(angle) / np.sin(middle)) + (q - 1) * np.log(
        np.cos(angle) / np.cos(middle)
    )
    weight = weight * np.exp(density - density.max())
    return _drop_negligible(angle, weight / weight.sum())


def _drop_negligible(nodes: Array, weight: Array) -> tuple[Array, Array]:
    """Nodes and weights, a few of which may be negative, without those that do not change a mean."""
    kept = np.abs(weight) > 1e-16 * np.abs(weight).max()
    return nodes[kept], weight[kept]
