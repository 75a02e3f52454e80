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
from markone.perceptron.theory.convex.gamma_curves import (
    define_curve,
    define_direction_curves,
    fraction_below,
)
from markone.perceptron.theory.convex.hinge_solution import SQUARED_HINGE, HingeSolution
from markone.perceptron.theory.rule import Value, check_noise, label_correlation, restore_shape

solve_squared_hinge = SQUARED_HINGE.solve
overlap, generalization_error, norm = define_direction_curves(solve_squared_hinge)


def _read_training_error(s: HingeSolution, alpha: Array, noise: Array) -> Array:
    with np.errstate(divide="ignore"):
        return fraction_below(-s.kappa * s.r / (1 - s.r), s.cot, noise, (s.r == 1) | (alpha == 0))


def _read_support(s: HingeSolution, alpha: Array, noise: Array) -> Array:
    return alpha * fraction_below(s.kappa, s.cot, noise, alpha == 0)


training_error = define_curve(
    "training_error",
    "Fraction of training examples with E < 0: P(t < -kappa rho/(1-rho)); 0 where all are learned.",
    solve_squared_hinge,
    _read_training_error,
)
support_vectors = define_curve(
    "support_vectors",
    "Examples with E < 1 (E = 1 where gamma = infinity separates), per N: alpha P(t < kappa).",
    solve_squared_hinge,
    _read_support,
)


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
