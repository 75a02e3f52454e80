"""Adaline's student of a rule at finite N: the exact law of its overlap, without any simulation of students.

The pseudo-inverse of P Gaussian examples in N dimensions, w* = e_1. Let u be the first inputs, y the labels,
X the other N - 1 inputs. The overlap depends on the Gram matrix G = L L^T of (u, y) and on X, which
are independent:

- P < N:  (u, y)^T (X X^T)^-1 (u, y) = A = L W^-1 L^T, W a 2 x 2 Wishart matrix of N - P + 1 degrees;
  w_1 = A_12/(1 + A_11), |w|^2 = A_22 - A_12^2/(1 + A_11).
- P >= N: the part of (u, y) outside the span of X has the Gram matrix Q = L B L^T, B a Beta matrix of
  P - N + 1 and N - 1 degrees; w_1 = Q_12/Q_11, and the rest of w^2 is the residual inside the span over a
  chi-square of P - N + 2 degrees.

These few numbers are drawn for DRAWS students, with a fixed seed, and averaged. For P >= 50 u.y/|u| is drawn
from a Gaussian of its mean and variance. At alpha = 1 the limit is 1/2, N = 200 gives 0.477.
"""

import math
from functools import lru_cache

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array
from markone.perceptron.theory.rule import check_noise

DRAWS = 10_000
MANY = 50  # number of examples from which sums are taken as Gaussian
LARGEST = 1e6
MEAN = math.sqrt(2 / math.pi)  # of |u|


def generalization_error(alpha: ArrayLike, noise: float = 0.0, *, N: int) -> Array:
    """Mean of arccos(R)/pi over data sets of P = round(alpha N) examples; accurate to a few 1e-4."""
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
    R = draw_overlaps(P, N, noise, DRAWS, np.random.default_rng([P, N]))
    return float(np.mean(np.arccos(R)) / np.pi), float(np.mean(R))


def draw_overlaps(P: int, N: int, noise: float, draws: int, rng: Generator) -> Array:
    """R of `draws` independent students."""
    G = _draw_gram(P, noise, draws, rng)
    L = np.linalg.cholesky(G)
    if P < N:
        A = L @ np.linalg.inv(_draw_wishart(N - P + 1, draws, rng)) @ L.transpose(0, 2, 1)
        along = A[:, 0, 1] / (1 + A[:, 0, 0])
        square = A[:, 1, 1] - A[:, 0, 1] ** 2 / (1 + A[:, 0, 0])
    else:
        Q = L @ _draw_beta(P - N + 1, N - 1, draws, rng) @ L.transpose(0, 2, 1)
        along = Q[:, 0, 1] / Q[:, 0, 0]
        inside = _residual_square(G, along) - _residual_square(Q, along)
        square = along**2 + np.maximum(inside, 0.0) / rng.chisquare(P - N + 2, draws)
    return np.clip(along / np.sqrt(square), -1.0, 1.0)


def _residual_square(G: Array, slope: Array) -> Array:
    """|y - slope u|^2."""
    found: Array = G[:, 1, 1] - 2 * slope * G[:, 0, 1] + slope**2 * G[:, 0, 0]
    return found


def _draw_gram(P: int, noise: float, draws: int, rng: Generator) -> Array:
    """u.u, u.y, y.y of u Gaussian and y = sign(u), flipped with the probability `noise`."""
    kept = (1 - 2 * noise) * MEAN
    if P < MANY:
        u = rng.standard_normal((draws, P))
        right = np.where(rng.random((draws, P)) < noise, -1.0, 1.0)
        sums = np.stack([(u * u).sum(axis=1), (np.abs(u) * right).sum(axis=1)])
    else:
        square = rng.chisquare(P, draws)
        # |u| and u.y/|u| are independent: mean and mean square of the second follow from those of u.y.
        length = math.sqrt(2) * math.exp(math.lgamma((P + 1) / 2) - math.lgamma(P / 2))
        mean = kept * P / length
        spread = math.sqrt(max(1 - kept**2 + kept**2 * P - mean**2, 0.0))
        edge = (1 - 1e-9) * math.sqrt(P)
        along = np.clip(mean + spread * rng.standard_normal(draws), -edge, edge)
        sums = np.stack([square, np.sqrt(square) * along])
    G = np.empty((draws, 2, 2))
    G[:, 0, 0], G[:, 0, 1], G[:, 1, 0], G[:, 1, 1] = sums[0], sums[1], sums[1], P
    if P == 1:
        G[:, 0, 0] += 1e-12 * G[:, 0, 0]  # u and y are parallel: keeps G positive definite despite rounding
    return G


def _draw_wishart(degrees: int, draws: int, rng: Generator) -> Array:
    """2 x 2, by Bartlett's triangle; of rank one for one degree."""
    T = np.zeros((draws, 2, 2))
    T[:, 0, 0] = np.sqrt(rng.chisquare(degrees, draws))
    T[:, 1, 0] = rng.standard_normal(draws)
    T[:, 1, 1] = np.sqrt(rng.chisquare(degrees - 1, draws)) if degrees > 1 else 0.0
    return T @ T.transpose(0, 2, 1)


def _draw_beta(first: int, second: int, draws: int, rng: Generator) -> Array:
    """W1/(W1 + W2) of two Wishart matrices."""
    W, other = _draw_wishart(first, draws, rng), _draw_wishart(second, draws, rng)
    inverse = np.linalg.inv(np.linalg.cholesky(W + other))
    return inverse @ W @ inverse.transpose(0, 2, 1)
