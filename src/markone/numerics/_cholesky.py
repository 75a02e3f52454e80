"""Sums of products z z^T and Cholesky's method, four rows of the matrix at a time.

H[i, j] += z_i z_j one example after the other reads and writes all of H for each: memory takes most of the
time. Here four rows of H are updated by four examples in one pass. Matrices have `padded_columns(n)` rows and
columns, with zeros beyond n; only the upper triangle is used, the rest is undefined.
"""

import math

import numba

from markone.numerics.compiling import piece, proof_part

HIGH = 4
# Examples that are packed together: this many of a hundred inputs fit into the first-level cache.
ROWS = 32


@piece
def padded_columns(n):
    """Columns, and rows, of a matrix for n."""
    return (n + HIGH - 1) // HIGH * HIGH


@numba.njit(nogil=True, fastmath={"contract"})
def add_four_products(B, k, i, stop, sign, H):
    """H[i : i + 4, i : stop] += sign sum over rows k .. k + 3 of B[row, i : i + 4] B[row, i : stop].

    One row after the other; `contract` allows one rounding for a product and a sum. B and H may be the same
    array if k + 4 <= i.
    """
    a, b, c, d = B[k, i:stop], B[k + 1, i:stop], B[k + 2, i:stop], B[k + 3, i:stop]
    h0, h1, h2, h3 = H[i, i:stop], H[i + 1, i:stop], H[i + 2, i:stop], H[i + 3, i:stop]
    a0, a1, a2, a3 = sign * a[0], sign * a[1], sign * a[2], sign * a[3]
    b0, b1, b2, b3 = sign * b[0], sign * b[1], sign * b[2], sign * b[3]
    c0, c1, c2, c3 = sign * c[0], sign * c[1], sign * c[2], sign * c[3]
    d0, d1, d2, d3 = sign * d[0], sign * d[1], sign * d[2], sign * d[3]
    for j in range(h0.shape[0]):
        p, q, r, s = a[j], b[j], c[j], d[j]
        h0[j] = (((h0[j] + a0 * p) + b0 * q) + c0 * r) + d0 * s
        h1[j] = (((h1[j] + a1 * p) + b1 * q) + c1 * r) + d1 * s
        h2[j] = (((h2[j] + a2 * p) + b2 * q) + c2 * r) + d2 * s
        h3[j] = (((h3[j] + a3 * p) + b3 * q) + c3 * r) + d3 * s


@proof_part
def add_products_tiled(Z, chosen, count, sign, H, B):
    """H += sign sum z z^T over `count` chosen rows of Z. B: a buffer of ROWS rows, as wide as H."""
    N, width = Z.shape[1], padded_columns(Z.shape[1])
    for start in range(0, count, ROWS):
        rows = count - start if count - start < ROWS else ROWS
        filled = padded_columns(rows)
        for k in range(filled):
            packed, used = B[k], 0
            if k < rows:
                row, used = Z[chosen[start + k]], N
                for j in range(N):
                    packed[j] = row[j]
            for j in range(used, width):
                packed[j] = 0.0
        for i in range(0, width, HIGH):
            for k in range(0, filled, HIGH):
                add_four_products(B, k, i, width, sign, H)


@proof_part
def cholesky_tiled(H, shift, T, inverse):
    """T^T T = H + shift; False where a pivot is not positive. Fills the inverse of T's diagonal, of N.

    Every element is computed as in the textbook but for the order of its sum, and one rounding more: it is
    multiplied by the inverse of its pivot.
    """
    N = inverse.shape[0]
    width = padded_columns(N)
    for first in range(0, width, HIGH):
        for i in range(first, first + HIGH):
            for j in range(first, width):
                T[i, j] = H[i, j] if i < N else 0.0
            if i < N:
                T[i, i] += shift
        for k in range(0, first, HIGH):
            add_four_products(T, k, first, width, -1.0, T)
        for i in range(first, first + HIGH if first + HIGH < N else N):
            row = T[i, i:]
            for k in range(first, i):
                above, b = T[k, i:], T[k, i]
                for j in range(row.shape[0]):
                    row[j] -= b * above[j]
            if not row[0] > 0.0:
                return False
            b = 1.0 / math.sqrt(row[0])
            inverse[i] = b
            for j in range(row.shape[0]):
                row[j] *= b
    return True


@piece
def solve_tiled(T, inverse, g, d):
    """T^T T d = g."""
    N = g.shape[0]
    for j in range(N):
        d[j] = g[j]
    for i in range(N):
        # A scalar, not an element of d, which the compiler would reload because of possible aliasing.
        b = d[i] * inverse[i]
        d[i] = b
        row, rest = T[i, i + 1 : N], d[i + 1 :]
        for j in range(rest.shape[0]):
            rest[j] -= row[j] * b
    for i in range(N - 1, -1, -1):
        row, rest, total = T[i, i + 1 : N], d[i + 1 :], d[i]
        for j in range(rest.shape[0]):
            total -= row[j] * rest[j]
        d[i] = total * inverse[i]
