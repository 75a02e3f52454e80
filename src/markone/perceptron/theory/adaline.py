"""Adaline's student of a rule: least squares sum (1 - E)^2, its pseudo-inverse and ridge regression.

min (N ridge/2) w^2 + (1/2) sum_mu (1 - E^mu)^2, exact for N -> infinity. ridge = 0 is the pseudo-inverse:
all E = 1 with minimal |w| for alpha < 1, least squares for alpha > 1; at alpha = 1, |w| diverges and
eps = 1/2. ridge = infinity is Hebb's direction.
"""

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array
from markone.perceptron.theory.rule import (
    Value,
    check_arguments,
    check_noise,
    label_correlation,
    require_all,
    restore_shape,
)


def _check_arguments(
    alpha: ArrayLike, ridge: ArrayLike, noise: ArrayLike
) -> tuple[tuple[int, ...], list[Array]]:
    ridge = np.asarray(ridge, dtype=float)
    require_all(ridge, ridge >= 0, "ridge is {}: the weight of w^2 must not be negative.")
    return check_arguments(alpha, noise, ridge)


def response_function(alpha: Array, tau: Array) -> Array:
    """x > 0 with tau x^2 + (tau - 1 + alpha) x - 1 = 0; infinite for tau = 0, alpha <= 1."""
    b = tau - 1 + alpha
    root = np.hypot(b, 2 * np.sqrt(tau))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(b > 0, 2 / (b + root), (root - b) / (2 * tau))


def weight_moments(alpha: Array, noise: Array, tau: Array) -> tuple[Array, Array]:
    """mu = w.B and |w_perp|^2 of the student.

    mu = alpha c/(alpha + tau (1+x)), |w_perp|^2 = g (1 - 2 mu c + mu^2)/(1 - g), g = alpha (x/(1+x))^2.
    """
    c = label_correlation(noise)
    with np.errstate(divide="ignore", invalid="ignore"):
        x = response_function(alpha, tau)
        # tau (1+x) and x/(1+x) are finite for tau -> 0, alpha < 1.
        stiff = np.where(tau == 0, np.maximum(1 - alpha, 0), tau * (1 + x))
        mu = alpha * c / (alpha + stiff)
        g = alpha / (1 + 1 / x) ** 2
        perp = g * (1 - 2 * mu * c + mu * mu) / (1 - g)
    perp = np.where((tau == 0) & (alpha == 1), np.inf, perp)
    return np.where(np.isinf(tau), 0.0, mu), np.where(np.isinf(tau), 0.0, perp)


def _angle_tangent(alpha: Array, noise: Array, tau: Array) -> Array:
    mu, perp = weight_moments(alpha, noise, tau)
    with np.errstate(divide="ignore", invalid="ignore"):
        tangent = np.sqrt(perp) / mu
        hebb = 1 / (label_correlation(noise) * np.sqrt(alpha))
    # w = 0 at alpha = 0; for an infinite ridge the direction is Hebb's.
    return np.where(alpha == 0, np.inf, np.where(np.isinf(tau), hebb, tangent))


def overlap(alpha: ArrayLike, noise: ArrayLike = 0.0, *, ridge: ArrayLike = 0.0) -> Value:
    """R = mu/sqrt(mu^2 + |w_perp|^2) for every alpha >= 0; 0 at the peak alpha = 1 of the pseudo-inverse."""
    shape, (alpha, noise, tau) = _check_arguments(alpha, ridge, noise)
    return restore_shape(1 / np.hypot(1, _angle_tangent(alpha, noise, tau)), shape)


def generalization_error(alpha: ArrayLike, noise: ArrayLike = 0.0, *, ridge: ArrayLike = 0.0) -> Value:
    """eps = arctan(|w_perp|/mu)/pi for every alpha >= 0; 1/2 at the peak alpha = 1 of the pseudo-inverse."""
    shape, (alpha, noise, tau) = _check_arguments(alpha, ridge, noise)
    return restore_shape(np.arctan(_angle_tangent(alpha, noise, tau)) / np.pi, shape)


def norm(alpha: ArrayLike, noise: ArrayLike = 0.0, *, ridge: ArrayLike = 0.0) -> Value:
    """|w|, with E = w.xi S of order one; infinite at alpha = 1 for ridge = 0."""
    shape, (alpha, noise, tau) = _check_arguments(alpha, ridge, noise)
    mu, perp = weight_moments(alpha, noise, tau)
    return restore_shape(np.sqrt(mu * mu + perp), shape)


def training_error(alpha: ArrayLike, noise: ArrayLike = 0.0, *, ridge: ArrayLike = 0.0) -> Value:
    """Mean (1 - E)^2 over the training set; (1 - c^2)(1 - 1/alpha) for ridge = 0, alpha > 1, 0 below."""
    shape, (alpha, noise, tau) = _check_arguments(alpha, ridge, noise)
    mu, perp = weight_moments(alpha, noise, tau)
    fresh = 1 - 2 * mu * label_correlation(noise) + mu * mu + perp
    with np.errstate(invalid="ignore"):
        value = fresh / (1 + response_function(alpha, tau)) ** 2
    value = np.where(np.isinf(tau), 1.0, value)
    return restore_shape(np.where((tau == 0) & (alpha <= 1), 0.0, value), shape)


def optimal_ridge(noise: ArrayLike = 0.0) -> Value:
    """The ridge with the smallest error, 1/c^2 - 1 at every alpha; pi/2 - 1 = 0.570796 without noise."""
    check_noise(noise)
    value = 1 / label_correlation(noise) ** 2 - 1
    return restore_shape(value, value.shape)


def optimal_ridge_error(alpha: ArrayLike, noise: ArrayLike = 0.0) -> Value:
    """Generalization error of ridge regression at its optimal ridge: no peak at alpha = 1."""
    return generalization_error(alpha, noise, ridge=optimal_ridge(noise))


def asymptotic_constant(noise: ArrayLike = 0.0) -> Value:
    """C in eps ~ C/sqrt(alpha), for any ridge: sqrt(1/c^2 - 1)/pi, 0.240487 without noise."""
    value = np.sqrt(np.asarray(optimal_ridge(noise))) / np.pi
    return restore_shape(value, value.shape)
