"""Loops over kernel matrices in memory: exponents of the rbf kernel, sub-matrices, checks."""

import numpy as np

from markone.numerics.compiling import entry

# Rows and columns of a tile: a transposed copy of a whole row would miss the cache with each element.
SIDE = 16


@entry
def write_rbf_exponents(products, left, right, gamma, first):
    """Replace xi . xi' by -gamma |xi - xi'|^2, given the squared norms of both sides.

    Row i up to the column first + i: those of a lower triangle that begins in row `first`, or all.
    """
    for i in range(products.shape[0]):
        row, own = products[i], gamma * left[i]
        for j in range(min(first + i + 1, products.shape[1])):
            row[j] = min(2.0 * gamma * row[j] - (own + gamma * right[j]), 0.0)


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
