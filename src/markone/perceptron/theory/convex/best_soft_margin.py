"""The soft margin with the weight gamma of errors that generalizes best (4.3), C = gamma/N.

With few examples the best gamma is finite even without noise; with many and noisy ones it is infinite.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize_scalar

from markone.numerics.arrays import apply_elementwise
from markone.perceptron.theory.convex.soft_margin import generalization_error
from markone.perceptron.theory.rule import Value, check_arguments, restore_shape


@apply_elementwise
def best_gamma(alpha: float, noise: float = 0.0) -> float:
    """The gamma of the smallest generalization error; infinite if no finite one is better.

    Found to 1e-4 relative, since the minimum is flat. NaN at alpha = 0, where w = 0.
    """
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
