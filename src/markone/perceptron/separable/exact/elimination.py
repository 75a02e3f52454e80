"""Proof of non-separability in integers, for exactly dependent rows.

A float is an integer times a power of two, and rows may be multiplied by any positive number. So
sum x z = 0 becomes a linear system of integers, solved without rounding and without fractions (Bareiss).
"""

import math
from fractions import Fraction

import numpy as np

from markone.perceptron.separable.rows import Floats

# Elementary operations times the growth of the integers; 10^6 take about a second.
MOST_WORK = 3e6


def as_integers(row: Floats) -> tuple[list[int], int]:
    """Return (integers, e) with row = integers 2^e."""
    pairs = [value.as_integer_ratio() for value in row.tolist()]
    bits = max(below.bit_length() - 1 for _, below in pairs)
    return [above << (bits - (below.bit_length() - 1)) for above, below in pairs], -bits


def clear_denominators(row: list[Fraction]) -> list[int]:
    """Fractions multiplied by their common denominator, as integers."""
    below = math.lcm(*(v.denominator for v in row))
    return [int(v * below) for v in row]


def _elimination_affordable(C: Floats, k: int) -> bool:
    """Whether the estimated work, from the number of digits, is below MOST_WORK."""
    n = min(C.shape[1], k)
    bits = max((max(abs(v) for v in as_integers(row)[0]).bit_length() for row in C[:3]), default=1)
    return bool(n * n * k * (1.0 + n * bits / 512.0) <= MOST_WORK)


def exact_strengths(C: Floats, y: Floats) -> dict[int, Fraction] | None:
    """x >= 0, not all zero, with sum x z = 0 exactly, on the support of y and near it; None if there is none.

    Free unknowns, those with the smallest strengths, keep their value in y.
    """
    support = np.flatnonzero(y > 0.0)
    support = support[np.argsort(-y[support], kind="stable")]
    if not len(support) or not _elimination_affordable(C[support], len(support)):
        return None
    made = [as_integers(C[mu]) for mu in support]
    strength = [Fraction(float(y[mu])) * Fraction(2) ** e for mu, (_, e) in zip(support, made, strict=True)]
    solved = solve_nullspace(
        [list(column) for column in zip(*(row for row, _ in made), strict=True)], strength
    )
    if solved is None:
        return None
    return {int(mu): s / Fraction(2) ** e for mu, s, (_, e) in zip(support, solved, made, strict=True) if s}


def solve_nullspace(M: list[list[int]], x: list[Fraction]) -> list[Fraction] | None:
    """x >= 0, not all zero, with M x = 0: columns without a pivot keep their x. None if one would be < 0."""
    pivots, last = _gauss_jordan(M)
    free = [j for j in range(len(x)) if j not in pivots]
    found = [Fraction(0)] * len(x)
    for j in free:
        found[j] = x[j]
    for row, j in enumerate(pivots):
        found[j] = -sum((M[row][f] * x[f] for f in free), Fraction(0)) / last
    return found if min(found) >= 0 < max(found) else None


def _gauss_jordan(M: list[list[int]]) -> tuple[list[int], int]:
    """Gauss-Jordan in place: row r has the pivot `last` in column pivots[r] and zeros in the others."""
    pivots: list[int] = []
    last = 1
    for j in range(len(M[0]) if M else 0):
        r = len(pivots)
        below = [i for i in range(r, len(M)) if M[i][j]]
        if not below:
            continue
        M[r], M[below[0]] = M[below[0]], M[r]
        top, pivot = M[r], M[r][j]
        for i, row in enumerate(M):
            if i != r:
                factor = row[j]
                M[i] = [(pivot * a - factor * b) // last for a, b in zip(row, top, strict=True)]
        pivots.append(j)
        last = pivot
    return pivots, last
