"""Soft margin: min (N/2) w^2 + gamma sum_mu (1 - E^mu)_+ as a student of a rule (4.3), C = gamma/N.

Exact for N -> infinity. kappa = 1/|w| is the stability of the examples with E = 1. Before the student
looked, the field t = S w.xi/|w| of an example was distributed like that of a fresh one; learning raised it
by Delta(t) = min(max(kappa - t, 0), b): nothing beyond the margin, up to the margin (free support
vectors), or by the most that is allowed, b = kappa gamma x (clipped ones). With p(t) of rule.field_density:
  (I)   cot(theta) = alpha c [G(kappa/sin) - G((kappa - b)/sin)]
  (II)  sin(theta)^2 = alpha int p(t) Delta(t)^2 dt
  (III) 1 - x = alpha P(kappa - b < t < kappa)
gamma -> 0 is Hebb's rule, gamma = infinity is optimal stability for alpha < alpha_c(noise) and beyond it
the w with the least sum of (1 - E)_+. Range: 1e-5 <= alpha <= 1e5, any gamma. NaN for gamma = infinity
within 1e-5 alpha_c above alpha_c, where |w| diverges and the iteration may not settle.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize_scalar
from scipy.special import erf

from markone.numerics.arguments import elementwise
from markone.perceptron.theory.convex.soft_margin_solution import solution
from markone.perceptron.theory.rule import (
    NOTHING,
    Value,
    arguments,
    arguments_with_gamma,
    below,
    check_noise,
    correlation,
    shaped,
)


def overlap(alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
    """R = cos(theta) of (I)-(III)."""
    shape, args = arguments_with_gamma(alpha, noise, gamma)
    cot = solution(*args).cot
    return shaped(cot / np.hypot(1, cot), shape)


def generalization_error(alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
    """eps = theta/pi of (I)-(III)."""
    shape, args = arguments_with_gamma(alpha, noise, gamma)
    return shaped(np.arctan2(1, solution(*args).cot) / np.pi, shape)


@elementwise
def best_gamma(alpha: float, noise: float = 0.0) -> float:
    """The gamma of the smallest generalization error; infinite where none is better than the hard end.

    Found to 1e-4 relative, since the minimum is flat. NaN at alpha = 0, where nothing is learned.
    """
    if not 0 < alpha <= 1e4:
        arguments(alpha, noise)
        return float("nan")
    grid = np.append(np.logspace(-4, 8, 37), np.inf)
    errors = np.asarray(generalization_error(alpha, noise, gamma=grid))
    k = int(np.nanargmin(errors))
    if k == len(grid) - 1 or errors[k] >= errors[-1]:
        return float("inf")
    around = tuple(np.log(grid[[max(k - 1, 0), min(k + 1, len(grid) - 2)]]))
    found = minimize_scalar(
        lambda log_gamma: generalization_error(alpha, noise, gamma=np.exp(log_gamma)),
        bounds=around,
        method="bounded",
        options={"xatol": 1e-4},
    )
    return float(np.exp(found.x))


def best_error(alpha: ArrayLike, noise: float = 0.0) -> Value:
    """eps at `best_gamma`, for 0 <= alpha <= 1e4: a little above `bayes`; 1/2 at alpha = 0, NaN beyond."""
    gamma = np.asarray(best_gamma(alpha, noise))
    value = generalization_error(alpha, noise, gamma=np.where(np.isnan(gamma), 1.0, gamma))
    value = np.where(np.isnan(gamma) & (np.asarray(alpha) != 0), np.nan, value)
    return shaped(value, np.shape(alpha))


def stability(alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
    """kappa = 1/|w|, the stability of the free support vectors; infinite at alpha = 0."""
    shape, args = arguments_with_gamma(alpha, noise, gamma)
    return shaped(solution(*args).kappa, shape)


def norm(alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
    """|w| = 1/kappa; 0 at alpha = 0."""
    shape, args = arguments_with_gamma(alpha, noise, gamma)
    return shaped(1 / solution(*args).kappa, shape)


def training_error(alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
    """Fraction of training examples with E < 0: P(t < -b); 0 where all are learned, and at alpha = 0."""
    shape, (alpha, noise, gamma) = arguments_with_gamma(alpha, noise, gamma)
    student = solution(alpha, noise, gamma)
    none = np.isinf(student.b) | (alpha <= NOTHING)
    value = below(np.where(none, -1.0, -student.b), student.cot, noise)
    return shaped(np.where(none, 0.0, value), shape)


def free_support_vectors(alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
    """Examples with E = 1 and 0 < embedding < gamma, per N: 1 - x."""
    shape, args = arguments_with_gamma(alpha, noise, gamma)
    return shaped(1 - solution(*args).x, shape)


def clipped_support_vectors(alpha: ArrayLike, noise: ArrayLike = 0.0, *, gamma: ArrayLike = 1.0) -> Value:
    """Examples with E < 1 and embedding gamma, per N: alpha P(t < kappa - b)."""
    shape, (alpha, noise, gamma) = arguments_with_gamma(alpha, noise, gamma)
    student = solution(alpha, noise, gamma)
    none = np.isinf(student.b) | (alpha <= NOTHING)
    value = alpha * below(np.where(none, -1.0, student.kappa - student.b), student.cot, noise)
    return shaped(np.where(none, 0.0, value), shape)


def asymptotic_stability(noise: ArrayLike) -> Value:
    """kappa for alpha -> infinity: sqrt(2 ln[(1 - noise)/(1 - 2 noise)]), 0 without noise."""
    check_noise(noise)
    noise = np.asarray(noise, dtype=float)
    value = np.sqrt(2 * (np.log1p(-noise) - np.log1p(-2 * noise)))
    return shaped(value, value.shape)


def asymptotic_constant(noise: ArrayLike) -> Value:
    """C in eps ~ C/sqrt(alpha), for any gamma: sqrt(noise + (1 - noise) erf(kappa/sqrt 2))/(pi c).

    0 without noise, where the error falls faster (like alpha^(-2/3) at fixed gamma).
    """
    kappa = np.asarray(asymptotic_stability(noise))
    noise = np.asarray(noise, dtype=float)
    value = np.sqrt(noise + (1 - noise) * erf(kappa / np.sqrt(2))) / (np.pi * correlation(noise))
    return shaped(value, value.shape)
