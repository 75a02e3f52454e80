"""Bias and variance by simulation (6.4-6.7), for any fit; `bias_variance` has them in closed form."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone

from markone.evaluation.bias_variance.closed_form import Target, smoother_weights
from markone.numerics.arrays import Array

Fit = Callable[[Array, Array, Array], Array]


@dataclass(frozen=True)
class SimulatedBiasVariance:
    """At each x, over many noisy sets: mean fit, bias^2, variance, error, and their standard errors."""

    mean: Array
    bias2: Array
    variance: Array
    error: Array
    mean_error: Array
    bias2_error: Array
    variance_error: Array


def polynomial_fit(degree: int) -> Fit:
    """Least squares fit by a polynomial (6.2), (6.3)."""
    return lambda points, y, x: y @ smoother_weights(points, x, degree).T


def estimator_fit(estimator: Any) -> Fit:
    """Fit of a scikit-learn regressor of one variable, cloned for every set."""

    def fit(points: Array, y: Array, x: Array) -> Array:
        return np.array(
            [clone(estimator).fit(points[:, None], row).predict(x[:, None]) for row in y], dtype=float
        )

    return fit


def simulate_bias_variance(
    fit: Fit, f: Target, points: ArrayLike, x: ArrayLike, rho: float, sets: int = 1000, seed: Any = None
) -> SimulatedBiasVariance:
    """Draw `sets` data sets y = f + rho r (6.1) at the points, fit each, and decompose the error at x (6.7).

    The squared standard error of the mean is subtracted from bias^2, which may become slightly negative.

    Parameters
    ----------
    fit : function (points, targets, x) -> values
        Fits each data set and returns values at x.
    f : function of an array
        Target function.
    points : array (P,)
        Points of the targets.
    x : array
        Points at which the error is decomposed.
    rho : float
        Standard deviation of the noise.
    sets : int, default=1000
        Number of data sets.
    seed : int, Generator or None, default=None
        Seed of the noise.

    Returns
    -------
    SimulatedBiasVariance
        Mean, bias^2 and variance at x, with their standard errors.

    Examples
    --------
    >>> import numpy as np
    >>> from markone.evaluation import simulate_bias_variance
    >>> def mean(points, targets, x):
    ...     return np.broadcast_to(np.mean(targets, axis=-1, keepdims=True), (*targets.shape[:-1], len(x)))
    >>> points = np.linspace(-1, 1, 10)
    >>> found = simulate_bias_variance(mean, np.zeros_like, points, [0.0], rho=1.0, sets=2000, seed=0)
    >>> bool(abs(found.variance[0] - 0.1) < 4 * found.variance_error[0])
    True
    """
    if sets < 2:
        raise ValueError(f"sets = {sets}: a variance needs at least two data sets.")
    if not rho >= 0:
        raise ValueError(f"rho is {rho}: the standard deviation of the targets must not be negative.")
    points, x = np.asarray(points, dtype=float), np.asarray(x, dtype=float)
    y = f(points) + rho * np.random.default_rng(seed).standard_normal((sets, len(points)))
    fits = fit(points, y, x)
    mean, variance = fits.mean(axis=0), fits.var(axis=0, ddof=1)
    bias, mean_variance = f(x) - mean, variance / sets
    return SimulatedBiasVariance(
        mean,
        bias**2 - mean_variance,
        variance,
        np.mean((fits - f(x)) ** 2, axis=0),
        np.sqrt(mean_variance),
        np.sqrt(4 * bias**2 * mean_variance + 2 * mean_variance**2),
        variance * np.sqrt(2 / (sets - 1)),
    )
