"""Base class of cost functions: E from the distances D (n, M), with the derivative R = dE/dD."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from markone.lvq.costs.phi import PHI, checked_steepness
from markone.numerics.arrays import Array


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
    def first(self) -> Array:
        """Offset of each row of D in its flat array."""
        return np.arange(len(self.y)) * len(self.c)

    @cached_property
    def far_wrong(self) -> Array:
        """Added to D, it excludes prototypes of the wrong classes from being nearest."""
        return np.where(self.is_right, 0.0, np.inf)

    @cached_property
    def far_right(self) -> Array:
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
    def total(self) -> float:
        """Number of examples; one of weight two counts as two."""
        return float(len(self.y)) if self.weights is None else float(self.weights.sum())

    def take(self, chosen: Any) -> "Targets":
        """Subset of the rows, as a mini-batch."""
        if self.weights is None:
            return Targets(self.y[chosen], self.c, None, self.prices)
        mean = self.mean_weight or float(self.weights.mean())
        return Targets(self.y[chosen], self.c, self.weights[chosen], self.prices, mean)

    def errors(self, D: Array) -> int:
        """Number of misclassified rows."""
        return int((self.c[D.argmin(axis=1)] != self.y).sum())


class Cost:
    """Base class of the costs: E = mean over examples; dataclasses of their constants."""

    # True if E does not depend on the size of Omega, so that trace(Lambda) = 1 is no restriction.
    scale_free: ClassVar[bool] = True
    # True if E is a mean over examples, not e.g. over pairs of them.
    additive: ClassVar[bool] = True

    def check(self, targets: Targets) -> None:
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
