"""Logistic regression: min (N/2) w^2 + gamma sum_mu ln(1 + exp(-E^mu)) as a student of a rule.

Exact for N -> infinity, see convex_loss. gamma -> 0 is Hebb's rule. gamma = infinity is maximum likelihood
for alpha > alpha_c(noise); below that threshold |w| diverges and the direction is that of optimal
stability. Range: 1e-5 <= alpha <= 1e4, gamma <= 1e6 or infinity. NaN for gamma = infinity within
1e-5 alpha_c above alpha_c, where |w| diverges and the iteration may not settle.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from markone.numerics.arrays import Array
from markone.numerics.gaussian import REACH, panel_quadrature, phi
from markone.numerics.roots import find_roots
from markone.perceptron.theory import max_stability
from markone.perceptron.theory.convex.convex_loss import ConvexSolution, Loss, solve_convex_loss
from markone.perceptron.theory.rule import (
    NOTHING,
    Value,
    check_arguments_with_gamma,
    check_noise,
    fill_unlearned,
    label_correlation,
    probability_below,
    restore_shape,
)

# Poles at E = +-i pi: panels of length 7 next to E = 0, longer ones where only exp(-E) is left.
EDGES = (-40.0, -16.0, -7.0, 0.0, 7.0, 16.0, 40.0)
LOSS = Loss(lambda E: expit(-E), lambda E, v: v * (1 - v), EDGES)


def solve_logistic(alpha: Array, noise: Array, gamma: Array) -> ConvexSolution:
    """Order parameters for flat arrays; kappa = 0 (|w| infinite) where maximum likelihood separates."""
    hard = np.isinf(gamma) & (alpha < max_stability.alpha_c(noise)) & (alpha > NOTHING)
    soft = ~hard & (alpha > NOTHING)
    cot, kappa, rho = (
        fill_unlearned(alpha, 0.0),
        np.where(hard, 0.0, fill_unlearned(alpha, np.inf)),
        np.where(hard, np.inf, gamma),
    )
    cot[hard] = max_stability.solve_max_stability(alpha[hard], noise[hard])[1]
    student = solve_convex_loss(LOSS, alpha[soft], noise[soft], gamma[soft])
    cot[soft], kappa[soft], rho[soft] = student.cot, student.kappa, student.rho
    return ConvexSolution(cot, kappa, rho)


def overlap(alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
    """R = cos(theta)."""
    shape, args = check_arguments_with_gamma(alpha, noise, gamma)
    cot = solve_logistic(*args).cot
    return restore_shape(cot / np.hypot(1, cot), shape)


def generalization_error(alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
    """eps = theta/pi."""
    shape, args = check_arguments_with_gamma(alpha, noise, gamma)
    return restore_shape(np.arctan2(1, solve_logistic(*args).cot) / np.pi, shape)


def norm(alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
    """|w|; infinite where gamma = infinity and the data are separable, 0 at alpha = 0."""
    shape, args = check_arguments_with_gamma(alpha, noise, gamma)
    with np.errstate(divide="ignore"):
        return restore_shape(1 / solve_logistic(*args).kappa, shape)


def training_error(alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
    """Fraction of training examples with E < 0: P(t < -kappa rho/2); 0 at alpha = 0 and where separable."""
    shape, (alpha, noise, gamma) = check_arguments_with_gamma(alpha, noise, gamma)
    student = solve_logistic(alpha, noise, gamma)
    here = (alpha > 0) & (student.kappa != 0)
    value = np.zeros_like(alpha)
    edge = -student.kappa[here] * student.rho[here] / 2
    value[here] = probability_below(edge, student.cot[here], noise[here])
    return restore_shape(value, shape)


def _population_averages(kappa: Array, noise: Array) -> tuple[Array, Array]:
    """E s(1-s) and E s^2 for s = 1/(1 + exp(t/kappa)), t = +-|normal| with P(-) = noise."""
    edges = np.minimum(kappa[:, None] * np.array([0, 7, 16, 40, np.inf]), REACH)
    t, weight = panel_quadrature(edges, 40)
    weight = weight * 2 * phi(t)
    s = expit(-t / kappa[:, None])
    square = (1 - noise)[:, None] * s**2 + noise[:, None] * (1 - s) ** 2
    return (weight * s * (1 - s)).sum(-1), (weight * square).sum(-1)


def _stationarity_equation(log_kappa: Array, noise: Array) -> Array:
    kappa = np.exp(log_kappa)
    return np.log(label_correlation(noise) * kappa / (2 * _population_averages(kappa, noise)[0]))


def _asymptotic_kappa(noise: Array) -> Array:
    # kappa ~ sqrt(noise) for little noise and ~ 1/(1 - 2 noise) towards 1/2.
    low, high = np.log(np.where(noise > 0, noise, 0.5)) / 2 - 4, 3 - 2 * np.log1p(-2 * noise)
    return np.where(noise > 0, np.exp(find_roots(_stationarity_equation, low, high, (noise,)).x), 0.0)


def asymptotic_norm(noise: ArrayLike) -> Value:
    """|w| = 1/kappa for alpha -> infinity: 2 E[s(1-s)] = c kappa; infinite without noise."""
    check_noise(noise)
    flat = np.atleast_1d(np.asarray(noise, dtype=float)).ravel()
    with np.errstate(divide="ignore"):
        return restore_shape(1 / _asymptotic_kappa(flat), np.shape(noise))


def asymptotic_constant(noise: ArrayLike) -> Value:
    """C in eps ~ C/sqrt(alpha), for any gamma: (2/(pi c)) sqrt(E s^2), s = 1/(1 + exp(t/kappa)).

    0 without noise, where the error falls faster. Digits are lost below noise = 1e-7.
    """
    check_noise(noise)
    flat = np.atleast_1d(np.asarray(noise, dtype=float)).ravel()
    kappa = _asymptotic_kappa(flat)
    square = _population_averages(np.where(flat > 0, kappa, 1.0), flat)[1]
    value = np.where(flat > 0, 2 / (np.pi * label_correlation(flat)) * np.sqrt(square), 0.0)
    return restore_shape(value, np.shape(noise))
