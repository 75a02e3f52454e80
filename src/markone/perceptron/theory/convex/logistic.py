"""Logistic regression: min (N/2) w^2 + gamma sum_mu ln(1 + exp(-E^mu)) as a student of a rule.

Exact for N -> infinity: a loss of `theory.solve`. gamma -> 0 is Hebb's rule. gamma = infinity is maximum
likelihood for alpha > alpha_c(noise); below that threshold |w| diverges and the direction is that of optimal
stability. Range: 1e-5 <= alpha <= 1e4, gamma <= 1e6 or infinity. NaN for gamma = infinity within
1e-5 alpha_c above alpha_c, where |w| diverges and the iteration may not settle.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit

from markone.numerics.arrays import Array
from markone.numerics.gaussian import REACH, panel_quadrature, phi
from markone.numerics.roots import find_roots
from markone.perceptron.theory import max_stability
from markone.perceptron.theory.convex.gamma_curves import (
    define_curve,
    define_direction_curves,
    fraction_below,
    join_solutions,
)
from markone.perceptron.theory.engine.solve import solve
from markone.perceptron.theory.rule import Value, check_noise, label_correlation, restore_shape


class LogisticSolution(NamedTuple):
    """Order parameters, flat arrays: cot(theta), kappa = 1/|w|, response rho."""

    cot: Array
    kappa: Array
    rho: Array


def _solve_hard(alpha: Array, noise: Array, gamma: Array) -> LogisticSolution:
    cot = max_stability.solve_max_stability(alpha, noise)[1]
    return LogisticSolution(cot, np.zeros_like(cot), gamma)


def _solve_soft(alpha: Array, noise: Array, gamma: Array) -> LogisticSolution:
    found = solve(alpha, "logistic", {"gamma": gamma}, noise=noise)
    return LogisticSolution(1 / np.tan(np.pi * found.epsilon_rule), 1 / found.norm, found.V)


def solve_logistic(alpha: Array, noise: Array, gamma: Array) -> LogisticSolution:
    """Order parameters for flat arrays; kappa = 0 (|w| infinite) where maximum likelihood separates."""
    parts = (_solve_hard, _solve_soft)
    return LogisticSolution(*join_solutions((alpha, noise, gamma), (0.0, np.inf, 1.0), *parts))


def _read_training_error(s: LogisticSolution, alpha: Array, noise: Array) -> Array:
    with np.errstate(invalid="ignore"):
        return fraction_below(-s.kappa * s.rho / 2, s.cot, noise, (alpha == 0) | (s.kappa == 0))


# |w| is infinite where gamma = infinity and the data are separable.
overlap, generalization_error, norm = define_direction_curves(solve_logistic)
training_error = define_curve(
    "training_error",
    "Fraction of training examples with E < 0: P(t < -kappa rho/2); 0 at alpha = 0 and where separable.",
    solve_logistic,
    _read_training_error,
)


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
