"""Fig 6.1 (three data sets, three degrees) and Fig 6.2 (error against complexity) for polynomials."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from markone.base.parameters import Seed, documented
from markone.evaluation.bias_variance.decomposition import (
    Target,
    expected_errors,
    integrated_bias_variance,
    smoother_weights,
)
from markone.numerics.arrays import Array

TargetFunction = Annotated[Target, "function of an array: Target function."]
Degrees = Annotated[Any, "sequence of int: Degrees of the polynomials."]
PointNumber = Annotated[int, "Number of points."]
NoiseWidth = Annotated[float, "Standard deviation of the noise."]


def cubic_target(x: Array) -> Array:
    """Target function of Fig 6.1."""
    return x**3


@dataclass(frozen=True)
class PolynomialFits:
    """Points (P,), targets (sets, P), x (n,), fits (sets, degrees, n), the target function f(x)."""

    points: Array
    targets: Array
    degrees: list[int]
    x: Array
    fits: Array
    truth: Array


@documented
def polynomial_fits(
    f: TargetFunction = cubic_target,
    *,
    degrees: Degrees = (1, 3, 7),
    sets: int = 3,
    P: PointNumber = 11,
    rho: NoiseWidth = 0.15,
    seed: Seed = 0,
    reach: float = 1.1,
) -> PolynomialFits:
    """Noisy targets (6.1) at P equidistant points of [-1, 1], and least squares fits on [-reach, reach].

    Parameters
    ----------
    sets : int, default=3
        Number of data sets.
    reach : float, default=1.1
        The fits are computed on [-reach, reach].

    Returns
    -------
    PolynomialFits
        Points, targets and fits.

    Examples
    --------
    >>> from markone.evaluation import polynomial_fits
    >>> polynomial_fits(degrees=(1, 3), sets=2).targets.shape
    (2, 11)
    """
    points, x = np.linspace(-1, 1, P), np.linspace(-reach, reach, 221)
    y = f(points) + rho * np.random.default_rng(seed).standard_normal((sets, P))
    fits = np.array([y @ smoother_weights(points, x, degree).T for degree in degrees]).transpose(1, 0, 2)
    return PolynomialFits(points, y, list(degrees), x, fits, f(x))


@documented
@dataclass
class PolynomialFitsDisplay:
    """One row per data set, one column per degree: data, target function and fit (Fig 6.1).

    Attributes
    ----------
    axes_, figure_ : array of matplotlib.axes.Axes, matplotlib.figure.Figure
        Set by `plot`.

    Examples
    --------
    >>> from markone.evaluation import PolynomialFitsDisplay, polynomial_fits
    >>> PolynomialFitsDisplay(polynomial_fits(degrees=(1, 3), sets=2)).plot().axes_.shape
    (2, 2)
    """

    fits: Annotated[PolynomialFits, "PolynomialFits: What `polynomial_fits` returns."]

    def plot(self, *, figure: Any = None) -> "PolynomialFitsDisplay":
        import matplotlib.pyplot as plt

        s = self.fits
        rows, columns = s.fits.shape[:2]
        self.figure_ = plt.figure(figsize=(2.5 * columns, 2.0 * rows)) if figure is None else figure
        self.axes_ = self.figure_.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
        low, high = min(s.truth.min(), s.targets.min()), max(s.truth.max(), s.targets.max())
        for k, row in enumerate(self.axes_):
            for axis, degree, fit in zip(row, s.degrees, s.fits[k], strict=True):
                axis.plot(s.x, s.truth, color="0.7", lw=1, label="target")
                axis.plot(s.x, fit, lw=1.5, label="fit")
                axis.plot(s.points, s.targets[k], "k.", ms=5, label="data")
                axis.set_ylim(low - 0.3, high + 0.3)
                if k == 0:
                    axis.set_title(f"K = {degree}")
            row[0].set_ylabel(f"set {'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[k % 26]}")
        self.axes_[0, 0].legend(fontsize=7, frameon=False, loc="upper left")
        self.figure_.supxlabel("x")
        if figure is None:
            # The layout of a given figure is not changed.
            self.figure_.tight_layout()
        return self


@dataclass(frozen=True)
class PolynomialErrors:
    """Expected squared errors against the degree: on training targets, and bias^2 and variance over x."""

    degrees: list[int]
    training: Array
    bias2: Array
    variance: Array
    rho: float

    @property
    def generalisation(self) -> Array:
        """Error with respect to the target function, averaged over x   (6.7)."""
        return self.bias2 + self.variance

    @property
    def test(self) -> Array:
        """Error on new noisy targets: the variance of the noise is added."""
        return self.generalisation + self.rho**2


@documented
def polynomial_errors(
    f: TargetFunction = cubic_target,
    *,
    degrees: Degrees = tuple(range(9)),
    P: PointNumber = 11,
    rho: NoiseWidth = 0.15,
    low: float = -1.0,
    high: float = 1.0,
) -> PolynomialErrors:
    """Training and test errors of Fig 6.2 against the degree, in closed form.

    Parameters
    ----------
    low, high : float, default=-1.0
        Ends of the interval.

    Returns
    -------
    PolynomialErrors
        Expected training and test error, bias and variance of each degree.

    Examples
    --------
    >>> from markone.evaluation import polynomial_errors
    >>> found = polynomial_errors(degrees=(1, 3, 7))
    >>> bool((found.training[1:] < found.training[:-1]).all())
    True
    """
    points = np.linspace(-1, 1, P)
    chosen = [int(degree) for degree in np.ravel(degrees)]
    pairs = np.array([integrated_bias_variance(f, points, degree, rho, low, high) for degree in chosen])
    training = np.array([expected_errors(f, points, degree, rho).training for degree in chosen])
    return PolynomialErrors(chosen, training, pairs[:, 0], pairs[:, 1], rho)
