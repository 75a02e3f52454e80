"""kappa(w) <= kappa_max <= |sum x S xi| / sum x, rounded outwards, for the given numbers.

Any w bounds the optimal stability from below, any x >= 0 from above; neither has to be exact, only the
bounds computed from them.
"""

import math
from fractions import Fraction

import numpy as np

from markone.numerics._rows import Sparse
from markone.perceptron.separable._roundings import U
from markone.perceptron.separable.rows import Floats, Rows

# Maximum number of examples whose E is computed in fractions because its sign is uncertain.
FEW = 20


def _round_down(value: float) -> float:
    return math.nextafter(value, -math.inf)


def round_up(value: float) -> float:
    return math.nextafter(value, math.inf)


def norm_bounds(v: Floats) -> tuple[float, float]:
    """Lower and upper bound on |v|, for components of at most about 2^300."""
    top = float(np.abs(v).max(initial=0.0))
    if top == 0.0 or not math.isfinite(top):
        return (0.0, 0.0) if top == 0.0 else (0.0, math.inf)
    # Components of about one, so that only negligible squares underflow.
    unit = math.ldexp(1.0, math.frexp(top)[1] - 1)
    # fsum rounds once: only the squares, their sum and the root are rounded.
    return root_bounds(math.fsum(np.square(v / unit).tolist()), unit)


def root_bounds(squares: float, unit: float) -> tuple[float, float]:
    """Lower and upper bound on unit sqrt(squares); each square was rounded once, and so was their sum."""
    size = math.sqrt(squares)
    return _round_down(size * (1.0 - 8.0 * U) * unit), round_up(size * (1.0 + 8.0 * U) * unit)


def _exact_unit(w: Floats) -> float:
    """Power of two that scales w to about one without rounding, or 1 if there is none."""
    top = float(np.abs(w).max(initial=0.0))
    if top == 0.0 or not math.isfinite(top):
        return 1.0
    unit = math.ldexp(1.0, -max(min(math.frexp(top)[1], 1000), -1000))
    return unit if np.array_equal(w * unit / unit, w) else 1.0


def potentials_with_low(rows: Rows, w: Floats, w_low: Floats | None = None) -> tuple[Floats, Floats]:
    """E of scale xi with w + w_low, and an error bound for each."""
    E, error = rows.compute_potentials(w)
    if w_low is not None and w_low.any():
        more, error_of_more = rows.compute_potentials(w_low)
        E = E + more
        error = (error + error_of_more + U * np.abs(E)) * (1.0 + 8.0 * U)
    return E, error


def lower_stability_bound(rows: Rows, w: Floats, w_low: Floats | None = None) -> float:
    """Lower bound on kappa(w + w_low) = min E / |w|; -max |xi| if w is 0 or not finite."""
    unit = _exact_unit(w)
    low = None
    if w_low is not None and np.array_equal(w_low * unit / unit, w_low):
        low = w_low * unit
    w = w if unit == 1.0 else w * unit
    with np.errstate(over="ignore", invalid="ignore"):
        return lower_bound_from_potentials(rows, w, low, *potentials_with_low(rows, w, low))


def lower_bound_from_potentials(rows: Rows, w: Floats, low: Floats | None, E: Floats, error: Floats) -> float:
    """The bound of `from_below`, from the potentials and their error bounds."""
    least = _least_potential(rows, w, low, E, error)
    short, long = norm_bounds(w)
    if low is not None:
        short, long = _round_down(short * (1.0 - 2.0 * U)), round_up(long * (1.0 + 2.0 * U))
    if not (math.isfinite(least) and short > 0.0 and long < math.inf):
        return 0.0 - _longest_example(rows)
    return divide_by_length(least, short, long, rows.scale)


def divide_by_length(least: float, short: float, long: float, scale: float) -> float:
    """Lower bound on min E / |w|, given the least E - error and bounds short <= |w| <= long."""
    # E - error was rounded, by u relative.
    if least >= 0.0:
        return max(_round_down(_round_down(least * (1.0 - 4.0 * U) / long) / scale), 0.0)
    return _round_down(_round_down(_round_down(least * (1.0 + 4.0 * U)) / short) / scale)


