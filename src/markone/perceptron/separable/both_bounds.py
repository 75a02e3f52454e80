"""`bounds.from_below` and `bounds.from_above` in one compiled pass, with the same results."""

from typing import NamedTuple

import numpy as np

from markone.perceptron.separable import bounds
from markone.perceptron.separable._bound_sums import bound_sums
from markone.perceptron.separable.rows import Floats, Rows

# Range of sums of squares in which no product underflows or overflows.
LEAST, MOST = 1e-200, 1e300


class BoundSums(NamedTuple):
    """The sums that determine both bounds: see `_both_bounds`."""

    least: float
    most: float
    cost: float
    weight: float
    total: float
    square: float

    @property
    def has_lower_bound(self) -> bool:
        """Whether a lower bound follows: false if the sign of an E is uncertain."""
        return (self.least > 0.0 or self.most < 0.0) and LEAST < self.weight < MOST

    @property
    def has_upper_bound(self) -> bool:
        return LEAST < self.total < MOST and LEAST < self.square < MOST


def compute_bound_sums(rows: Rows, gamma: Floats, w: Floats, x: Floats) -> BoundSums:
    g, low, size = np.zeros((3, rows.shape[1]))
    return BoundSums(*bound_sums(rows.xi, rows.S, rows.scale, gamma, w, x, g, low, size))


def bound_stability(rows: Rows, w: Floats, x: Floats) -> tuple[float, float]:
    """kappa(w), rounded down, and the upper bound on kappa_max from x, rounded up."""
    # The cost is not used here: any array serves as gamma.
    return bounds_from_sums(rows, w, x, compute_bound_sums(rows, rows.S, w, x))


def bounds_from_sums(rows: Rows, w: Floats, x: Floats, found: BoundSums) -> tuple[float, float]:
    """`both_bounds`, given the sums."""
    if found.has_lower_bound:
        lower = bounds.divide_by_length(found.least, *bounds.root_bounds(found.weight, 1.0), rows.scale)
    else:
        lower = bounds.lower_stability_bound(rows, w)
    if found.has_upper_bound:
        upper = bounds.divide_by_strengths(bounds.root_bounds(found.square, 1.0)[1], found.total, rows.scale)
    else:
        upper = bounds.upper_stability_bound(rows, x)
    return lower, upper
