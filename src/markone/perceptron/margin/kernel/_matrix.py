"""The full kernel matrix in memory: computed from scalar products, sub-matrices, checks."""

import numpy as np

from markone.numerics.compiling import entry, piece
from markone.perceptron.margin.kernel._gaussians import bits_to_double, double_to_bits, exp_of_negative
from markone.perceptron.margin.kernel._tiles import SIDE, compare_tiles, transpose_tile


@entry
def gaussian_matrix(products, squares, gamma):
    """Turn scalar products below the diagonal into the symmetric exp(-gamma |xi - xi'|^2), in place."""
    P = products.shape[0]
    for top in range(0, P, SIDE):
        for i in range(top, min(top + SIDE, P)):
            row = products[i]
            for j in range(i):
                distance = squares[i] + squares[j] - 2.0 * row[j]
                row[j] = exp_of_negative(-gamma * max(distance, 0.0))
            row[i] = 1.0
        mirror_rows(products, top)


@entry
def mirror_lower(K):
    """Copy the lower triangle to the upper one."""
    for top in range(0, K.shape[0], SIDE):
        mirror_rows(K, top)


@piece
def mirror_rows(K, top):
    """Copy the lower triangle of the rows of one tile, or of the last rows."""
    P, left = K.shape[0], 0
    if top + SIDE <= P:
        for j in range(0, top, SIDE):
            transpose_tile(K, top, j)
        left = top
    for i in range(top, min(top + SIDE, P)):
        for j in range(left, i):
            K[j, i] = K[i, j]


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

    Of the elements on and below the diagonal. One of the first two is not finite if K is not: they are
    compared by their bits, which are ordered like numbers >= 0, with infinity and NaN largest.
    """
    P, kept = K.shape[0], np.zeros((3, SIDE), np.int64)
    tiled = P - P % SIDE
    for i in range(0, tiled, SIDE):
        for j in range(0, i + SIDE, SIDE):
            compare_tiles(K, i, j, lifted, kept[0], kept[1], kept[2])
    unlike, size, above = np.int64(0), np.int64(0), np.int64(0)
    for k in range(SIDE):
        unlike, size, above = max(unlike, kept[0, k]), max(size, kept[1, k]), above + kept[2, k]
    for i in range(tiled, P):
        for j in range(i + 1):
            unlike = max(unlike, double_to_bits(abs(K[i, j] - K[j, i])))
            size = max(size, double_to_bits(abs(K[i, j])))
            above += K[i, j] * K[i, j] > lifted[i] * lifted[j]
    return bits_to_double(size), bits_to_double(unlike), above


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
