"""The step of Newton's method: normal matrix H = sum z z^T of chosen examples, and Cholesky's R^T R = H.

In float32 or float64, as the arrays are. Only what is right of the diagonal is filled. Compiled without the
flags of the house: a bound on the rounding is part of a proof.

*The bound*. A number of H is the sum of blocks of at most BLOCK products, added (or taken away) one block
after the other: wrong by (BLOCK + blocks + 1) u sum |z_i z_j| over all rows that ever came or went. So H is
wrong by (BLOCK + blocks + 1) u `size` in its norm, with `size` the sum of |z|^2 over these rows. Cholesky's
R is exact for a matrix that differs from the given one by c u tr H: R_ij comes from blocks of BLOCK products,
N / BLOCK of them, from TALL - 1 rows of its own strip, and from a shift, a root, an inverse and a product.
"""

import numpy as np

from markone.lab.scenarios.storage.single._lines import copy, dot, scale, subtract
from markone.lab.scenarios.storage.single._sums import TALL, WIDTH, outer_1, outer_2, outer_3, outer_4
from markone.numerics.compiling import proof_part

# Rows whose products are added up apart, which keeps the rounding small.
BLOCK = 32


@proof_part
def rounding(blocks, N, unit, size):
    """`bound` above; 1.1 for the rounding of its own terms, and for terms in u^2."""
    return 1.1 * (2 * BLOCK + blocks + N // BLOCK + 24) * unit * size


@proof_part
def strip(A, first, rows, V, i, C, minus):
    """TALL rows of C, from row i and from the diagonal on; as many vectors at once as registers can hold."""
    v, widest = i // WIDTH, 16 // A.itemsize
    while v < V:
        wide = min(V - v, widest)
        if wide == 4:
            outer_4(A, first, rows, V, i, v, C, minus)
        elif wide == 3:
            outer_3(A, first, rows, V, i, v, C, minus)
        elif wide == 2:
            outer_2(A, first, rows, V, i, v, C, minus)
        else:
            outer_1(A, first, rows, V, i, v, C, minus)
        v += wide


@proof_part
def add_rows(Z, rows, n, N, V, room, H, minus):
    """H += sum z z^T over n chosen rows; -= if `minus`. In how many blocks; each goes through `room`."""
    blocks = 0
    for first in range(0, n, BLOCK):
        size = min(BLOCK, n - first)
        for k in range(size):
            copy(Z, rows[first + k] * V, V, room, k * V)
        for i in range(0, N, TALL):
            strip(room, 0, size, V, i, H, minus)
        blocks += 1
    return blocks


@proof_part
def cholesky(H, g, N, V, shift, R, inverse):
    """R^T R = H + shift, N rows; the column behind them becomes R^-T g. True if all pivots are positive.

    One that is not gets the inverse 0: its direction is left out.
    """
    M, good = V * WIDTH, True
    for j in range(N):
        v = j // WIDTH
        copy(H, j * V + v, V - v, R, j * V + v)
        R[j * M + j] += shift
        R[j * M + N] = g[j]
    for top in range(0, N, TALL):
        for first in range(0, top, BLOCK):
            strip(R, first, min(BLOCK, top - first), V, top, R, True)
        for row in range(top, min(top + TALL, N)):
            v = row // WIDTH
            for other in range(top, row):
                subtract(R, row, other, R[other * M + row], V, v)
            pivot = R[row * M + row]
            positive = pivot > 0
            inverse[row] = 1 / np.sqrt(pivot) if positive else 0.0
            good = good and positive
            scale(R, row, inverse[row], V, v)
    return good


@proof_part
def back(R, N, V, inverse, d):
    """R d = R^-T g, from the last one up."""
    M = V * WIDTH
    for j in range(M):
        d[j] = 0
    for j in range(N - 1, -1, -1):
        v = j // WIDTH
        d[j] = (R[j * M + N] - dot(R, j * V + v, d, v, V - v)) * inverse[j]
