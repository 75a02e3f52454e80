"""Hebb's student w = (1/N) sum_mu xi^mu S^mu of a rule: exact at finite N as well as in the limit.

At finite N, tan theta = sqrt(P chi2_(N-1))/sum_mu s^mu with independent chi2 and s = S B.xi.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from markone.numerics.arrays import Array
from markone.numerics.gaussian import REACH, panel_quadrature, phi
from markone.perceptron.theory.rule import (
    Value,
    check_arguments,
    check_noise,
    label_correlation,
    require_all,
    restore_shape,
)

# Panels for mean_error: fine towards 0, where K has a cusp; long ones for the tail with few examples.
EDGES = np.concatenate([[0, 1e-4, 1e-3, 1e-2], np.linspace(0.05, 1, 12), [2, 8, 100, 1e4, 1e8]])
NODES = 36


def overlap(alpha: ArrayLike, noise: ArrayLike = 0.0) -> Value:
    """R = c sqrt(alpha)/sqrt(1 + c^2 alpha), c = sqrt(2/pi) (1 - 2 noise); N -> infinity."""
    shape, (alpha, noise) = check_arguments(alpha, noise)
    u = label_correlation(noise) * np.sqrt(alpha)
    return restore_shape(u / np.hypot(1, u), shape)


def generalization_error(alpha: ArrayLike, noise: ArrayLike = 0.0) -> Value:
    """eps = arctan(1/(c sqrt(alpha)))/pi; N -> infinity, every alpha >= 0."""
    shape, (alpha, noise) = check_arguments(alpha, noise)
    return restore_shape(np.arctan2(1, label_correlation(noise) * np.sqrt(alpha)) / np.pi, shape)


def asymptotic_constant(noise: ArrayLike = 0.0) -> Value:
    """C in eps ~ C/sqrt(alpha): 1/(sqrt(2 pi) (1 - 2 noise)), 0.398942 without noise."""
    check_noise(noise)
    value = 1 / (np.pi * label_correlation(noise))
    return restore_shape(value, value.shape)


def finite_size_term(alpha: ArrayLike, noise: ArrayLike = 0.0) -> Value:
    """d in <eps>_N = eps + d/N + O(1/N^2) at fixed alpha = P/N; NaN at alpha = 0 where it diverges.

    With u = 1/(c sqrt(alpha)), s = (1 - c^2)/(alpha c^2):
    d = (1/pi) [u (s - 3/4)/(1 + u^2) - u^3 (s + 1/2)/(1 + u^2)^2].
    """
    shape, (alpha, noise) = check_arguments(alpha, noise)
    c = label_correlation(noise)
    alpha = np.where(alpha == 0, np.nan, alpha)
    u, s = 1 / (c * np.sqrt(alpha)), (1 - c * c) / (alpha * c * c)
    d = u * (s - 0.75) / (1 + u * u) - u**3 * (s + 0.5) / (1 + u * u) ** 2
    return restore_shape(d / np.pi, shape)


def mean_error(P: ArrayLike, N: ArrayLike, noise: ArrayLike = 0.0) -> Value:
    """Exact <eps> over data sets of P <= 100 N examples in N >= 2 dimensions; absolute accuracy 1e-10.

    eps is the probability of A = |y| sum_mu s^mu + sqrt(P) chi_(N-1) z < 0 for a fresh input, with y, z
    standard normal. P(A < 0) = 1/2 - (1/pi) int dw/w Im <exp(i w A)> and psi(q) = <exp(i q s)> give
    eps = 1/2 - (1/pi) int_0^inf du/u K(u) Im psi(u/sqrt P)^P,  K(u) = <(1 + u^2/y^2)^(-(N-1)/2)>_y.
    """
    P, N, noise = np.broadcast_arrays(P, N, np.asarray(noise, dtype=float))
    check_noise(noise)
    require_all(N, (N >= 2) & (N % 1 == 0), "N is {}: the number of inputs must be an integer, at least 2.")
    require_all(P, (P >= 1) & (P % 1 == 0), "P is {}: the number of examples must be an integer, at least 1.")
    require_all(
        P, P <= 100 * N, "P = {} is more than 100 N: use generalization_error + finite_size_term/N there."
    )
    value = np.empty(P.shape)
    for n in np.unique(N):
        here = n == N
        value[here] = _mean_error(P[here].astype(float), float(n), noise[here])
    return restore_shape(value, P.shape)


@lru_cache(maxsize=64)
def _quadrature_weights(N: float) -> tuple[Array, Array]:
    """Nodes u and weights K(u) du/u."""
    # exp(-u sqrt(N)) bounds K for large N, exp(-0.18 u^2) bounds |psi^P|.
    u, du = panel_quadrature(min(15.0, 40 / np.sqrt(N - 1)) * EDGES, NODES)
    z = np.linspace(-37, np.log(REACH), 270)
    y = np.exp(z)
    fall = np.exp(-0.5 * (N - 1) * np.log1p((u[:, None] / y) ** 2))
    return u, fall @ (2 * phi(y) * y * (z[1] - z[0])) * du / u


def _mean_error(P: Array, N: float, noise: Array) -> Array:
    u, weight = _quadrature_weights(N)
    # The characteristic function of a half-normal number is Faddeeva's w(q/sqrt 2).
    psi = special.wofz(u / np.sqrt(2 * P[:, None]))
    psi.imag *= 1 - 2 * noise[:, None]
    return 0.5 - (psi ** P[:, None]).imag @ weight / np.pi
