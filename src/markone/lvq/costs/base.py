"""Base classes of costs: E from the distances D (n, M) with R = dE/dD, and the functions Phi(e) of (5.5)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from scipy.special import expit, lambertw

from markone.numerics.arrays import Array


def _sigmoid_phi(e: Array, gamma: float) -> tuple[Array, Array]:
    """1 / (1 + exp(-gamma e)): the number of errors for large gamma, a margin for small."""
    value = expit(gamma * e)
    return value, gamma * value * (1 - value)


def swish_phi(e: Array, gamma: float) -> tuple[Array, Array]:
    """e / (1 + exp(-gamma e)), which increases only for gamma e > -`SWISH_TURNS`."""
    value = expit(gamma * e)
    return e * value, value + gamma * e * value * (1 - value)


def _soft_plus_phi(e: Array, gamma: float) -> tuple[Array, Array]:
    """ln(1 + exp(gamma e)) / gamma"""
    return np.logaddexp(0, gamma * e) / gamma, expit(gamma * e)


PHI: dict[str, Callable[[Array, float], tuple[Array, Array]]] = {
    "identity": lambda e, gamma: (e, np.ones(e.shape, e.dtype)),
    "sigmoid": _sigmoid_phi,
    "swish": swish_phi,
    "soft+": _soft_plus_phi,
}

# Default steepness.
USUAL_GAMMA = {"identity": 1.0, "sigmoid": 10.0, "swish": 1.0, "soft+": 10.0}
# Swish has its minimum at gamma e = -v with v = 1 + exp(-v): v = 1 + W(1/e), Lambert's W.
SWISH_TURNS = float(1 + lambertw(np.exp(-1)).real)


def checked_steepness(phi: str, gamma: float | None, reach: float = 1.0) -> float:
    """Return gamma, or the default of this Phi; raise where Phi decreases somewhere on -reach .. reach."""
    if phi != "swish":
        return USUAL_GAMMA[phi] if gamma is None else gamma
    if gamma is None:
        return USUAL_GAMMA[phi] / reach
    if gamma * reach > SWISH_TURNS:
        raise ValueError(
            f'phi="swish" with gamma={gamma:g} decreases where it must increase, below '
            f"{-SWISH_TURNS / gamma:.3f} of {-reach:g} .. {reach:g}. Take gamma up to "
            f'{SWISH_TURNS / reach:.3f}, or phi="sigmoid".'
        )
    return gamma


@dataclass
class Targets:
    """Class indices y (n,) of rows and c (M,) of prototypes; weights of examples and prices of errors."""

    y: Array
    c: Array
    weights: Array | None = None
    prices: Array | None = None
    # Mean weight of all examples, if these are a mini-batch.
    mean_weight: float | None = None

    @cached_property
    def is_right(self) -> Array:
        """(n, M): True where the prototype has the label of the row."""
        return self.y[:, None] == self.c[None, :]

    @cached_property
    def row_offsets(self) -> Array:
        """Offset of each row of D in its flat array."""
        return np.arange(len(self.y)) * len(self.c)

    @cached_property
    def wrong_excluded(self) -> Array:
        """Added to D, it excludes prototypes of the wrong classes from being nearest."""
        return np.where(self.is_right, 0.0, np.inf)

    @cached_property
    def right_excluded(self) -> Array:
        """Added to D, it excludes prototypes of the right class from being nearest."""
        return np.where(self.is_right, np.inf, 0.0)

    @cached_property
    def mean_weights(self) -> Array | float:
        """Factor of each example in the mean cost: weight / sum of weights.

        A mini-batch with small weights counts less than one with large weights, but at most as a mean: steps
        must not become longer the rarer the large weights are.
        """
        if self.weights is None:
            return 1.0 / len(self.y)
        return self.weights / max(float(self.weights.sum()), (self.mean_weight or 0.0) * len(self.y))

    @property
    def total_weight(self) -> float:
        """Number of examples; one of weight two counts as two."""
        return float(len(self.y)) if self.weights is None else float(self.weights.sum())

    def select_rows(self, chosen: Any) -> "Targets":
        """Subset of the rows, as a mini-batch."""
        if self.weights is None:
            return Targets(self.y[chosen], self.c, None, self.prices)
        mean = self.mean_weight or float(self.weights.mean())
        return Targets(self.y[chosen], self.c, self.weights[chosen], self.prices, mean)

    def count_errors(self, D: Array) -> int:
        """Number of misclassified rows."""
        return int((self.c[D.argmin(axis=1)] != self.y).sum())


class Cost:
    """Base class of the costs: E = mean over examples; dataclasses of their constants."""

    # True if E does not depend on the size of Omega, so that trace(Lambda) = 1 is no restriction.
    scale_free: ClassVar[bool] = True
    # True if E is a mean over examples, not e.g. over pairs of them.
    additive: ClassVar[bool] = True

    def check_targets(self, targets: Targets) -> None:
        """Raise ValueError if the cost is not defined for these targets."""

    def evaluate(self, D: Array, targets: Targets, sigma2: float) -> tuple[float, Array, float]:
        """E, R = dE/dD, and dE/d ln(sigma^2) (0 where there is no sigma)."""
        raise NotImplementedError

    def value(self, D: Array, targets: Targets, sigma2: float) -> float:
        return self.evaluate(D, targets, sigma2)[0]

    def cost_sharpness(self, d: float, sigma2: float) -> float:
        """|dE/d ln d| for a typical distance d; the stochastic solver divides its rates by it."""
        return 1.0


@dataclass(frozen=True)
class PhiCost(Cost):
    """Base class of costs of Phi(e) with steepness gamma (None: the default), for `cost=` of GLVQ."""

    phi: str
    gamma: float | None = None

    # Largest possible |e|.
    reach: ClassVar[float] = 1.0
    # Default Phi; "": the default of the model.
    usual_phi: ClassVar[str] = ""

    def __post_init__(self) -> None:
        # Invalid values are refused before training.
        checked_steepness(self.phi, self.gamma, self.reach)

    def value_and_slope(self, e: Array) -> tuple[Array, Array]:
        """Phi(e) and its derivative."""
        return PHI[self.phi](e, checked_steepness(self.phi, self.gamma, self.reach))
