"""A whole matrix of kernels in memory: from scalar products, read in pieces, looked at as a whole."""

import numpy as np

from markone.numerics.compiling import entry
from markone.perceptron.feature_space._gaussians import bits_of, exp_of_negative, number_of

# Numbers in a line of the cache: a tile of it is read across and written along.
TILE = 8


@entry
def gaussian_matrix(products, squares, gamma):
    """In place, of scalar products below the diagonal the whole symmetric matrix exp(-gamma |xi - xi'|^2)."""
    P = products.shape[0]
    for i in range(P):
        for j in range(i):
            distance = squares[i] + squares[j] - 2.0 * products[i, j]
            products[i, j] = exp_of_negative(-gamma * max(distance, 0.0))
        products[i, i] = 1.0
    mirror(products)


@entry
def mirror(K):
    """What is below the diagonal also above it."""
    P = K.shape[0]
    for top in range(0, P, TILE):
        for left in range(0, top + TILE, TILE):
            for j in range(left, min(left + TILE, P)):
                for i in range(max(top, j + 1), min(top + TILE, P)):
                    K[j, i] = K[i, j]


@entry
def taken(K, rows, columns, clamp):
    """K + clamp between some examples and others."""
    out = np.empty((rows.shape[0], columns.shape[0]))
    for a in range(rows.shape[0]):
        row = K[rows[a]]
        for b in range(columns.shape[0]):
            out[a, b] = row[columns[b]] + clamp
    return out


@entry
def size_and_skew(K):
    """The largest |K(xi, xi')|, and the largest |K(xi, xi') - K(xi', xi)|; not finite where K is not.

    Compared by their bits, which are ordered as numbers >= 0 are, with infinity and NaN above all.
    """
    P, size, skew = K.shape[0], np.int64(0), np.int64(0)
    for top in range(0, P, TILE):
        for left in range(0, top + TILE, TILE):
            for i in range(top, min(top + TILE, P)):
                for j in range(left, min(left + TILE, i + 1)):
                    size = max(size, max(bits_of(abs(K[i, j])), bits_of(abs(K[j, i]))))
                    skew = max(skew, bits_of(abs(K[i, j] - K[j, i])))
    return number_of(size), number_of(skew)


@entry
def smallest_of_twos(K, allowed):
    """The smallest eigenvalue of any two examples alone; 0 where none is below -allowed."""
    P, below, smallest = K.shape[0], 0, 0.0
    diagonal = np.empty(P)
    for i in range(P):
        diagonal[i] = K[i, i] + allowed
        below += diagonal[i] < 0.0
    for i in range(P):
        for j in range(i):
            below += K[i, j] * K[i, j] > diagonal[i] * diagonal[j]
    if below == 0:
        return 0.0
    for i in range(P):
        smallest = min(smallest, K[i, i])
        for j in range(i):
            half = 0.5 * (K[i, i] - K[j, j])
            smallest = min(smallest, 0.5 * (K[i, i] + K[j, j]) - np.sqrt(half * half + K[i, j] * K[i, j]))
    return smallest
