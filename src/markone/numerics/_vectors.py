"""Loops over vectors, for compiled code.

Sums are loops inside the entry: numba compiles `a.sum()` as a separate function, which several entries share
by name; the copy loaded first is called, and it may add in another order. Copies are loops, since
`into[:] = values` compiles text formatting, for its message on unequal lengths, and takes seconds.
"""

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic, overload

from markone.numerics.compiling import AVAILABLE, FLAGS, loop_piece, part

# Zeros that `multiply_rows` writes behind its results.
LANES = 8


def padded_width(width: int) -> int:
    """The next multiple of `LANES`."""
    return -(-width // LANES) * LANES


@part
def copy_array(values, into):
    """into[:] = values, of equal lengths."""
    for i in range(into.shape[0]):
        into[i] = values[i]


@part
def sum_values(a):
    """sum_j a_j"""
    result = 0.0
    for j in range(a.shape[0]):
        result += a[j]
    return result


@part
def dot_product(a, b):
    """sum_j a_j b_j"""
    result = 0.0
    for j in range(a.shape[0]):
        result += a[j] * b[j]
    return result


@numba.njit(nogil=True, fastmath=FLAGS, error_model="numpy")
def divide_unchecked(a, b):
    """a / b without a test for zero, which would prevent vectorisation; infinite or NaN for b = 0."""
    return a / b


def min_finite(a, b):
    """The smaller of two float64, neither of them NaN; vectorised in loops, unlike `min` of numba."""
    return a if a < b else b


def max_finite(a, b):
    """The larger of two float64, neither of them NaN; vectorised in loops, unlike `max` of numba."""
    return a if a > b else b


def _select(sign):
    """An intrinsic that selects by comparison, with the promise "no NaN" that LLVM needs to vectorise it."""

    @intrinsic
    def select(typing, a, b):
        def generate(context, builder, signature, args):
            flags = ("nnan", "nsz")
            return builder.select(builder.fcmp_ordered(sign, *args, flags=flags), *args, flags=flags)

        return types.float64(types.float64, types.float64), generate

    return select


_select_smaller, _select_larger = _select("<"), _select(">")


@overload(min_finite, inline="always")
def _min_finite(a, b):
    return (lambda a, b: _select_smaller(a, b)) if AVAILABLE else (lambda a, b: a if a < b else b)


@overload(max_finite, inline="always")
def _max_finite(a, b):
    return (lambda a, b: _select_larger(a, b)) if AVAILABLE else (lambda a, b: a if a > b else b)


@part
def first_index(values, value):
    """First index of `value`; the length if it does not occur. No early exit: that would be scalar."""
    absent = np.int32(values.shape[0])
    index = absent
    for i in range(values.shape[0]):
        here = np.int32(i) if values[i] == value else absent
        index = here if here < index else index
    return np.int64(index)


@part
def add_and_find_min(values, changes):
    """values += changes, in place; returns the smallest sum and its first index.

    In four pieces (measured), so that the second pass, for the index, goes over a quarter only.
    """
    length = values.shape[0]
    piece = (length // 64 + 1) * 16
    smallest, start = np.inf, 0
    for begin in range(0, length, piece):
        some, more = values[begin : begin + piece], changes[begin : begin + piece]
        least = np.inf
        for i in range(some.shape[0]):
            some[i] += more[i]
            least = min_finite(least, some[i])
        if least < smallest:
            smallest, start = least, begin
    return smallest, start + first_index(values[start : start + piece], smallest)


@loop_piece
def multiply_rows(A, rows, count, width, b, c):
    """c[i] = A[rows[i]] . b for i < count, and zeros in up to `LANES` elements behind."""
    for i in range(count):
        row, total = A[rows[i]], 0.0
        for j in range(width):
            total += row[j] * b[j]
        c[i] = total
    for i in range(count, min(count + LANES, c.shape[0])):
        c[i] = 0.0


@loop_piece
def add_combination(A, rows, count, width, b, c):
    """c += sum over i < count of b[i] A[rows[i]], without the rows whose factor is zero."""
    for i in range(count):
        if b[i] != 0.0:
            row, factor = A[rows[i]], b[i]
            for j in range(width):
                c[j] += factor * row[j]


@loop_piece
def combine_rows(A, rows, count, width, b, c):
    """c = sum over i < count of b[i] A[rows[i]]."""
    for j in range(width):
        c[j] = 0.0
    add_combination(A, rows, count, width, b, c)


@loop_piece
def add_outer(A, rows, count, width, b, c):
    """A[rows[i]] += b[i] c for i < count."""
    for i in range(count):
        row, factor = A[rows[i]], b[i]
        for j in range(width):
            row[j] += factor * c[j]


@loop_piece
def dot_padded(a, b, width):
    """sum of a_j b_j for j < width."""
    total = 0.0
    for j in range(width):
        total += a[j] * b[j]
    return total


@loop_piece
def add_scaled(factor, a, b, width):
    """b += factor a, the first `width` elements."""
    for j in range(width):
        b[j] += factor * a[j]


@loop_piece
def write_scaled(factor, a, b, width):
    """b = factor a, the first `width` elements."""
    for j in range(width):
        b[j] = factor * a[j]
