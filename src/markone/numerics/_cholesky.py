"""Normal matrices H = sum z z^T and their Cholesky factorisation U^T U = H, upper triangles.

Inner loops run along rows, so that they vectorise without changing the order of sums: the functions are
compiled without fastmath flags and may be part of a proof. Large matrices are processed in panels by BLAS.
The usual error bounds hold for either.
"""

import math

import numpy as np

from markone.numerics.compiling import proof_part

# From this many columns on products by BLAS are faster than loops, for H and for U (measured, one thread).
PRODUCTS_FROM, PANELS_FROM = 40, 160
PANEL = 64


@proof_part
def add_outer_products(Z, chosen, sign, H):
    """H += sign sum z z^T over the chosen rows of a dense Z; sign is +1 or -1."""
    if H.shape[0] >= PRODUCTS_FROM and chosen.shape[0] >= 4:
        _add_products_by_blas(Z, chosen, sign, H)
    else:
        _add_products_by_loops(Z, chosen, sign, H)


@proof_part
def _add_products_by_loops(Z, chosen, sign, H):
    """Two rows at a time: H is read and written half as often."""
    n = chosen.shape[0]
    for k in range(0, n - 1, 2):
        for i in range(H.shape[0]):
            h, y, z = H[i, i:], Z[chosen[k], i:], Z[chosen[k + 1], i:]
            a, b = sign * y[0], sign * z[0]
            for j in range(h.shape[0]):
                h[j] += a * y[j] + b * z[j]
    if n % 2 == 1:
        for i in range(H.shape[0]):
            h, z = H[i, i:], Z[chosen[n - 1], i:]
            b = sign * z[0]
            for j in range(h.shape[0]):
                h[j] += b * z[j]


@proof_part
def _add_products_by_blas(Z, chosen, sign, H):
    N, n = H.shape[0], chosen.shape[0]
    B = np.empty((N, n))
    for k in range(n):
        row = Z[chosen[k]]
        for j in range(N):
            B[j, k] = row[j]
    for start in range(0, N, PANEL):
        stop = min(start + PANEL, N)
        product = B[start:stop] @ B[start:].T
        for i in range(stop - start):
            h, p = H[start + i, start + i :], product[i, i:]
            for j in range(h.shape[0]):
                h[j] += sign * p[j]


@proof_part
def factorise(H, shift, U, inverse):
    """Fill U with the Cholesky factor of H + shift and `inverse` with 1 / diagonal; False if none."""
    N = inverse.shape[0]
    panel = PANEL if N >= PANELS_FROM else N
    for start in range(0, N, panel):
        stop = min(start + panel, N)
        for i in range(start, stop):
            u, h = U[i, i:], H[i, i:]
            for j in range(N - i):
                u[j] = h[j]
            u[0] += shift
        if start > 0:
            _subtract_panels(U, start, stop, N)
        for i in range(start, stop):
            u = U[i, i:]
            _subtract_rows(U, start, i, u)
            if not u[0] > 0.0:
                return False
            inverse[i] = 1.0 / math.sqrt(u[0])
            for j in range(N - i):
                u[j] *= inverse[i]
    return True


@proof_part
def _subtract_panels(U, start, stop, N):
    """U[i, i:] -= sum_k U[k, i] U[k, i:] for rows start .. stop-1 and k < start."""
    above = U[:start, start:N].copy()
    product = above[:, : stop - start].T.copy() @ above
    for i in range(stop - start):
        u, p = U[start + i, start + i : N], product[i, i:]
        for j in range(u.shape[0]):
            u[j] -= p[j]


@proof_part
def _subtract_rows(U, start, i, u):
    """u -= sum_k U[k, i] U[k, i:] for start <= k < i, four rows at a time."""
    n = u.shape[0]
    whole = start + (i - start) // 4 * 4
    for k in range(start, whole, 4):
        u0, u1, u2, u3 = U[k, i:], U[k + 1, i:], U[k + 2, i:], U[k + 3, i:]
        a0, a1, a2, a3 = u0[0], u1[0], u2[0], u3[0]
        for j in range(n):
            u[j] -= (a0 * u0[j] + a1 * u1[j]) + (a2 * u2[j] + a3 * u3[j])
    for k in range(whole, i):
        u0 = U[k, i:]
        a0 = u0[0]
        for j in range(n):
            u[j] -= a0 * u0[j]


@proof_part
def solve_factorised(U, inverse, g, d):
    """Solve U^T U d = g."""
    N = inverse.shape[0]
    for i in range(N):
        d[i] = g[i]
    for i in range(N):
        d[i] *= inverse[i]
        u, rest = U[i, i + 1 : N], d[i + 1 :]
        for j in range(rest.shape[0]):
            rest[j] -= d[i] * u[j]
    for i in range(N - 1, -1, -1):
        u, rest = U[i, i + 1 : N], d[i + 1 :]
        total = d[i]
        for j in range(rest.shape[0]):
            total -= u[j] * rest[j]
        d[i] = total * inverse[i]
