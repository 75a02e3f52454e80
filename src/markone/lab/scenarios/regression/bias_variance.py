"""Bias and variance of polynomial fits, simulation against closed form   (6.1)-(6.7), Figs. 6.1, 6.2.

A repeat draws two independent data sets A and B. With a = f - f_A and b = f - f_B at the same x, a b is an
unbiased estimate of bias^2 and (a - b)^2/2 of the variance, and their sum is (a^2 + b^2)/2 exactly: the
decomposition (6.7) holds for each repeat. All degrees use the same data sets.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, Self

import numpy as np
from numpy.polynomial import legendre
from pydantic import Field, model_validator

from markone.evaluation.bias_variance.decomposition import (
    Target,
    expected_errors,
    integrated_bias_variance,
    smoother_weights,
)
from markone.evaluation.bias_variance.polynomials import PolynomialFitsDisplay, cubic_target, polynomial_fits
from markone.lab.scenario import Picture, Scenario, Settings, Values
from markone.numerics.arrays import Array

TARGETS: Mapping[str, Target] = {"cube": cubic_target, "sine": lambda x: np.sin(np.pi * x)}


class Parameters(Settings):
    """P equidistant points of [-1, 1], noise of standard deviation rho on the targets   (6.1)."""

    degree: int = Field(ge=0)
    P: int = Field(11, ge=2)
    rho: float = Field(0.15, ge=0)
    target: Literal["cube", "sine"] = "cube"

    @model_validator(mode="after")
    def _degree_below_P(self) -> Self:
        if self.degree >= self.P:
            raise ValueError(
                f"degree = {self.degree} with P = {self.P} points: the highest is {self.P - 1}, "
                "where the fit passes through all of them"
            )
        return self

    @property
    def f(self) -> Target:
        return TARGETS[self.target]

    @property
    def points(self) -> Array:
        return np.linspace(-1, 1, self.P)


@lru_cache(maxsize=256)
def _fit_matrices(P: int, degree: int) -> tuple[Array, Array, Array, Array]:
    """Nodes and weights of the average over x in [-1, 1], and the fits there and at the points."""
    x, weight = legendre.leggauss(128)
    points = np.linspace(-1, 1, P)
    return x, weight / 2, smoother_weights(points, x, degree), smoother_weights(points, points, degree)


def run(p: Parameters, seed: int, start: int, stop: int) -> Values:
    x, weight, at_x, at_points = _fit_matrices(p.P, p.degree)
    # Draw the noise of two data sets and of fresh targets for each.
    rngs = (np.random.default_rng((seed, k)) for k in range(start, stop))
    noise = np.array([rng.standard_normal((4, p.P)) for rng in rngs])
    y = p.f(p.points) + p.rho * noise[:, :2]  # (repeats, the sets A and B, P)
    off = p.f(x) - y @ at_x.T
    inside = y - y @ at_points.T
    again = p.f(p.points) + p.rho * noise[:, 2:] - y @ at_points.T
    return {
        # Row sums instead of a matrix product, whose last bit would depend on the block boundaries.
        "bias2": (off.prod(axis=1) * weight).sum(axis=1),
        "variance": (0.5 * (off[:, 0] - off[:, 1]) ** 2 * weight).sum(axis=1),
        "error": ((off**2).mean(axis=1) * weight).sum(axis=1),
        "training_error": (inside**2).mean(axis=(1, 2)),
        "test_error": (again**2).mean(axis=(1, 2)),
    }


def _bias_and_variance(p: Parameters) -> tuple[float, float]:
    return integrated_bias_variance(p.f, p.points, p.degree, p.rho)


def _expected_errors(p: Parameters) -> Any:
    return expected_errors(p.f, p.points, p.degree, p.rho)


theory_of = Parameters.theory_of
THEORIES = {
    "bias2": theory_of("bias^2 in closed form", "bias2", lambda p: _bias_and_variance(p)[0]),
    "variance": theory_of("variance in closed form", "variance", lambda p: _bias_and_variance(p)[1]),
    "error": theory_of("bias^2 + variance (6.7)", "error", lambda p: sum(_bias_and_variance(p))),
    "training_error": theory_of(
        "expected on the training targets", "training_error", lambda p: _expected_errors(p).training
    ),
    "test_error": theory_of("expected on fresh targets", "test_error", lambda p: _expected_errors(p).fresh),
}


def draw(figure: Any, points: Sequence[Any], seed: int) -> None:
    """Fig. 6.1: three data sets, one row each, fitted by a polynomial of each degree."""
    every = sorted((Parameters.model_validate(q.parameters) for q in points), key=lambda p: p.degree)
    first = every[0]
    fits = polynomial_fits(
        first.f, degrees=tuple(p.degree for p in every), P=first.P, rho=first.rho, seed=seed
    )
    PolynomialFitsDisplay(fits).plot(figure=figure)


SCENARIO = Scenario(
    name="bias_variance",
    version=1,
    parameters=Parameters,
    measures={
        "bias2": "squared deviation of the mean fit from the target, averaged over x",
        "variance": "variance of the fit over data sets, averaged over x",
        "error": "squared deviation of a fit from the target, averaged over x",
        "training_error": "mean squared deviation from the targets trained on",
        "test_error": "mean squared deviation from fresh noisy targets at the same points",
    },
    cost=lambda parameters: 2e4,
    run=run,
    theories=THEORIES,
    pictures={"fits": Picture("Three data sets, polynomials of three degrees", draw, (6.8, 5.6))},
)
