"""Equivalent examples: columns far from zero centred, rows and columns scaled to about one.

If one input is constant, w . xi + b c = w . (xi - m) + (b + w . m / c) c: years may be counted from
2000. The problems are equivalent only if no subtraction rounds, so m is a value of the column itself (then
nearby values have exact differences: Sterbenz) and a column with any rounding is not centred. Powers of two
are exact unless they overflow or underflow, which is checked.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from markone.perceptron.separable.rows import Floats, Rows

# Strengths below this are scaled to about one.
SMALL = 2.0**-500

Whole = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class EquivalentExamples:
    """C = 2^a S (xi - m) 2^c: C v > 0 has a solution v if and only if S xi . w > 0 has one."""

    C: Floats
    a: Whole
    c: Whole
    m: Floats
    constant: int | None
    value: float

    def original_weights(self, v: Floats, low: Floats) -> list[Fraction]:
        """The w of the given examples for v + low, without rounding."""
        pairs = zip(v.tolist(), low.tolist(), strict=True)
        return self.exact_original_weights([Fraction(high) + Fraction(rest) for high, rest in pairs])

    def exact_original_weights(self, v: list[Fraction]) -> list[Fraction]:
        w = [u * Fraction(2) ** int(power) for u, power in zip(v, self.c, strict=True)]
        if self.constant is not None and self.m.any():
            shift = sum(Fraction(m) * u for m, u in zip(self.m.tolist(), w, strict=True) if m)
            w[self.constant] -= shift / Fraction(self.value)
        return w

    def original_strengths(self, x: Floats) -> Floats:
        """The x of the given examples for strengths of the rows of C, up to a factor."""
        powers, top = self.a - self.a.max(initial=0), float(x.max(initial=0.0))
        # Strengths of inputs near overflow would become zero.
        lift = -int(np.frexp(top)[1]) if top < SMALL else 0
        return np.asarray(np.ldexp(x, powers + lift))

    def scaled_strengths(self, x: Floats) -> Floats:
        """Strengths of the rows of C for x of the given examples, up to a factor."""
        powers = self.a.min(initial=0) - self.a
        return np.asarray(np.ldexp(x, powers))


def equivalent_examples(rows: Rows) -> EquivalentExamples:
    """Centre and then equilibrate the columns where that is exact."""
    xi = rows.signed_inputs() * rows.S[:, None]
    constant = _constant_column(xi)
    m = np.zeros(xi.shape[1])
    if constant is not None:
        m = _column_centres(xi)
        m[constant] = 0.0
        xi = xi - m
    Z = xi * rows.S[:, None]
    C, a, c = _equilibrate_exactly(Z)
    value = float(xi[0, constant]) if constant is not None else 0.0
    return EquivalentExamples(C, a, c, m, constant, value)


def _constant_column(xi: Floats) -> int | None:
    """Index of the last column with the same non-zero value in all rows, or None."""
    same = np.flatnonzero((xi == xi[0]).all(axis=0) & (xi[0] != 0.0))
    return int(same[-1]) if len(same) else None


def _column_centres(xi: Floats) -> Floats:
    """A value near the median of each column, 0 where xi - m would round (tested by the error of TwoSum)."""
    m = np.sort(xi, axis=0)[len(xi) // 2]
    s = xi - m
    t = s - xi
    exact = ((xi - (s - t)) + (-m - t) == 0.0).all(axis=0)
    # Only columns far from zero gain by it.
    far = np.abs(m) > np.abs(s).max(axis=0)
    return np.where(exact & far, m, 0.0)


def _equilibrate_exactly(Z: Floats) -> tuple[Floats, Whole, Whole]:
    """Return (C, a, c) with C = 2^a Z 2^c exactly, rows of length about one."""
    a = -_binary_exponents(np.abs(Z).max(axis=1))
    c = -_binary_exponents(np.abs(np.ldexp(Z, a[:, None])).max(axis=0))
    for columns in (c, np.zeros_like(c)):
        powers = a[:, None] + columns
        again = -_binary_exponents(np.abs(np.ldexp(Z, powers)).max(axis=1))
        powers = powers + again[:, None]
        C = np.ldexp(Z, powers)
        if np.array_equal(np.ldexp(C, -powers), Z):
            return C, a + again, columns
    return Z, np.zeros_like(a), np.zeros_like(c)


def _binary_exponents(sizes: Floats) -> Whole:
    return np.where(sizes > 0.0, np.frexp(sizes)[1], 0).astype(np.int64)
