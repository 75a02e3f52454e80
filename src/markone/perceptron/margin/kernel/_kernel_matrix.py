"""Loops over kernel matrices in memory: exponents of the rbf kernel, sub-matrices, checks."""

import numpy as np

from markone.numerics.compiling import entry

# Squared distances below this fraction of the squared norms are computed from differences: |xi|^2 + |xi'|^2 -
# 2 xi . xi' has lost so many digits.
CANCELLED = 1e-6
# Rows and columns of a tile: a transposed copy of a whole row would miss the cache with each element.
SIDE = 16


@entry
def write_rbf_exponents(products, left, right, gamma, first, X, Y):
    """Replace xi . xi' by -gamma |xi - xi'|^2, given the squared norms of both sides.

    Row i up to the column first + i: those of a lower triangle that begins in row `first`, or all. X, Y: the
    inputs of both sides, from which small distances are computed; without rows if they are sparse.
    """
    for i in range(products.shape[0]):
        row, own, close = products[i], left[i], False
        n = min(first + i + 1, row.shape[0])
        for j in range(n):
            row[j] = max(own + right[j] - 2.0 * row[j], 0.0)
        for j in range(n):
            close |= row[j] <= CANCELLED * (own + right[j])
        if close and X.shape[0] > 0:
            for j in range(n):
                if row[j] <= CANCELLED * (own + right[j]):
                    row[j] = 0.0
                    for k in range(X.shape[1]):
                        row[j] += (X[i, k] - Y[j, k]) ** 2
        for j in range(n):
            row[j] *= -gamma


@entry
def mirror_lower(K):
    """Copy the lower triangle to the upper one."""
    P = K.shape[0]
    for top in range(0, P, SIDE):
        for left in range(0, top + SIDE, SIDE):
            for j in range(left, min(left + SIDE, P)):
                row = K[j]
                for i in range(max(top, j + 1), min(top + SIDE, P)):
                    row[i] = K[i, j]


@entry
def take_submatrix(K, rows, columns, clamp):
    """Return K[rows, columns] + clamp."""
    out = np.empty((rows.shape[0], columns.shape[0]))
    for a in range(rows.shape[0]):
        row = K[rows[a]]
        for b in range(columns.shape[0]):
            out[a, b] = row[columns[b]] + clamp
    return out


@entry
def scan_kernel_matrix(K, lifted):
    """Largest |K(xi, xi')|, largest |K(xi, xi') - K(xi', xi)|, number of K^2 > lifted lifted'.

    Of the elements on and below the diagonal. The first is infinite if an element is not finite.
    """
    P, size, unlike, above, finite = K.shape[0], 0.0, 0.0, 0, True
    for top in range(0, P, SIDE):
        for left in range(0, top + SIDE, SIDE):
            for i in range(top, min(top + SIDE, P)):
                row, lift = K[i], lifted[i]
                for j in range(left, min(left + SIDE, i + 1)):
                    value, other = row[j], K[j, i]
                    finite = finite and abs(value) + abs(other) < np.inf
                    size = max(size, abs(value))
                    unlike = max(unlike, abs(value - other))
                    above += value * value > lift * lifted[j]
    return size if finite else np.inf, unlike, above


@entry
def smallest_pair_eigenvalue(K):
    """Smallest eigenvalue of all 2 x 2 principal sub-matrices; 0 if none is negative."""
    P, smallest = K.shape[0], 0.0
    for i in range(P):
        smallest = min(smallest, K[i, i])
        for j in range(i):
            half = 0.5 * (K[i, i] - K[j, j])
            smallest = min(smallest, 0.5 * (K[i, i] + K[j, j]) - np.sqrt(half * half + K[i, j] * K[i, j]))
    return smallest
