"""Bias and variance of polynomial least squares in closed form (6.1)-(6.7).

Targets y^mu = f(x^mu) + noise of standard deviation rho at fixed points x^mu; a polynomial of the given
degree is fitted by least squares. The fit is linear in the targets, f_H(x) = sum_mu l_mu(x) y^mu, so its
mean and variance over the noise need no simulation.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array

Target = Callable[[Array], Array]


@dataclass(frozen=True)
class BiasVariance:
    """At each x: the mean fit <f_H>, bias^2 = (f - <f_H>)^2 and the variance of f_H.

    Parameters
    ----------
    mean : array
        <f_H>, the mean fit.
    bias2 : array
        (f - <f_H>)^2.
    variance : array
        The variance of f_H.

    Examples
    --------
    >>> from markone.evaluation.bias_variance.closed_form import bias_variance
    >>> found = bias_variance(lambda x: x**3, [-1, -0.5, 0, 0.5, 1], degree=3, rho=0.1, x=[0.25])
    >>> bool(abs(found.bias2[0]) < 1e-12)
    True
    """

    mean: Array
    bias2: Array
    variance: Array

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