def _least_potential(rows: Rows, w: Floats, low: Floats | None, E: Floats, error: Floats) -> float:
    """Lower bound on the smallest E; its sign is exact if at most FEW signs are uncertain."""
    surely = E - error
    least = float(np.min(surely))
    if least > 0.0:
        return least
    doubt = np.flatnonzero(~(surely > 0.0) & (E + error >= 0.0))
    if 0 < len(doubt) <= FEW and np.isfinite(E).all() and np.min(E + error) >= 0.0:
        exact = [Fraction(a) + Fraction(b) for a, b in zip(w.tolist(), _low_or_zeros(low, w), strict=True)]
        for mu, row in zip(doubt, rows.only(doubt).signed_inputs().tolist(), strict=True):
            value = sum((Fraction(a) * b for a, b in zip(row, exact, strict=True) if a), Fraction(0))
            surely[mu] = _round_fraction_down(value * Fraction(rows.scale))
    return float(np.min(surely))


def _low_or_zeros(low: Floats | None, w: Floats) -> list[float]:
    return [0.0] * len(w) if low is None else low.tolist()


def _round_fraction_down(value: Fraction) -> float:
    near = float(value)
    return near if Fraction(near) <= value else _round_down(near)


def upper_stability_bound(rows: Rows, x: Floats, x_low: Floats | None = None) -> float:
    """Upper bound on kappa_max for any x; strengths that are not positive are left out."""
    x = np.where(x > 0.0, x, 0.0)
    top = float(x.max(initial=0.0))
    if top == 0.0 or not math.isfinite(top):
        return math.inf
    unit = math.ldexp(1.0, math.frexp(top)[1] - 1)
    x = x / unit
    with np.errstate(over="ignore", invalid="ignore"):
        g, error = rows.embedding(x)
        if x_low is not None:
            more, error_of_more = rows.embedding(np.where(x > 0.0, x_low, 0.0) / unit)
            g = g + more
            error = (error + error_of_more + U * np.abs(g)) * (1.0 + 8.0 * U)
        return upper_bound_from_sum(rows, x, g, error)


def upper_bound_from_sum(rows: Rows, x: Floats, g: Floats, error: Floats) -> float:
    """|g| / sum x, rounded up: the bound of `from_above`, from g = sum x S (scale xi) and its errors."""
    total = math.fsum(x.tolist())
    with np.errstate(over="ignore", invalid="ignore"):
        high = norm_bounds((np.abs(g) + error) * (1.0 + 2.0 * U))[1]
    if not _round_down(total * (1.0 - 8.0 * U)) > 0.0 or math.isnan(high):
        return math.inf
    bound = divide_by_strengths(high, total, rows.scale)
    # kappa_max is 0 if all inputs are zero; otherwise the bound must cover products that underflowed.
    return bound if bound > 1e-300 or np.any(rows.values) else 0.0


def divide_by_strengths(high: float, total: float, scale: float) -> float:
    """Upper bound on |g| / sum x, given |g| <= high and the sum of x, rounded once."""
    return round_up(round_up(high / _round_down(total * (1.0 - 8.0 * U))) / scale)


def _longest_example(rows: Rows) -> float:
    """max |xi|, rounded up; its negative is below every stability."""
    top = float(np.abs(rows.values).max(initial=0.0))
    if top == 0.0:
        return 0.0
    unit = math.ldexp(1.0, math.frexp(top)[1] - 1)
    squares = (np.asarray(rows.values, dtype=np.float64) / unit) ** 2
    if isinstance(rows.xi, Sparse):
        squares = np.add.reduceat(np.append(squares, 0.0), rows.xi.indptr[:-1])
        squares[np.diff(rows.xi.indptr) == 0] = 0.0
    else:
        squares = squares.sum(axis=1, dtype=np.float64)
    return round_up(math.sqrt(float(squares.max())) * (1.0 + 2.0 * (rows.shape[1] + 12) * U) * unit)
