"""A whole matrix of kernels in memory: from scalar products, read in pieces, looked at as a whole."""

import numpy as np

from markone.numerics.compiling import entry, piece
from markone.perceptron.feature_space._gaussians import bits_of, exp_of_negative, number_of
from markone.perceptron.feature_space._tiles import SIDE, turn, unlike


@entry
def gaussian_matrix(products, squares, gamma):
    """In place, of scalar products below the diagonal the whole symmetric matrix exp(-gamma |xi - xi'|^2)."""
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
def mirror(K):
    """What is below the diagonal also above it."""
    for top in range(0, K.shape[0], SIDE):
        mirror_rows(K, top)


@piece
def mirror_rows(K, top):
    """The same for the rows from `top` on that make a tile, or are the last."""
    P, left = K.shape[0], 0
    if top + SIDE <= P:
        for j in range(0, top, SIDE):
            turn(K, top, j)
        left = top
    for i in range(top, min(top + SIDE, P)):
        for j in range(left, i):
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
def size_and_twos(K, lifted):
    """The largest |K(xi, xi')|, not finite where K is not; and the pairs with K(xi, xi')^2 > lifted lifted'.

    Sizes are compared by their bits, which are ordered as numbers >= 0 are, with infinity and NaN above all.
    """
    P, size, above = K.shape[0], np.int64(0), 0
    for i in range(P):
        row, own = K[i], lifted[i]
        for j in range(P):
            size = max(size, bits_of(abs(row[j])))
            above += row[j] * row[j] > own * lifted[j]
    return number_of(size), above


@entry
def skew(K):
    """The largest |K(xi, xi') - K(xi', xi)|; not finite where K is not."""
    P, most = K.shape[0], np.zeros(SIDE, np.int64)
    tiled = P - P % SIDE
    for i in range(0, tiled, SIDE):
        for j in range(0, i + SIDE, SIDE):
            unlike(K, i, j, most)
    top = np.int64(0)
    for i in range(tiled, P):
        for j in range(i):
            top = max(top, bits_of(abs(K[i, j] - K[j, i])))
    for k in range(SIDE):
        top = max(top, most[k])
    return number_of(top)


@entry
def smallest_of_twos(K):
    """The smallest eigenvalue of any two examples alone; 0 where none is negative."""
    P, smallest = K.shape[0], 0.0
    for i in range(P):
        smallest = min(smallest, K[i, i])
        for j in range(i):
            half = 0.5 * (K[i, i] - K[j, j])
            smallest = min(smallest, 0.5 * (K[i, i] + K[j, j]) - np.sqrt(half * half + K[i, j] * K[i, j]))
    return smallest
