"""The Gibbs student: drawn at random from the version space, or with noise from the posterior.

With label noise the posterior uses the true flip rate. Replica symmetry is exact
here because teacher and student are drawn from the same distribution; N -> infinity.
"""

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array
from markone.numerics.gaussian import SQRT2PI, mills_ratio, phi, trapezoid_rule
from markone.numerics.roots import find_roots
from markone.perceptron.theory.rule import (
    NOTHING,
    Value,
    check_arguments,
    check_noise,
    label_correlation,
    restore_shape,
)

# Nodes of the trapezoidal rule: converged to 1e-12 for every noise.
NODES = 141


def information_integral(q: Array, noise: Array) -> Array:
    """J(q) = int Dv phi(u)/[noise + (1 - 2 noise) Phi(u)], u = sqrt(q) v, for flat arrays."""
    v, weight = trapezoid_rule(NODES)
    u = np.sqrt(q)[:, None] * v
    with np.errstate(over="ignore"):
        denominator = (1 - 2 * noise)[:, None] * mills_ratio(-u)
        if noise.any():
            denominator = denominator + noise[:, None] / phi(u)
    return (1 / denominator) @ weight


def _log_alpha(y: Array, noise: Array) -> Array:
    """ln alpha as a function of y = ln g, g^2 = q/(1-q).

    q = 2 alpha (1 - 2 noise)^2 sqrt((1-q)/(2 pi)) J(q), which is explicit in alpha.
    """
    g2 = np.exp(2 * y)
    q = 1 / (1 + 1 / g2)
    scale = 2 * (1 - 2 * noise) ** 2 / SQRT2PI
    return np.log(q) + 0.5 * np.log1p(g2) - np.log(scale * information_integral(q, noise))


def _alpha_equation(y: Array, log_alpha: Array, noise: Array) -> Array:
    return _log_alpha(y, noise) - log_alpha


def overlap_ratio(alpha: Array, noise: Array) -> Array:
    """g = sqrt(q/(1-q)) at the given alpha, for flat arrays; 0 at alpha = 0."""
    log_alpha = np.log(np.maximum(alpha, NOTHING))
    # Small alpha: g = c sqrt(alpha), c = correlation(noise), roughly, while g < 1. Large alpha:
    # g = alpha/(pi sqrt 2 A) with A of asymptotic_constant. The larger is within a factor e^4 of the root.
    c = np.log(label_correlation(noise))
    guess = np.maximum(c + log_alpha / 2, 2 * c + log_alpha)
    y = find_roots(_alpha_equation, guess - 4, guess + 4, (log_alpha, noise)).x
    return np.where(alpha <= NOTHING, label_correlation(noise) * np.sqrt(alpha), np.exp(y))


def overlap(alpha: ArrayLike, noise: ArrayLike = 0.0) -> Value:
    """R = q with q = 2 alpha (1-2 noise)^2 int Dt phi(g t)^2/H_noise(-g t), g^2 = q/(1-q).

    H_noise(x) = noise + (1 - 2 noise) H(x). q is also the overlap of two Gibbs students.
    """
    shape, (alpha, noise) = check_arguments(alpha, noise)
    g = overlap_ratio(alpha, noise)
    return restore_shape(g * g / (1 + g * g), shape)


def generalization_error(alpha: ArrayLike, noise: ArrayLike = 0.0) -> Value:
    """eps = arccos(q)/pi for 0 <= alpha <= 1e8, accurate also as q -> 1."""
    shape, (alpha, noise) = check_arguments(alpha, noise)
    g2 = overlap_ratio(alpha, noise) ** 2
    # cos theta = g2/(1+g2), sin theta = sqrt(1 + 2 g2)/(1+g2)
    return restore_shape(np.arctan2(np.sqrt(1 + 2 * g2), g2) / np.pi, shape)


def asymptotic_constant(noise: ArrayLike = 0.0) -> Value:
    """A in eps ~ A/alpha: sqrt(2) times that of Bayes, 0.62465819 without noise."""
    value = np.sqrt(2) * np.asarray(bayes_constant(noise))
    return restore_shape(value, value.shape)


def bayes_constant(noise: ArrayLike = 0.0) -> Value:
    """1/(sqrt(2 pi) (1-2 noise)^2 int du phi(u)^2/H_noise(-u)), 0.44170004 without noise."""
    check_noise(noise)
    flat = np.atleast_1d(np.asarray(noise, dtype=float)).ravel()
    # int du phi(u)^2/H_noise(-u) is J at q = 1.
    value = 1 / (SQRT2PI * (1 - 2 * flat) ** 2 * information_integral(np.ones_like(flat), flat))
    return restore_shape(value, np.shape(noise))
