"""`bounds.from_below` and `bounds.from_above` together, most of it compiled: the same two numbers."""

import numpy as np

from markone.perceptron.certificates import bounds
from markone.perceptron.certificates._both_bounds import figures
from markone.perceptron.certificates.rows import Floats, Rows

# Sums of squares in between are of numbers whose products neither vanish nor overflow.
LEAST, MOST = 1e-200, 1e300


def both_bounds(rows: Rows, w: Floats, x: Floats) -> tuple[float, float]:
    """kappa(w), rounded down, and the bound of x on all students, rounded up."""
    g, low, size = np.zeros((3, rows.shape[1]))
    least, most, weight, total, square = figures(rows.xi, rows.S, rows.scale, w, x, g, low, size)
    # Not where rounding hides the sign of an E.
    if (least > 0.0 or most < 0.0) and LEAST < weight < MOST:
        lower = bounds.over_length(least, *bounds.root_of(weight, 1.0), rows.scale)
    else:
        lower = bounds.from_below(rows, w)
    if LEAST < total < MOST and LEAST < square < MOST:
        upper = bounds.over_strengths(bounds.root_of(square, 1.0)[1], total, rows.scale)
    else:
        upper = bounds.from_above(rows, x)
    return lower, upper
