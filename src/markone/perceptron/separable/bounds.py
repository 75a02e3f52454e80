"""kappa(w) <= kappa_max <= |sum x S xi| / sum x, rounded outwards, for the given numbers.

Any w bounds the optimal stability from below, any x >= 0 from above; neither has to be exact, only the
bounds computed from them. All proven bounds are computed by `stability_bounds`.
"""

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from markone.numerics._rows import Sparse
from markone.perceptron.separable._bounds import balance_strengths, strength_sums, weight_sums
from markone.perceptron.separable._roundings import U
from markone.perceptron.separable.rows import Floats, Rows

# Maximum number of examples whose E is computed in fractions because its sign is uncertain.
FEW = 20
EMPTY = np.empty(0)


class Bounds(NamedTuple):
    """lower <= kappa_max <= upper, and the sums of the soft margin's duality gap.

    cost: sum gamma (1 - E)_+; length: |w|; field: |sum x S xi|, all rounded up; total: sum x, rounded.
    """

    lower: float
    upper: float
    cost: float
    length: float
    field: float
    total: float


def stability_bounds(
    rows: Rows,
    w: Floats,
    x: Floats | None,
    w_low: Floats = EMPTY,
    x_low: Floats = EMPTY,
    gamma: Floats | None = None,
    scaling: float | None = None,
) -> Bounds:
    """Bound the optimal stability by the student w + w_low and by the strengths x + x_low.

    Strengths that are not positive are left out: without any the upper bound is infinite. The lower bound is
    -max |xi| if w is 0 or not finite.

    scaling: if given, the last column of the rows is 1 and its weight is a threshold b, of which b / scaling
    counts into |w|. Infinite: the threshold is free. Any b is then allowed in the lower bound, which is half
    the distance between the classes, and x must be balanced, sum x S = 0 (`balance_exactly`).
    """
    E, error = np.empty(len(rows.S)), np.empty(len(rows.S))
    weights = rows.S if gamma is None else gamma
    least, most, cost, factor, squares, unit, middle = weight_sums(
        rows.xi, rows.S, rows.scale, weights, w, w_low, E, error
    )
    short, long = _root_bounds(squares, 1.0 / unit)
    if len(w_low):
        short, long = _round_down(short * (1.0 - 2.0 * U)), round_up(long * (1.0 + 2.0 * U))
    if scaling is not None:
        short, long = _weight_length(w, scaling)
    # Without a finite w no potentials were computed.
    if scaling == math.inf and not math.isnan(squares):
        least = _round_down(middle)
    elif not math.isnan(squares) and not (least > 0.0 or most < 0.0):
        least = _least_potential(rows, w * factor, w_low * factor, E, error)
    if math.isfinite(least) and short > 0.0 and long < math.inf:
        lower = _divide_by_length(least, short * factor, long * factor, rows.scale)
    else:
        lower = 0.0 - _longest_example(rows)
    upper, field, total = (math.inf, math.inf, 0.0) if x is None else _upper_bound(rows, x, x_low)
    return Bounds(lower, upper, cost, long, field, total)


def _weight_length(w: Floats, scaling: float) -> tuple[float, float]:
    """Bounds on |w| if the threshold w_last counts by w_last / scaling."""
    length = math.hypot(*w[:-1].tolist(), float(w[-1]) / scaling)
    return _round_down(length * (1.0 - 8.0 * U)), round_up(length * (1.0 + 8.0 * U))


def balance_exactly(x: Floats, S: Floats) -> Floats:
    """The nearest multiples x' <= x of a power of two with sum x' S = 0 exactly; zero for an empty class."""
    out = np.empty_like(x)
    balance_strengths(x, S, out)
    return out


def _upper_bound(rows: Rows, x: Floats, x_low: Floats) -> tuple[float, float, float]:
    """Return (|g| / sum x, |g|, sum x) with g = sum x S xi, the first two rounded up."""
    g, low, size = np.zeros((3, rows.shape[1]))
    total, unit, squares, length = strength_sums(rows.xi, rows.S, rows.scale, x, x_low, g, low, size)
    below = _round_down(total * (1.0 - 8.0 * U))
    if not below > 0.0 or math.isnan(squares):
        return math.inf, math.inf, total / unit
    high = _root_bounds(squares, length)[1]
    bound = round_up(round_up(high / below) / rows.scale)
    # kappa_max is 0 if all inputs are zero; otherwise the bound must cover products that underflowed.
    bound = bound if bound > 1e-300 or np.any(rows.input_values) else 0.0
    return bound, round_up(high / rows.scale / unit), total / unit


def _round_down(value: float) -> float:
    return math.nextafter(value, -math.inf)


def round_up(value: float) -> float:
    return math.nextafter(value, math.inf)


def _root_bounds(squares: float, unit: float) -> tuple[float, float]:
    """Bounds on unit sqrt(squares); each square was rounded once, and so was their sum."""
    size = math.sqrt(squares) if squares >= 0.0 else math.nan
    return _round_down(size * (1.0 - 8.0 * U) * unit), round_up(size * (1.0 + 8.0 * U) * unit)


def _divide_by_length(least: float, short: float, long: float, scale: float) -> float:
    """Lower bound on min E / |w|, given the least E - error and bounds short <= |w| <= long."""
    # E - error was rounded, by u relative.
    if least >= 0.0:
        return max(_round_down(_round_down(least * (1.0 - 4.0 * U) / long) / scale), 0.0)
    return _round_down(_round_down(_round_down(least * (1.0 + 4.0 * U)) / short) / scale)


def _least_potential(rows: Rows, w: Floats, w_low: Floats, E: Floats, error: Floats) -> float:
    """Lower bound on the smallest E; its sign is exact if at most FEW signs are uncertain."""
    with np.errstate(invalid="ignore"):
        surely, possibly = E - error, E + error
    doubt = np.flatnonzero(~(surely > 0.0) & (possibly >= 0.0))
    if 0 < len(doubt) <= FEW and np.isfinite(E).all() and np.min(possibly) >= 0.0:
        low = w_low.tolist() if len(w_low) else [0.0] * len(w)
        exact = [Fraction(a) + Fraction(b) for a, b in zip(w.tolist(), low, strict=True)]
        for mu, row in zip(doubt, rows.select_rows(doubt).signed_inputs().tolist(), strict=True):
            value = sum((Fraction(a) * b for a, b in zip(row, exact, strict=True) if a), Fraction(0))
            value *= Fraction(rows.scale)
            near = float(value)
            surely[mu] = near if Fraction(near) <= value else _round_down(near)
    return float(np.min(surely))


def _longest_example(rows: Rows) -> float:
    """max |xi|, rounded up; its negative is below every stability."""
    values = rows.input_values
    top = float(np.abs(values).max(initial=0.0))
    if top == 0.0:
        return 0.0
    unit = math.ldexp(1.0, math.frexp(top)[1] - 1)
    squares = (np.asarray(values, dtype=np.float64) / unit) ** 2
    if isinstance(rows.xi, Sparse):
        squares = np.add.reduceat(np.append(squares, 0.0), rows.xi.indptr[:-1])
        squares[np.diff(rows.xi.indptr) == 0] = 0.0
    else:
        squares = squares.sum(axis=1, dtype=np.float64)
    return round_up(math.sqrt(float(squares.max())) * (1.0 + 2.0 * (rows.shape[1] + 12) * U) * unit)
