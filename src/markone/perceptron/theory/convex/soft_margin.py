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

from markone.numerics.arrays import Array, apply_elementwise
from markone.perceptron.theory.convex.gamma_curves import (
    define_curve,
    define_direction_curves,
    fraction_below,
)
from markone.perceptron.theory.convex.hinge_solution import SOFT_MARGIN, HingeSolution
from markone.perceptron.theory.rule import (
    NOTHING,
    Value,
    check_arguments,
    check_noise,
    label_correlation,
    restore_shape,
)

solve_soft_margin = SOFT_MARGIN.solve
overlap, generalization_error, norm = define_direction_curves(solve_soft_margin)


def _read_training_error(s: HingeSolution, alpha: Array, noise: Array) -> Array:
    return fraction_below(-s.b, s.cot, noise, np.isinf(s.r) | (alpha <= NOTHING))


def _read_clipped(s: HingeSolution, alpha: Array, noise: Array) -> Array:
    return alpha * fraction_below(s.kappa - s.b, s.cot, noise, np.isinf(s.r) | (alpha <= NOTHING))


stability = define_curve(
    "stability",
    "kappa = 1/|w|, the stability of the free support vectors; infinite at alpha = 0.",
    solve_soft_margin,
    lambda s, *_: s.kappa,
)
training_error = define_curve(
    "training_error",
    "Fraction of training examples with E < 0: P(t < -b); 0 where all are learned, and at alpha = 0.",
    solve_soft_margin,
    _read_training_error,
)
free_support_vectors = define_curve(
    "free_support_vectors",
    "Examples with E = 1 and 0 < embedding < gamma, per N: 1 - x.",
    solve_soft_margin,
    lambda s, *_: 1 - s.x,
)
clipped_support_vectors = define_curve(
    "clipped_support_vectors",
    "Examples with E < 1 and embedding gamma, per N: alpha P(t < kappa - b).",
    solve_soft_margin,
    _read_clipped,
)


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


@apply_elementwise
def best_gamma(alpha: float, noise: float = 0.0) -> float:
    """The gamma of the smallest generalization error; infinite if no finite one is better.

    Found to 1e-4 relative, since the minimum is flat. NaN at alpha = 0, where w = 0.
    """
    from scipy.optimize import minimize_scalar  # the curves alone do without it

    if not 0 < alpha <= 1e4:
        check_arguments(alpha, noise)
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
    return restore_shape(value, np.shape(alpha))
