"""Newton step on h(w) = 1/2 sum (1 - E)_+^2: normal matrix and Cholesky factorisation.

The normal matrix H = sum z z^T over the examples with E < 1 is kept from step to step and updated by
those that enter or leave. Only its lower triangle is filled. Z is dense or `Sparse`.
"""

import math

import numpy as np
from numba import types
from numba.extending import overload

from markone.numerics._cholesky import HIGH, ROWS
from markone.numerics._cholesky import add_products_tiled as add_products_tiles
from markone.numerics._cholesky import cholesky_tiled as cholesky_tiles
from markone.numerics._cholesky import solve_tiled as solve_by_rows
from markone.numerics._rows import OPTIONS
from markone.numerics.compiling import entry, part, piece

# From this many inputs on panels by BLAS are faster than plain loops (measured with one thread).
BLAS_FROM = 160
# From this many on tiles are faster than plain loops; their sums differ in the last digits.
TILES_FROM = 48
PANEL = 64
EPS = 2.220446049250313e-16


def add_outer_products(Z, rows, a, H):
    """H += a sum z z^T over the chosen rows, lower triangle."""
    raise NotImplementedError("compiled code only")


@entry
def add_outer_products_loops(Z, rows, a, H):
    for mu in rows:
        for i in range(Z.shape[1]):
            b = a * Z[mu, i]
            for j in range(i + 1):
                H[i, j] += b * Z[mu, j]


@entry
def add_panel_products(B, a, H):
    """H += a B B^T by panels, so that only about half of it is formed."""
    n = B.shape[0]
    for start in range(0, n, 2 * PANEL):
        stop = min(start + 2 * PANEL, n)
        product = B[start:] @ B[start:stop].T
        # A view, since numba would test every shifted index for its sign.
        part_of_H = H[start:, start:stop]
        for i in range(n - start):
            for j in range(stop - start):
                part_of_H[i, j] += a * product[i, j]


@part
def add_outer_products_blas(Z, rows, a, H):
    B = np.empty((Z.shape[1], rows.shape[0]))
    for n in range(rows.shape[0]):
        for i in range(Z.shape[1]):
            B[i, n] = Z[rows[n], i]
    add_panel_products(B, a, H[:, :])


@overload(add_outer_products, jit_options=OPTIONS)
def _add_outer_products(Z, rows, a, H):
    def dense(Z, rows, a, H):
        if Z.shape[1] < BLAS_FROM or rows.shape[0] < 4:
            add_outer_products_loops(Z, rows, a, H)
        else:
            add_outer_products_blas(Z, rows, a, H)

    def sparse(Z, rows, a, H):
        for mu in rows:
            for k in range(Z.indptr[mu], Z.indptr[mu + 1]):
                i, b = Z.indices[k], a * Z.data[k]
                for l in range(Z.indptr[mu], Z.indptr[mu + 1]):
                    if Z.indices[l] <= i:
                        H[i, Z.indices[l]] += b * Z.data[l]

    return dense if isinstance(Z, types.Array) else sparse


@entry
def cholesky_panel(L, width):
    """Factorise the first columns of L in place. False if a pivot is not positive.

    The inverse of the diagonal is stored: N divisions instead of N^2 / 2.
    """
    for i in range(L.shape[0]):
        for j in range(min(i + 1, width)):
            total = L[i, j]
            for k in range(j):
                total -= L[i, k] * L[j, k]
            if i > j:
                L[i, j] = total * L[j, j]
            elif total > 0.0:
                L[i, i] = 1.0 / math.sqrt(total)
            else:
                return False
    return True


@part
def cholesky_in_panels(L):
    N = L.shape[0]
    if N < BLAS_FROM:
        return cholesky_panel(L, N)
    for start in range(0, N, PANEL):
        stop = min(start + PANEL, N)
        if not cholesky_panel(L[start:, start:], stop - start):
            return False
        if stop < N:
            add_panel_products(L[stop:, start:stop].copy(), -1.0, L[stop:, stop:])
    return True


@part
def cholesky_unblocked(L):
    """`cholesky` for few inputs, without panels and BLAS."""
    return cholesky_panel(L, L.shape[0])


@part
def smallest_shift(H, N):
    """Diagonal shift of the order of rounding: few or dependent rows make H singular."""
    top = 0.0
    for i in range(N):
        top = max(top, H[i, i])
    return 64.0 * N * EPS * top


@part
def factor_shifted(H, L, decompose):
    """Cholesky factor L of H plus the smallest shift that succeeds."""
    N = H.shape[0]
    shift = smallest_shift(H, N)
    for _ in range(4):
        for i in range(N):
            for j in range(i):
                L[i, j] = H[i, j]
            L[i, i] = H[i, i] + shift
        if decompose(L):
            return True
        shift *= 1e3
    return False


@entry
def factor_in_panels(H, L):
    return factor_shifted(H, L, cholesky_in_panels)


@entry
def factor_loops(H, L):
    return factor_shifted(H, L, cholesky_unblocked)


@entry
def solve_normal_equations(L, g, d):
    """Solve L L^T d = g."""
    N = L.shape[0]
    for i in range(N):
        total = g[i]
        for k in range(i):
            total -= L[i, k] * d[k]
        d[i] = total * L[i, i]
    for i in range(N - 1, -1, -1):
        d[i] *= L[i, i]
        for k in range(i):
            d[k] -= L[i, k] * d[i]


@piece
def add_outer_products_tiles(Z, rows, a, H):
    """As `accumulate_loops` to the last bit, but the upper triangle."""
    add_products_tiles(Z, rows, rows.shape[0], a, H, np.empty((ROWS, H.shape[1])))


@piece
def factor_tiles(H, L):
    """Cholesky factor T, N rows, in the upper triangle of L; the last row of L is the inverse diagonal of T.

    L has HIGH rows more than T, since the last tiles may extend below it.
    """
    N = L.shape[0] - HIGH
    shift, inverse = smallest_shift(H, N), L[L.shape[0] - 1, :N]
    for _ in range(4):
        if cholesky_tiles(H, shift, L, inverse):
            return True
        shift *= 1e3
    return False


@piece
def solve_tiles(L, g, d):
    """Solve T^T T d = g."""
    solve_by_rows(L, L[L.shape[0] - 1, : g.shape[0]], g, d)
