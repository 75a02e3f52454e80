"""kappa(w) <= kappa_max <= |sum x S xi| / sum x, rounded outwards: true of the caller's own numbers.

Any w bounds the optimal stability from below, any x >= 0 from above; so neither has to be exact, only
what is computed from them.
"""

import math

import numpy as np

from markone.numerics._rows import Sparse
from markone.perceptron.certificates._roundings import U
from markone.perceptron.certificates.rows import Floats, Rows


def down(value: float) -> float:
    return math.nextafter(value, -math.inf)


def up(value: float) -> float:
    return math.nextafter(value, math.inf)


def length(v: Floats) -> tuple[float, float]:
    """|v| from below and from above, for components of at most about 2^300."""
    top = float(np.abs(v).max(initial=0.0))
    if top == 0.0 or not math.isfinite(top):
        return (0.0, 0.0) if top == 0.0 else (0.0, math.inf)
    # Of about one, so that no square that matters is lost: dividing by a power of two loses only those.
    unit = math.ldexp(1.0, math.frexp(top)[1])
    size = math.sqrt(float(np.sum((v / unit) ** 2)))
    margin = 2.0 * (len(v) + 12) * U
    return down(size * (1.0 - margin) * unit), up(size * (1.0 + margin) * unit)


def whole(w: Floats) -> float:
    """The power of two that brings w to about one without loss, or 1 where there is none."""
    top = float(np.abs(w).max(initial=0.0))
    if top == 0.0 or not math.isfinite(top):
        return 1.0
    unit = math.ldexp(1.0, -max(min(math.frexp(top)[1], 1000), -1000))
    return unit if np.array_equal(w * unit / unit, w) else 1.0


def potentials(rows: Rows, w: Floats, w_low: Floats | None = None) -> tuple[Floats, Floats]:
    """E of scale xi with w + w_low, and the error of each."""
    E, error = rows.potentials(w)
    if w_low is not None and w_low.any():
        more, error_of_more = rows.potentials(w_low)
        E = E + more
        error = (error + error_of_more + U * np.abs(E)) * (1.0 + 8.0 * U)
    return E, error


def from_below(rows: Rows, w: Floats, w_low: Floats | None = None) -> float:
    """A number that kappa(w + w_low) = min E / |w| is not below; -max |xi| where w = 0 or not finite."""
    unit = whole(w)
    low = None if w_low is None else w_low * unit
    if low is not None and not np.array_equal(low / unit, w_low):
        low = np.zeros_like(w)
    with np.errstate(over="ignore", invalid="ignore"):
        E, error = potentials(rows, w * unit, low)
        least = float(np.min(E - error))
        short, long = length(w * unit)
    if low is not None:
        short, long = down(short * (1.0 - 2.0 * U)), up(long * (1.0 + 2.0 * U))
    if not (math.isfinite(least) and 0.0 < short and long < math.inf):
        return -longest(rows)
    # E - error was rounded: by u of itself.
    least = down(least * (1.0 - 4.0 * U) if least > 0.0 else least * (1.0 + 4.0 * U))
    quotient = down(least / (long if least > 0.0 else short))
    return down(quotient / rows.scale) if quotient != 0.0 else 0.0 if least >= 0.0 else down(0.0)


def from_above(rows: Rows, x: Floats, x_low: Floats | None = None) -> float:
    """A number that kappa_max is not above, whatever x; negative strengths prove nothing and are left out."""
    x = np.where(x > 0.0, x, 0.0)
    top = float(x.max(initial=0.0))
    if top == 0.0 or not math.isfinite(top):
        return math.inf
    x = x / math.ldexp(1.0, math.frexp(top)[1])
    with np.errstate(over="ignore", invalid="ignore"):
        g, error = rows.embedding(x)
        if x_low is not None:
            more, error_of_more = rows.embedding(
                np.where(x > 0.0, x_low, 0.0) / math.ldexp(1.0, math.frexp(top)[1])
            )
            g = g + more
            error = (error + error_of_more + U * np.abs(g)) * (1.0 + 8.0 * U)
        high = length((np.abs(g) + error) * (1.0 + 2.0 * U))[1]
    if math.isnan(high):
        return math.inf
    total = float(x.sum()) if x_low is None else float(x.sum()) * (1.0 - 4.0 * U)
    total = down(total * (1.0 - 2.0 * (len(x) + 12) * U))
    return up(up(high / total) / rows.scale) if high > 0.0 else 0.0


def longest(rows: Rows) -> float:
    """max |xi|, rounded up: no stability is below its negative."""
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
    return up(math.sqrt(float(squares.max())) * (1.0 + 2.0 * (rows.shape[1] + 12) * U) * unit)
