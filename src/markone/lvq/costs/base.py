"""What a cost function is: a number from the distances D (n, M), with its slope R = dE/dD."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from markone.lvq.costs.phi import PHI, steepness
from markone.numerics.arrays import Array


@dataclass
class Targets:
    """Whose example each row is: class indices y (n,) of rows, c (M,) of prototypes; weights and prices."""

    y: Array
    c: Array
    weights: Array | None = None
    prices: Array | None = None
    # Of all examples, where these are a mini-batch of them.
    mean_weight: float | None = None

    @cached_property
    def right(self) -> Array:
        """(n, M) whether the prototype has the label of the row."""
        return self.y[:, None] == self.c[None, :]

    @cached_property
    def first(self) -> Array:
        """Where each row of D begins if they are read one after the other."""
        return np.arange(len(self.y)) * len(self.c)

    @cached_property
    def far_wrong(self) -> Array:
        """Added to D, it leaves only prototypes of the right class to be the nearest."""
        return np.where(self.right, 0.0, np.inf)

    @cached_property
    def far_right(self) -> Array:
        return np.where(self.right, np.inf, 0.0)

    @cached_property
    def share(self) -> Array | float:
        """What each example contributes to the mean cost: weight / sum of weights.

        A mini-batch of light examples counts for less than one of heavy ones, but none for more than a
        mean: a step must not become longer the rarer the heavy ones are.
        """
        if self.weights is None:
            return 1.0 / len(self.y)
        return self.weights / max(float(self.weights.sum()), (self.mean_weight or 0.0) * len(self.y))

    @property
    def total(self) -> float:
        """How many examples there are, one of weight two being two."""
        return float(len(self.y)) if self.weights is None else float(self.weights.sum())

    def take(self, chosen: Any) -> "Targets":
        """Some of the rows, as a mini-batch."""
        if self.weights is None:
            return Targets(self.y[chosen], self.c, None, self.prices)
        mean = self.mean_weight or float(self.weights.mean())
        return Targets(self.y[chosen], self.c, self.weights[chosen], self.prices, mean)

    def errors(self, D: Array) -> int:
        """Misclassified rows."""
        return int((self.c[D.argmin(axis=1)] != self.y).sum())


class Cost:
    """Base of all costs: E = mean over examples, plain dataclasses of their constants."""

    # Whether the size of Omega is of no consequence, so that trace(Lambda) = 1 costs nothing.
    scale_free: ClassVar[bool] = True
    # Whether E is a mean over examples, and not, say, over pairs of them.
    additive: ClassVar[bool] = True

    def check(self, targets: Targets) -> None:
        """A sentence where these targets cannot have this cost."""

    def evaluate(self, D: Array, targets: Targets, sigma2: float) -> tuple[float, Array, float]:
        """E, R = dE/dD, and dE/d ln(sigma^2) (0 where there is no sigma)."""
        raise NotImplementedError

    def value(self, D: Array, targets: Targets, sigma2: float) -> float:
        return self.evaluate(D, targets, sigma2)[0]

    def sharpness(self, d: float, sigma2: float) -> float:
        """|dE/d ln d| for a typical distance d: by this the stochastic solver divides its rates."""
        return 1.0


@dataclass(frozen=True)
class PhiCost(Cost):
    """A cost of Phi(e) with the steepness gamma (None: the usual one): what `cost=` of GLVQ may name."""

    phi: str
    gamma: float | None = None

    # The largest |e| there is.
    reach: ClassVar[float] = 1.0
    # Phi where none is given; "" leaves it to the model.
    usual_phi: ClassVar[str] = ""

    def __post_init__(self) -> None:
        # Refused here, before any training.
        steepness(self.phi, self.gamma, self.reach)

    def value_and_slope(self, e: Array) -> tuple[Array, Array]:
        """Phi(e) and its derivative."""
        return PHI[self.phi](e, steepness(self.phi, self.gamma, self.reach))
