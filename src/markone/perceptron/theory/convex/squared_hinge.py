"""Squared hinge: min (N/2) w^2 + (gamma/2) sum_mu (1 - E^mu)_+^2 as a student of a rule, H^[2] of the notes.

Exact for N -> infinity. An example with field t below the margin kappa = 1/|w| is raised by
Delta(t) = rho (kappa - t)_+, rho = gamma x/(1 + gamma x). With p(t) of rule.field_density:
  (I)   cot(theta) = alpha c rho G(kappa/sin)
  (II)  sin(theta)^2 = alpha rho^2 int_(t<kappa) p(t) (kappa - t)^2 dt
  (III) 1 - x = alpha rho P(t < kappa)
gamma -> 0 is Hebb's rule, gamma = infinity is optimal stability for alpha < alpha_c(noise) and beyond it
the minimum of H^[2] itself. Range: 1e-5 <= alpha <= 1e5, any gamma.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erf

from markone.numerics.arrays import Array
from markone.numerics.gaussian import Phi, phi
from markone.numerics.roots import find_roots
from markone.perceptron.theory.convex.squared_hinge_solution import solve_squared_hinge
from markone.perceptron.theory.rule import (
    Value,
    check_arguments_with_gamma,
    check_noise,
    label_correlation,
    probability_below,
    restore_shape,
)


def overlap(alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
    """R = cos(theta) of (I)-(III)."""
    shape, args = check_arguments_with_gamma(alpha, noise, gamma)
    cot = solve_squared_hinge(*args).cot
    return restore_shape(cot / np.hypot(1, cot), shape)


def generalization_error(alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
    """eps = theta/pi of (I)-(III)."""
    shape, args = check_arguments_with_gamma(alpha, noise, gamma)
    return restore_shape(np.arctan2(1, solve_squared_hinge(*args).cot) / np.pi, shape)


def norm(alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
    """|w| = 1/kappa; 0 at alpha = 0."""
    shape, args = check_arguments_with_gamma(alpha, noise, gamma)
    return restore_shape(1 / solve_squared_hinge(*args).kappa, shape)


def training_error(alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
    """Fraction of training examples with E < 0: P(t < -kappa rho/(1-rho)); 0 where all are learned."""
    shape, (alpha, noise, gamma) = check_arguments_with_gamma(alpha, noise, gamma)
    s = solve_squared_hinge(alpha, noise, gamma)
    none = (s.rho == 1) | (alpha == 0)
    reach = s.kappa[~none] * s.rho[~none] / (1 - s.rho[~none])
    value = np.zeros_like(alpha)
    value[~none] = probability_below(-reach, s.cot[~none], noise[~none])
    return restore_shape(value, shape)


def support_vectors(alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
    """Examples with E < 1 (E = 1 where gamma = infinity separates), per N: alpha P(t < kappa)."""
    shape, (alpha, noise, gamma) = check_arguments_with_gamma(alpha, noise, gamma)
    s = solve_squared_hinge(alpha, noise, gamma)
    value = alpha * probability_below(np.where(alpha == 0, 0.0, s.kappa), s.cot, noise)
    return restore_shape(value, shape)


def _stationarity_equation(kappa: Array, noise: Array) -> Array:
    return noise + (1 - noise) * erf(kappa / np.sqrt(2)) - label_correlation(noise) * kappa


def asymptotic_stability(noise: ArrayLike) -> Value:
    """kappa = 1/|w| for alpha -> infinity: noise + (1 - noise) erf(kappa/sqrt 2) = c kappa."""
    check_noise(noise)
    flat = np.atleast_1d(np.asarray(noise, dtype=float)).ravel()
    # The left side is below 1, so the root is below 1/c.
    kappa = find_roots(_stationarity_equation, 0.0, 1.01 / label_correlation(flat), (flat,)).x
    return restore_shape(np.where(flat > 0, kappa, 0.0), np.shape(noise))


def asymptotic_constant(noise: ArrayLike) -> Value:
    """C in eps ~ C/sqrt(alpha), any gamma: sqrt(<(1 - t/kappa)_+^2>)/(pi c), t = +-|normal|, P(-) = noise.

    0 without noise, where the error falls faster. Digits are lost below noise = 1e-7.
    """
    noise = np.asarray(noise, dtype=float)
    k = np.asarray(asymptotic_stability(noise))
    # int_0^k 2 phi (k-t)^2 and int_0^inf 2 phi (k+t)^2
    right = (1 + k * k) * (2 * Phi(k) - 1) + 2 * k * phi(k) - 4 * k * phi(0)
    left = 1 + k * k + 4 * k * phi(0)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.sqrt((1 - noise) * right + noise * left) / (k * np.pi * label_correlation(noise))
    value = np.where(noise == 0, 0.0, value)
    return restore_shape(value, value.shape)
