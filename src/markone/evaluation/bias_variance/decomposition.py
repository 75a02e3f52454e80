"""Bias and variance of a fit (6.1)-(6.7): of polynomials in closed form, of any fit by simulation.

Targets y^mu = f(x^mu) + noise of standard deviation rho at fixed points x^mu; a polynomial of the given
degree is fitted by least squares. The fit is linear in the targets, f_H(x) = sum_mu l_mu(x) y^mu, so its
mean and variance over the noise need no simulation.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import ArrayLike

from markone.base.parameters import Seed, documented
from markone.numerics.arrays import Array

Target = Callable[[Array], Array]


@documented
@dataclass(frozen=True)
class BiasVariance:
    """At each x: the mean fit <f_H>, bias^2 = (f - <f_H>)^2 and the variance of f_H.

    Examples
    --------
    >>> from markone.evaluation.bias_variance.decomposition import bias_variance
    >>> found = bias_variance(lambda x: x**3, [-1, -0.5, 0, 0.5, 1], degree=3, rho=0.1, x=[0.25])
    >>> bool(abs(found.bias2[0]) < 1e-12)
    True
    """

    mean: Annotated[Array, "array: <f_H>, the mean fit."]
    bias2: Annotated[Array, "array: (f - <f_H>)^2."]
    variance: Annotated[Array, "array: The variance of f_H."]

    @property
    def error(self) -> Array:
        """<(f - f_H)^2> = bias^2 + variance (6.7)."""
        error: Array = self.bias2 + self.variance
        return error


@dataclass(frozen=True)
class ExpectedErrors:
    """Mean squared errors at the training points: on the training targets, and on fresh targets there."""

    training: float
    fresh: float


def smoother_weights(points: ArrayLike, x: ArrayLike, degree: int) -> Array:
    """Weights l (len(x), P) of the targets in the fit at x, l(x) = phi(x)^T (Phi^T Phi)^-1 Phi^T.

    Legendre polynomials on the range of the points and a QR decomposition keep high degrees accurate.
    """
    points, x = np.asarray(points, dtype=float), np.asarray(x, dtype=float)
    distinct = np.unique(points).size
    if not 0 <= degree < distinct:
        raise ValueError(
            f"The degree is {degree} but there are {distinct} distinct points: "
            f"it must be between 0 and {distinct - 1}, where the fit passes through all of them."
        )
    middle, half = (points.max() + points.min()) / 2, np.ptp(points) / 2 or 1.0
    Q, triangle = np.linalg.qr(legendre.legvander((points - middle) / half, degree))
    basis = legendre.legvander((x - middle) / half, degree)
    return np.asarray(np.linalg.solve(triangle.T, basis.T).T @ Q.T)


def bias_variance(f: Target, points: ArrayLike, x: ArrayLike, degree: int, rho: float) -> BiasVariance:
    """Bias^2 = (f(x) - l(x).f)^2 and variance = rho^2 |l(x)|^2 of the fit at every x."""
    _check_noise(rho)
    points, x = np.asarray(points, dtype=float), np.asarray(x, dtype=float)
    weights = smoother_weights(points, x, degree)
    mean = weights @ f(points)
    return BiasVariance(mean, (f(x) - mean) ** 2, rho**2 * (weights**2).sum(-1))


def integrated_bias_variance(
    f: Target, points: ArrayLike, degree: int, rho: float, low: float = -1.0, high: float = 1.0
) -> tuple[float, float]:
    """Bias^2 and variance averaged over x uniform in [low, high].

    By Gauss-Legendre quadrature with 128 nodes: exact for the variance and for polynomial f.
    """
    t, weight = legendre.leggauss(128)
    x = (low + high) / 2 + (high - low) / 2 * t
    result = bias_variance(f, points, x, degree, rho)
    return float(weight @ result.bias2 / 2), float(weight @ result.variance / 2)


def expected_errors(f: Target, points: ArrayLike, degree: int, rho: float) -> ExpectedErrors:
    """Mean bias^2 over the points + rho^2 (1 -+ (degree+1)/P): training targets, fresh targets."""
    points = np.asarray(points, dtype=float)
    bias2 = float(bias_variance(f, points, points, degree, rho).bias2.mean())
    share = (degree + 1) / points.size
    return ExpectedErrors(bias2 + rho**2 * (1 - share), bias2 + rho**2 * (1 + share))


def _check_noise(rho: float) -> None:
    if not rho >= 0:
        raise ValueError(f"rho is {rho}: the standard deviation of the targets must not be negative.")


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


@documented
def simulate_bias_variance(
    fit: Fit, f: Target, points: ArrayLike, x: ArrayLike, rho: float, sets: int = 1000, seed: Seed = None
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
    _check_noise(rho)
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
