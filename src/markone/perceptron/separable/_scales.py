"""Scaling by powers of two, rows to length 1..2 and columns to the same size; labels as S = +-1.

Separability does not change, and a power of two is exact: a proof for the scaled examples is a proof for the
given ones.
"""

import math

import numpy as np

from markone.numerics._layout import by_layout
from markone.numerics._rows import Sparse
from markone.numerics.compiling import FLAGS, entry, part

# All bits of a float64 but its sign.
MAGNITUDE = np.int64(0x7FFFFFFFFFFFFFFF)


def _row_tops_dense(Z, rows):
    # As integers: the bits of floats >= 0 have the same order, and such a maximum is vectorised.
    for mu in range(Z.shape[0]):
        top = np.int64(0)
        for bits in Z[mu].view(np.int64):
            size = bits & MAGNITUDE
            top = size if size > top else top
        rows[mu : mu + 1].view(np.int64)[0] = top


def _row_tops_sparse(Z, rows):
    for mu in range(rows.shape[0]):
        rows[mu] = 0.0
        for k in range(Z.indptr[mu], Z.indptr[mu + 1]):
            rows[mu] = max(rows[mu], abs(Z.data[k]))


def _column_tops_dense(Z, a, columns):
    tops = columns.view(np.int64)
    scaled = np.empty(columns.shape[0])
    for mu in range(Z.shape[0]):
        row, bits = Z[mu], scaled.view(np.int64)
        for j in range(row.shape[0]):
            scaled[j] = abs(a[mu] * row[j])
        for j in range(row.shape[0]):
            tops[j] = bits[j] if bits[j] > tops[j] else tops[j]


def _column_tops_sparse(Z, a, columns):
    for mu in range(a.shape[0]):
        for k in range(Z.indptr[mu], Z.indptr[mu + 1]):
            j = Z.indices[k]
            columns[j] = max(columns[j], abs(a[mu] * Z.data[k]))


def _scaled_dense(Z, a, c):
    Y = np.empty(Z.shape)
    for mu in range(Z.shape[0]):
        row, scaled = Z[mu], Y[mu]
        for j in range(c.shape[0]):
            scaled[j] = a[mu] * row[j] * c[j]
    return Y


def _scaled_sparse(Z, a, c):
    data = np.empty(Z.data.shape[0])
    for mu in range(a.shape[0]):
        for k in range(Z.indptr[mu], Z.indptr[mu + 1]):
            data[k] = a[mu] * Z.data[k] * c[Z.indices[k]]
    return Sparse(data, Z.indices, Z.indptr, Z.N)


def _lengths_dense(Z, a, c, rows):
    for mu in range(Z.shape[0]):
        row = Z[mu]
        total = 0.0
        for j in range(c.shape[0]):
            total += (a[mu] * row[j] * c[j]) ** 2
        rows[mu] = math.sqrt(total)


def _lengths_sparse(Z, a, c, rows):
    for mu in range(rows.shape[0]):
        total = 0.0
        for k in range(Z.indptr[mu], Z.indptr[mu + 1]):
            total += (a[mu] * Z.data[k] * c[Z.indices[k]]) ** 2
        rows[mu] = math.sqrt(total)


# Fill `rows` with the largest |z| of each.
fill_row_tops = by_layout(_row_tops_dense, _row_tops_sparse, fastmath=FLAGS)
# Fill `columns`, zeros, with the largest |a z| of each.
fill_column_tops = by_layout(_column_tops_dense, _column_tops_sparse, fastmath=FLAGS)
# A copy with row mu times a[mu] and column j times c[j].
scaled_copy = by_layout(_scaled_dense, _scaled_sparse, fastmath=FLAGS)
# Fill `rows` with the lengths |a z c|. All results become powers of two: the order of sums does not matter.
fill_lengths = by_layout(_lengths_dense, _lengths_sparse, fastmath=FLAGS)


@part
def inverse_power(value):
    """2^-e for a value in 2^e [1/2, 1); 1 for 0. e is clipped to keep it finite."""
    if value == 0.0:
        return 1.0
    return math.ldexp(1.0, -min(max(math.frexp(value)[1], -1000), 1000))


@entry
def compute_scales(Z, a, c):
    """Fill a and c, scaling rows, columns, rows. Return the index of an all-zero row, or -1."""
    rows, columns = np.zeros(a.shape[0]), np.zeros(c.shape[0])
    zero = -1
    fill_row_tops(Z, rows)
    for mu in range(a.shape[0]):
        a[mu] = inverse_power(rows[mu])
        if rows[mu] == 0.0:
            zero = mu
    fill_column_tops(Z, a, columns)
    for j in range(c.shape[0]):
        c[j] = inverse_power(columns[j])
    fill_lengths(Z, a, c, rows)
    for mu in range(a.shape[0]):
        a[mu] *= 2.0 * inverse_power(rows[mu])
    return zero


@entry
def fill_signs(labels, S):
    """Fill S, +1 for the larger label; return the number of labels, 0 if more than two or not integers."""
    low = high = labels[0]
    for label in labels:
        low, high = min(low, label), max(high, label)
    for mu in range(labels.shape[0]):
        label = labels[mu]
        if (label != low and label != high) or label != math.floor(label):
            return 0
        S[mu] = 1.0 if label == high else -1.0
    return 2 if low < high else 1


@entry
def largest_magnitude(values):
    """max |value|; NaN if one is not finite."""
    top = np.zeros(1, np.int64)
    for bits in values.view(np.int64):
        size = bits & MAGNITUDE
        top[0] = size if size > top[0] else top[0]
    largest = top.view(np.float64)[0]
    return largest if largest < math.inf else math.nan
