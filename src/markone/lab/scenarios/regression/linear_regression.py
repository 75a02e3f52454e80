"""Linear regression as a learning problem (2.4.2), on Hubble's galaxies of 1929.

Each repeat simulates the straight line fitted to the published values, with Gaussian noise of the size of its
residuals: new velocities at the published distances, and one further galaxy to predict. The estimate is
linear in the targets, so its mean and variance are known exactly.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from pydantic import Field

from markone.data.galaxies import hubble
from markone.lab.scenario import Picture, Scenario, Settings, Values
from markone.numerics.arrays import Array

# Half width of a 95 % band in standard deviations.
BAND = 1.959963984540054


class Parameters(Settings):
    """`constant` adds the clamped input -1 of (2.4); gamma is the weight decay of (2.9), sigma^2/tau^2 of the
    prior (2.14); `distance` is that of the new galaxy."""

    constant: bool = True
    gamma: float = Field(0.0, ge=0)
    distance: float = Field(2.0, gt=0)


@dataclass(frozen=True)
class Posterior:
    """Gaussian over the weights: mean = MAP = ridge (2.9), covariance sigma^2 (X'X + gamma)^-1."""

    mean: Array
    covariance: Array
    sigma: float

    def predict(self, X: Array) -> tuple[Array, Array]:
        """Mean and standard deviation of a new target, including the noise   (2.17)."""
        spread = np.einsum("...i,ij,...j->...", X, self.covariance, X)
        return X @ self.mean, np.sqrt(self.sigma**2 + spread)


def design_matrix(distance: Any, constant: bool) -> Array:
    """The distances and, for a constant term, the clamped input -1   (2.4)."""
    d = np.asarray(distance, dtype=float)
    return np.stack([d, -np.ones_like(d)], axis=-1) if constant else d[..., None]


def ridge_weights(X: Array, Y: Array, gamma: float) -> Array:
    """w* = (X'X + gamma)^-1 X'Y (2.9); for gamma = 0 the pseudo-inverse (2.8). Y may have several columns."""
    if gamma == 0:
        return np.asarray(np.linalg.pinv(X) @ Y)
    return np.asarray(np.linalg.solve(X.T @ X + gamma * np.eye(X.shape[1]), X.T @ Y))


def weight_posterior(X: Array, Y: Array, gamma: float, sigma: float) -> Posterior:
    inverse = np.linalg.inv(X.T @ X + gamma * np.eye(X.shape[1]))
    return Posterior(ridge_weights(X, Y, gamma), np.asarray(sigma**2 * inverse, dtype=np.float64), sigma)


@cache
def _true_line(constant: bool) -> tuple[Array, Array, float]:
    """Inputs, true weights and noise: the least-squares line of the published values and its residuals."""
    data = hubble()
    X = design_matrix(data.distance, constant)
    w = ridge_weights(X, data.velocity, 0.0)
    residual = data.velocity - X @ w
    return X, w, math.sqrt(residual @ residual / (len(X) - len(w)))


def run(p: Parameters, seed: int, start: int, stop: int) -> Values:
    X, w, sigma = _true_line(p.constant)
    noise = np.array(
        [np.random.default_rng((seed, k)).standard_normal(len(X) + 1) for k in range(start, stop)]
    )
    Y = X @ w + sigma * noise[:, :-1]
    found = ridge_weights(X, Y.T, p.gamma).T
    new = design_matrix(p.distance, p.constant)
    _, spread = weight_posterior(X, Y[0], p.gamma, sigma).predict(new)
    deviation = new @ w + sigma * noise[:, -1] - found @ new
    residual = Y - found @ X.T
    return {
        "slope": found[:, 0].copy(),
        "constant_term": -found[:, 1] if p.constant else np.zeros(len(found)),
        "sse": 0.5 * (residual**2).sum(axis=1),
        "squared_deviation": deviation**2,
        "inside": (np.abs(deviation) <= BAND * spread).astype(float),
    }


def _mean_weights(p: Parameters) -> Array:
    X, w, _ = _true_line(p.constant)
    return ridge_weights(X, X @ w, p.gamma)


def _prediction_moments(p: Parameters) -> tuple[float, float]:
    """Bias and variance of a prediction minus the new target: exact (linear and Gaussian)."""
    X, w, sigma = _true_line(p.constant)
    new = design_matrix(p.distance, p.constant)
    hat = np.linalg.solve(X.T @ X + p.gamma * np.eye(X.shape[1]), X.T)
    return float(new @ (_mean_weights(p) - w)), sigma**2 * (1 + float(np.sum((new @ hat) ** 2)))


def _coverage_theory(p: Parameters) -> float:
    X, w, sigma = _true_line(p.constant)
    _, spread = weight_posterior(X, X @ w, p.gamma, sigma).predict(design_matrix(p.distance, p.constant))
    bias, variance = _prediction_moments(p)
    upper, lower = (BAND * float(spread) - bias), (-BAND * float(spread) - bias)
    return 0.5 * (math.erf(upper / math.sqrt(2 * variance)) - math.erf(lower / math.sqrt(2 * variance)))


def draw(figure: Any, points: Sequence[Any], seed: int) -> None:
    """Fig. 2.1: the galaxies, the line of each grid point, the predictive band (2.17) where gamma = 0."""
    data, axes = hubble(), figure.subplots()
    axes.plot(data.distance, data.velocity, "ko", ms=4, label="Hubble 1929")
    d = np.linspace(0, 2.3, 200)
    for k, point in enumerate(points):
        p = Parameters.model_validate(point.parameters)
        X = design_matrix(data.distance, p.constant)
        mean, spread = weight_posterior(X, data.velocity, p.gamma, _true_line(p.constant)[2]).predict(
            design_matrix(d, p.constant)
        )
        slope = ridge_weights(X, data.velocity, p.gamma)[0]
        name = f"{'with' if p.constant else 'no'} constant, $\\gamma$ = {p.gamma:g}: {slope:.0f} km/s/Mpc"
        (line,) = axes.plot(d, mean, ["-", "--", "-.", ":"][k % 4], label=name)
        if p.gamma == 0:
            axes.fill_between(
                d, mean - BAND * spread, mean + BAND * spread, color=line.get_color(), alpha=0.13
            )
    axes.set(xlabel="distance / Mpc", ylabel="velocity / (km/s)", xlim=(0, 2.3))
    axes.legend(loc="upper left", fontsize="small")


SCENARIO = Scenario(
    name="linear_regression",
    version=1,
    parameters=Parameters,
    measures={
        "slope": "Hubble's constant, km/s per Mpc",
        "constant_term": "the constant term -theta, km/s",
        "sse": "half the sum of squared residuals (2.5)",
        "squared_deviation": "squared deviation of a new galaxy's velocity from its prediction",
        "inside": "1 if the new velocity lies in the 95 % band of the posterior predictive (2.17)",
    },
    cost=lambda parameters: 2e4,
    run=run,
    theories={
        "slope": Parameters.theory_of(
            "exact mean of the ridge estimate", "slope", lambda p: _mean_weights(p)[0]
        ),
        "squared_deviation": Parameters.theory_of(
            "bias^2 + variance + noise (6.7)",
            "squared_deviation",
            lambda p: _prediction_moments(p)[0] ** 2 + _prediction_moments(p)[1],
        ),
        "inside": Parameters.theory_of("exact coverage", "inside", _coverage_theory),
    },
    pictures={"fit": Picture("Hubble's galaxies, straight lines and the predictive band", draw)},
)
