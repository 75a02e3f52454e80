"""The perceptron of optimal stability as a student of a rule (MinOver, AdaTron, hard-margin SVM).

Exact for N -> infinity, for as long as the examples are separable: always without noise, up to
alpha_c(noise) with it. Beyond alpha_c every function is NaN: there is no solution of positive stability.
"""

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array
from markone.numerics.gaussian import SQRT2PI, G, Phi, panel_quadrature
from markone.numerics.roots import find_roots, widen_bracket
from markone.perceptron.theory.rule import (
    Value,
    check_arguments,
    check_noise,
    field_moments,
    label_correlation,
    probability_below,
    restore_shape,
)


def _tangent_minus_angle(t: Array) -> Array:
    """t - arctan(t), by its series where the difference would cancel."""
    t2 = t * t
    series = t * t2 * np.polynomial.polynomial.polyval(-t2, 1 / np.arange(3, 21, 2))
    return np.where(t < 0.1, series, t - np.arctan(t))


def _threshold_gap(log_t: Array, target: Array) -> Array:
    return np.log(_tangent_minus_angle(np.exp(log_t)) / target)


def threshold_tangent(noise: Array) -> Array:
    """t = tan(theta) at alpha_c(noise): t - arctan(t) = pi noise/(1 - 2 noise)."""
    target = np.where(noise > 0, np.pi * noise / (1 - 2 * noise), 1.0)
    # t^3/3 >= t - arctan(t) gives the lower end; the upper one is (7.5 target)^(1/3) for t < 1 and
    # target + pi/2 otherwise, both below the sum.
    low, high = np.cbrt(3 * target), target + 1.4 * np.cbrt(7.5 * target)
    found = np.exp(find_roots(_threshold_gap, np.log(low) - 0.1, np.log(high), (target,)).x)
    return np.where(noise == 0, 0.0, found)


def alpha_c(noise: ArrayLike = 0.0) -> Value:
    """Separability threshold: tan(theta) - theta = pi noise/(1-2 noise), alpha_c = pi cot(theta)/(1-2 noise).

    Infinite without noise, ~ pi/(3 pi noise)^(1/3) for little noise, Cover's 2 for noise -> 1/2.
    """
    check_noise(noise)
    flat = np.atleast_1d(np.asarray(noise, dtype=float)).ravel()
    with np.errstate(divide="ignore"):
        value = np.pi / threshold_tangent(flat) / (1 - 2 * flat)
    return restore_shape(value, np.shape(noise))


def _stability_equation(k: Array, alpha: Array, noise: Array) -> Array:
    """alpha int_(t<kappa) p(t) (kappa-t)^2 dt/sin^2 - 1 with cot = alpha c G(k), kappa = k sin."""
    cot = alpha * label_correlation(noise) * G(k)
    square = 1 / (1 + cot * cot)
    _, second = field_moments(np.full_like(k, -np.inf), k * np.sqrt(square), cot, noise)
    return alpha * second / square - 1


def solve_max_stability(alpha: Array, noise: Array) -> tuple[Array, Array]:
    """k = kappa/sin(theta) and cot(theta), for flat arrays; NaN beyond alpha_c and at alpha = 0."""
    inside = (alpha > 0) & (alpha < alpha_c(noise))
    k = np.full_like(alpha, np.nan)
    args = alpha[inside], noise[inside]
    high = widen_bracket(_stability_equation, 0.0, 1 + 1 / np.sqrt(args[0]), args)
    k[inside] = find_roots(_stability_equation, 0.0, high, args).x
    return k, alpha * label_correlation(noise) * G(k)


def overlap(alpha: ArrayLike, noise: ArrayLike = 0.0) -> Value:
    """R = cos(theta), from cot(theta) = alpha c G(k) and sin^2 = alpha int_(t<kappa) p(t) (kappa-t)^2 dt.

    k = kappa/sin(theta), G(k) = k Phi(k) + phi(k), p(t) = 2 phi(t) H_noise(-t cot theta).
    """
    shape, (alpha, noise) = check_arguments(alpha, noise)
    cot = np.where(alpha == 0, 0.0, solve_max_stability(alpha, noise)[1])
    return restore_shape(cot / np.hypot(1, cot), shape)


def generalization_error(alpha: ArrayLike, noise: ArrayLike = 0.0) -> Value:
    """eps = theta/pi (see overlap), for 0 <= alpha <= 1e6 and alpha < alpha_c(noise); NaN beyond."""
    shape, (alpha, noise) = check_arguments(alpha, noise)
    cot = np.where(alpha == 0, 0.0, solve_max_stability(alpha, noise)[1])
    return restore_shape(np.arctan2(1, cot) / np.pi, shape)


def stability(alpha: ArrayLike, noise: ArrayLike = 0.0) -> Value:
    """kappa(alpha), the largest min E/|w|: ~ 1/sqrt(alpha) at first, 0 at alpha_c(noise), NaN beyond."""
    shape, (alpha, noise) = check_arguments(alpha, noise)
    k, cot = solve_max_stability(alpha, noise)
    return restore_shape(np.where(alpha == 0, np.inf, k / np.hypot(1, cot)), shape)


def support_vectors(alpha: ArrayLike, noise: ArrayLike = 0.0) -> Value:
    """Examples at the smallest stability, per N: alpha P(t < kappa) <= 1; NaN beyond alpha_c(noise)."""
    shape, (alpha, noise) = check_arguments(alpha, noise)
    k, cot = solve_max_stability(alpha, noise)
    here = ~np.isnan(k)
    value = np.where(alpha == 0, 0.0, np.nan)
    value[here] = alpha[here] * probability_below(k[here] / np.hypot(1, cot[here]), cot[here], noise[here])
    return restore_shape(value, shape)


def _asymptotic_gap(k: Array) -> Array:
    v, weight = panel_quadrature(np.stack([np.full_like(k, -10.0), k], axis=-1), 60)
    return (weight * Phi(v) * (k[:, None] - v) ** 2).sum(-1) - G(k)


def asymptotic_k() -> float:
    """k0 = 0.63883322 with int_(-inf)^k Phi(v) (k-v)^2 dv = G(k): kappa/sin(theta) for alpha -> infinity."""
    return float(find_roots(_asymptotic_gap, 0.0, 2.0).x)


def asymptotic_constant() -> float:
    """A in eps ~ A/alpha without noise: 1/(sqrt(2 pi) G(k0)) = 0.50048893."""
    return float(1 / (SQRT2PI * G(asymptotic_k())))


def asymptotic_stability() -> float:
    """a in kappa ~ a/alpha without noise: k0 pi A = 1.00445813."""
    return asymptotic_k() * np.pi * asymptotic_constant()
