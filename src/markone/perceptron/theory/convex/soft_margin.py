"""Soft margin: min (N/2) w^2 + gamma sum_mu (1 - E^mu)_+ as a student of a rule (4.3), C = gamma/N.

Exact for N -> infinity. kappa = 1/|w| is the stability of the examples with E = 1. Without an example
in the training set its field t = S w.xi/|w| is distributed like that of a fresh one; training on it raises t
by Delta(t) = min(max(kappa - t, 0), b): zero beyond the margin, up to the margin (free support vectors), or
by the maximum b = kappa gamma x (clipped ones). With p(t) of rule.field_density:
  (I)   cot(theta) = alpha c [G(kappa/sin) - G((kappa - b)/sin)]
  (II)  sin(theta)^2 = alpha int p(t) Delta(t)^2 dt
  (III) 1 - x = alpha P(kappa - b < t < kappa)
gamma -> 0 is Hebb's rule, gamma = infinity is optimal stability for alpha < alpha_c(noise) and beyond it
the w with the least sum of (1 - E)_+. Range: 1e-5 <= alpha <= 1e5, any gamma. NaN for gamma = infinity
within 1e-5 alpha_c above alpha_c, where |w| diverges and the iteration may not settle.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erf

from markone.perceptron.theory.convex.soft_margin_solution import solve_soft_margin
from markone.perceptron.theory.rule import (
    NOTHING,
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
    cot = solve_soft_margin(*args).cot
    return restore_shape(cot / np.hypot(1, cot), shape)


def generalization_error(alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
    """eps = theta/pi of (I)-(III)."""
    shape, args = check_arguments_with_gamma(alpha, noise, gamma)
    return restore_shape(np.arctan2(1, solve_soft_margin(*args).cot) / np.pi, shape)


def stability(alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
    """kappa = 1/|w|, the stability of the free support vectors; infinite at alpha = 0."""
    shape, args = check_arguments_with_gamma(alpha, noise, gamma)
    return restore_shape(solve_soft_margin(*args).kappa, shape)


def norm(alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
    """|w| = 1/kappa; 0 at alpha = 0."""
    shape, args = check_arguments_with_gamma(alpha, noise, gamma)
    return restore_shape(1 / solve_soft_margin(*args).kappa, shape)


def training_error(alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
    """Fraction of training examples with E < 0: P(t < -b); 0 where all are learned, and at alpha = 0."""
    shape, (alpha, noise, gamma) = check_arguments_with_gamma(alpha, noise, gamma)
    student = solve_soft_margin(alpha, noise, gamma)
    none = np.isinf(student.b) | (alpha <= NOTHING)
    value = probability_below(np.where(none, -1.0, -student.b), student.cot, noise)
    return restore_shape(np.where(none, 0.0, value), shape)


def free_support_vectors(alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
    """Examples with E = 1 and 0 < embedding < gamma, per N: 1 - x."""
    shape, args = check_arguments_with_gamma(alpha, noise, gamma)
    return restore_shape(1 - solve_soft_margin(*args).x, shape)


def clipped_support_vectors(alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
    """Examples with E < 1 and embedding gamma, per N: alpha P(t < kappa - b)."""
    shape, (alpha, noise, gamma) = check_arguments_with_gamma(alpha, noise, gamma)
    student = solve_soft_margin(alpha, noise, gamma)
    none = np.isinf(student.b) | (alpha <= NOTHING)
    value = alpha * probability_below(np.where(none, -1.0, student.kappa - student.b), student.cot, noise)
    return restore_shape(np.where(none, 0.0, value), shape)


def asymptotic_stability(noise: ArrayLike) -> Value:
    """kappa for alpha -> infinity: sqrt(2 ln[(1 - noise)/(1 - 2 noise)]), 0 without noise."""
    check_noise(noise)
    noise = np.asarray(noise, dtype=float)
    value = np.sqrt(2 * (np.log1p(-noise) - np.log1p(-2 * noise)))
    return restore_shape(value, value.shape)


def asymptotic_constant(noise: ArrayLike) -> Value:
    """C in eps ~ C/sqrt(alpha), for any gamma: sqrt(noise + (1 - noise) erf(kappa/sqrt 2))/(pi c).

    0 without noise, where the error falls faster (like alpha^(-2/3) at fixed gamma).
    """
    kappa = np.asarray(asymptotic_stability(noise))
    noise = np.asarray(noise, dtype=float)
    value = np.sqrt(noise + (1 - noise) * erf(kappa / np.sqrt(2))) / (np.pi * label_correlation(noise))
    return restore_shape(value, value.shape)
