"""Null spaces of float tables in integers: no rounding, no tolerance for the rank.

The reduced echelon form modulo a prime gives the rank from below and, by rational reconstruction, candidates
for a basis. A candidate counts only if all its products with the rows are exactly zero; together they then
fix the rank from above. If one fails, the prime was too small.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.object_]

# 2^e - 1 is prime for these e. The first allows elimination in 64 bits; the last suffices for 200 inputs.
MERSENNE = 31, 521, 2203, 9689, 44497


def to_integers(rows: Any) -> Any:
    """Float rows, times one common power of two, as Python integers; integers are returned as they are."""
    if rows.dtype == object:
        return rows
    mantissa, exponent = np.frexp(rows)
    whole = np.ldexp(mantissa, 53).astype(np.int64)
    exponent = np.where(whole == 0, 0, exponent)
    lowest = int(exponent[whole != 0].min(initial=0))
    return np.asarray(whole.astype(object) << np.maximum(exponent - lowest, 0).astype(object), dtype=object)


def multiply_exactly(rows: Any, basis: Integers) -> Any:
    """Rows times the columns of `basis`, without rounding, up to one positive factor.

    Floats stay floats if each column of the basis selects one input.
    """
    used = [np.flatnonzero(column) for column in basis.T]
    if all(len(here) == 1 and column[here[0]] == 1 for here, column in zip(used, basis.T, strict=True)):
        return np.ascontiguousarray(rows[:, [here[0] for here in used]])
    inputs = np.flatnonzero((basis != 0).any(axis=1))
    return to_integers(np.ascontiguousarray(rows[:, inputs])) @ basis[inputs]


def null_space(rows: Any) -> Integers:
    """Basis of all v with rows v = 0, as integer columns; proven by exact products with every row."""
    P, n = rows.shape
    chosen = np.arange(min(P, 2 * n))
    for e in MERSENNE:
        while True:
            basis = _candidate_basis(to_integers(rows[chosen]), 2**e - 1)
            if basis is None:
                break
            if not basis.size:
                return basis
            wrong = np.flatnonzero((multiply_exactly(rows, basis) != 0).any(axis=1))
            fresh = np.setdiff1d(wrong, chosen)
            if not len(wrong):
                return basis
            if not len(fresh):
                break
            chosen = np.append(chosen, fresh[: 2 * n])
    raise ArithmeticError(f"The null space of {P} x {n} numbers is too large for exact arithmetic.")


def _candidate_basis(rows: Integers, prime: int) -> Integers | None:
    """Null space modulo the prime, lifted to integers; None if an entry has no small fraction."""
    n = rows.shape[1]
    A, pivots = _echelon_form((rows % prime).astype(np.int64 if prime < 2**31 else object), prime)
    free = [j for j in range(n) if j not in pivots]
    basis = np.zeros((n, len(free)), dtype=object)
    for k, j in enumerate(free):
        column = [_reconstruct(-int(value) % prime, prime) for value in A[: len(pivots), j]]
        if None in column:
            return None
        below = math.lcm(*(pair[1] for pair in column if pair))
        basis[j, k] = below
        for i, pair in zip(pivots, column, strict=True):
            basis[i, k] = pair[0] * (below // pair[1]) if pair else 0
    return basis


def _echelon_form(A: Any, prime: int) -> tuple[Any, list[int]]:
    """Reduced row echelon form modulo the prime, and the columns of its pivots."""
    pivots: list[int] = []
    for j in range(A.shape[1]):
        r = len(pivots)
        below = np.flatnonzero(A[r:, j])
        if not len(below):
            continue
        A[[r, r + below[0]]] = A[[r + below[0], r]]
        A[r] = A[r] * pow(int(A[r, j]), -1, prime) % prime
        others = np.flatnonzero(A[:, j])
        others = others[others != r]
        A[others] = (A[others] - A[others, j][:, None] * A[r] % prime) % prime
        pivots.append(j)
        if len(pivots) == len(A):
            break
    return A, pivots


def _reconstruct(value: int, prime: int) -> tuple[int, int] | None:
    """The fraction (numerator, denominator) equal to `value` modulo the prime, both below sqrt(prime / 2)."""
    limit = math.isqrt(prime // 2)
    a, b, s, t = prime, value, 0, 1
    while b > limit:
        q = a // b
        a, b, s, t = b, a - q * b, t, s - q * t
    if abs(t) > limit or t == 0:
        return None
    return (b, t) if t > 0 else (-b, -t)
