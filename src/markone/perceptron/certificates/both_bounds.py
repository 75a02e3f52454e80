"""`bounds.from_below` and `bounds.from_above` in one compiled pass, with the same results."""

from typing import NamedTuple

import numpy as np

from markone.perceptron.certificates import bounds
from markone.perceptron.certificates._both_bounds import figures
from markone.perceptron.certificates.rows import Floats, Rows

# Range of sums of squares in which no product underflows or overflows.
LEAST, MOST = 1e-200, 1e300


class Figures(NamedTuple):
    """The sums that determine both bounds: see `_both_bounds`."""

    least: float
    most: float
    cost: float
    weight: float
    total: float
    square: float

    @property
    def of_weights(self) -> bool:
        """Whether a lower bound follows: false if the sign of an E is uncertain."""
        return (self.least > 0.0 or self.most < 0.0) and LEAST < self.weight < MOST

    @property
    def of_strengths(self) -> bool:
        return LEAST < self.total < MOST and LEAST < self.square < MOST


def figures_of(rows: Rows, gamma: Floats, w: Floats, x: Floats) -> Figures:
    g, low, size = np.zeros((3, rows.shape[1]))
    return Figures(*figures(rows.xi, rows.S, rows.scale, gamma, w, x, g, low, size))


def both_bounds(rows: Rows, w: Floats, x: Floats) -> tuple[float, float]:
    """kappa(w), rounded down, and the upper bound on kappa_max from x, rounded up."""
    # The cost is not used here: any array serves as gamma.
    return from_figures(rows, w, x, figures_of(rows, rows.S, w, x))


def from_figures(rows: Rows, w: Floats, x: Floats, found: Figures) -> tuple[float, float]:
    """`both_bounds`, given the sums."""
    if found.of_weights:
        lower = bounds.over_length(found.least, *bounds.root_of(found.weight, 1.0), rows.scale)
    else:
        lower = bounds.from_below(rows, w)
    if found.of_strengths:
        upper = bounds.over_strengths(bounds.root_of(found.square, 1.0)[1], found.total, rows.scale)
    else:
        upper = bounds.from_above(rows, x)
    return lower, upper
