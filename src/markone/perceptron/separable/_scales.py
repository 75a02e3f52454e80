"""Scaling by powers of two, rows to length 1..2 and columns to the same size; labels as S = +-1.

Separability does not change, and a power of two is exact: a proof for the scaled examples is a proof for the
given ones.
"""

import math

import numpy as np

from markone.numerics._rows import Sparse, by_layout
from markone.numerics._vectors import max_finite
from markone.numerics.compiling import FLAGS, entry, piece

# float64 represents all integers up to here.
WHOLE = 2**53


def _row_tops_dense(Z, rows):
    for mu in range(Z.shape[0]):
        row, top = Z[mu], 0.0
        for j in range(row.shape[0]):
            top = max_finite(top, abs(row[j]))
        rows[mu] = top


def _row_tops_sparse(Z, rows):
    for mu in range(rows.shape[0]):
        rows[mu] = 0.0
        for k in range(Z.indptr[mu], Z.indptr[mu + 1]):
            rows[mu] = max(rows[mu], abs(Z.data[k]))


def _column_tops_dense(Z, a, columns):
    for mu in range(Z.shape[0]):
        row = Z[mu]
        for j in range(row.shape[0]):
            columns[j] = max_finite(columns[j], abs(a[mu] * row[j]))


def _column_tops_sparse(Z, a, columns):
    for mu in range(a.shape[0]):
        for k in range(Z.indptr[mu], Z.indptr[mu + 1]):
            j = Z.indices[k]
            columns[j] = max(columns[j], abs(a[mu] * Z.data[k]))


def _scaled_dense(Z, a, c):
    Y = np.empty((a.shape[0], c.shape[0]))
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


@piece
def inverse_power(value):
    """2^-e for a value in 2^e [1/2, 1); 1 for 0. e is clipped to keep it finite."""
    if value == 0.0:
        return 1.0
    return math.ldexp(1.0, -min(max(math.frexp(value)[1], -1000), 1000))


def _compute_scales(Z, a, c, rows):
    """Fill a and c, scaling rows, columns, rows. Return the index of an all-zero row, or -1.

    `rows` is a work array of the length of a.
    """
    zero = -1
    c[:] = 0.0
    fill_row_tops(Z, rows)
    for mu in range(a.shape[0]):
        a[mu] = inverse_power(rows[mu])
        if rows[mu] == 0.0:
            zero = mu
    fill_column_tops(Z, a, c)
    for j in range(c.shape[0]):
        c[j] = inverse_power(c[j])
    fill_lengths(Z, a, c, rows)
    for mu in range(a.shape[0]):
        a[mu] *= 2.0 * inverse_power(rows[mu])
    return zero


compute_scales, compute_scales_entry = piece(_compute_scales), entry(_compute_scales)


@entry
def fill_signs(labels, S):
    """Fill S, +1 for the larger label; return the number of labels.

    0 if there are more than two, or if one is not an integer below 2^53 in size.
    """
    low = high = labels[0]
    for label in labels:
        low, high = label if label < low else low, label if label > high else high
    for mu in range(labels.shape[0]):
        label = labels[mu]
        if (label != low and label != high) or label != math.floor(label) or not abs(label) < WHOLE:
            return 0
        S[mu] = 1.0 if label == high else -1.0
    return 2 if low < high else 1


@entry
def largest_magnitude(values):
    """max |value|; NaN if one is not finite."""
    top, infinite = 0.0, 0
    for value in values:
        top = max_finite(top, abs(value))
        infinite += 0 if abs(value) < math.inf else 1
    return top if infinite == 0 else math.nan
