"""Scaling by powers of two: rows to length 1..2, columns to the same size.

Separability does not change, and a power of two is exact: a proof for the scaled examples is a proof
for the given ones.
"""

import math

import numpy as np
from numba import types
from numba.extending import overload

from markone.numerics._rows import Sparse
from markone.numerics._vectors import max_finite
from markone.numerics.compiling import FLAGS, entry, part, piece

# All results are powers of two: the order of summation does not matter.
OPTIONS = {"fastmath": FLAGS, "nogil": True}


def largest_entries(Z, a, rows, c, columns):
    """Fill `rows` and `columns` with the largest |a z c| in each."""
    raise NotImplementedError("compiled code only")


def scaled_copy(Z, a, c):
    """Return a copy with row mu times a[mu] and column j times c[j]."""
    raise NotImplementedError("compiled code only")


def scaled_squared_lengths(Z, a, c, rows):
    """Fill `rows` with sum_j (a z c)^2."""
    raise NotImplementedError("compiled code only")


@overload(scaled_squared_lengths, jit_options=OPTIONS)
def _scaled_squared_lengths(Z, a, c, rows):
    def dense(Z, a, c, rows):
        for mu in range(Z.shape[0]):
            total = 0.0
            for j in range(Z.shape[1]):
                total += (a[mu] * Z[mu, j] * c[j]) ** 2
            rows[mu] = total

    def sparse(Z, a, c, rows):
        for mu in range(rows.shape[0]):
            rows[mu] = 0.0
            for k in range(Z.indptr[mu], Z.indptr[mu + 1]):
                rows[mu] += (a[mu] * Z.data[k] * c[Z.indices[k]]) ** 2

    return dense if isinstance(Z, types.Array) else sparse


@overload(largest_entries, jit_options=OPTIONS)
def _largest_entries(Z, a, rows, c, columns):
    def dense(Z, a, rows, c, columns):
        for mu in range(Z.shape[0]):
            top = 0.0
            for j in range(Z.shape[1]):
                value = abs(a[mu] * Z[mu, j] * c[j])
                top = max_finite(top, value)
                columns[j] = max_finite(columns[j], value)
            rows[mu] = top

    def sparse(Z, a, rows, c, columns):
        for mu in range(rows.shape[0]):
            for k in range(Z.indptr[mu], Z.indptr[mu + 1]):
                j = Z.indices[k]
                value = abs(a[mu] * Z.data[k] * c[j])
                rows[mu] = max(rows[mu], value)
                columns[j] = max(columns[j], value)

    return dense if isinstance(Z, types.Array) else sparse


@overload(scaled_copy, jit_options=OPTIONS)
def _scaled_copy(Z, a, c):
    def dense(Z, a, c):
        Y = np.empty(Z.shape)
        for mu in range(Z.shape[0]):
            for j in range(Z.shape[1]):
                Y[mu, j] = a[mu] * Z[mu, j] * c[j]
        return Y

    def sparse(Z, a, c):
        data = np.empty(Z.data.shape[0])
        for mu in range(a.shape[0]):
            for k in range(Z.indptr[mu], Z.indptr[mu + 1]):
                data[k] = a[mu] * Z.data[k] * c[Z.indices[k]]
        return Sparse(data, Z.indices, Z.indptr, Z.N)

    return dense if isinstance(Z, types.Array) else sparse


@piece
def inverse_power(value):
    """2^-e for a value in 2^e [1/2, 1); 1 for 0. e is clipped to keep it finite."""
    if value == 0.0:
        return 1.0
    e = math.frexp(value)[1]
    # No min and max: numba compiles each as a separate function.
    e = -1000 if e < -1000 else e
    return math.ldexp(1.0, -1000 if e > 1000 else -e)


@entry
def compute_scales(Z, a, c, rows, columns):
    """Fill a and c, scaling rows, columns, rows. Return the index of an all-zero row, or -1.

    `rows` and `columns`, zeros, are work arrays: allocation here would add 0.1 s of compilation.
    """
    zero = -1
    for mu in range(a.shape[0]):
        a[mu] = 1.0
    for j in range(c.shape[0]):
        c[j] = 1.0
    largest_entries(Z, a, rows, c, columns)
    for mu in range(a.shape[0]):
        a[mu] = inverse_power(rows[mu])
        if rows[mu] == 0.0:
            zero = mu
    for j in range(c.shape[0]):
        columns[j] = 0.0
    largest_entries(Z, a, rows, c, columns)
    for j in range(c.shape[0]):
        c[j] = inverse_power(columns[j])
    scaled_squared_lengths(Z, a, c, rows)
    for mu in range(a.shape[0]):
        a[mu] *= 2.0 * inverse_power(math.sqrt(rows[mu]))
    return zero


@part
def equilibrate_rows(Z, a, c):
    """Return the scaled copy and the index of an all-zero row, or -1."""
    zero = compute_scales(Z, a, c, np.zeros(a.shape[0]), np.zeros(c.shape[0]))
    return scaled_copy(Z, a, c), zero
