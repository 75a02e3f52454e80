"""Normal matrices H = sum z z^T and their Cholesky factorisation U^T U = H, upper triangles.

Inner loops run along rows, so that they vectorise without changing the order of sums: the functions are
compiled without fastmath flags and may be part of a proof. Four rows are added to two rows at a time, which
reads and writes H an eighth as often: 0-17 % slower than BLAS up to N = 400, and 1 s less to compile.
"""

import math

from markone.numerics.compiling import proof_part


@proof_part
def _add_four_products(Z, first, a, b, c, d, sign, H):
    """H += sign sum z z^T over the rows a, b, c, d of Z, from row and column `first` on."""
    N = H.shape[0]
    for i in range(first, N - 1, 2):
        h, k, p, q, r, s = H[i, i:], H[i + 1, i:], Z[a, i:], Z[b, i:], Z[c, i:], Z[d, i:]
        p0, q0, r0, s0 = sign * p[0], sign * q[0], sign * r[0], sign * s[0]
        p1, q1, r1, s1 = sign * p[1], sign * q[1], sign * r[1], sign * s[1]
        for j in range(h.shape[0]):
            # k[0] is below the diagonal and not used.
            h[j] = (((h[j] + p0 * p[j]) + q0 * q[j]) + r0 * r[j]) + s0 * s[j]
            k[j] = (((k[j] + p1 * p[j]) + q1 * q[j]) + r1 * r[j]) + s1 * s[j]
    if (N - first) % 2 == 1:
        for mu in (a, b, c, d):
            H[N - 1, N - 1] += sign * Z[mu, N - 1] * Z[mu, N - 1]


@proof_part
def add_outer_products(Z, chosen, sign, H):
    """H += sign sum z z^T over the chosen rows of a dense Z; sign is +1 or -1."""
    whole = chosen.shape[0] // 4 * 4
    for k in range(0, whole, 4):
        _add_four_products(Z, 0, chosen[k], chosen[k + 1], chosen[k + 2], chosen[k + 3], sign, H)
    for k in range(whole, chosen.shape[0]):
        for i in range(H.shape[0]):
            h, z = H[i, i:], Z[chosen[k], i:]
            b = sign * z[0]
            for j in range(h.shape[0]):
                h[j] += b * z[j]


@proof_part
def factorise(H, shift, U, inverse):
    """Fill U with the Cholesky factor of H + shift and `inverse` with 1 / diagonal; False if none."""
    N = inverse.shape[0]
    for i in range(N):
        u, h = U[i, i:], H[i, i:]
        for j in range(u.shape[0]):
            u[j] = h[j]
        u[0] += shift
    for start in range(0, N, 4):
        for i in range(start, min(start + 4, N)):
            u = U[i, i:]
            for k in range(start, i):
                above = U[k, i:]
                a = above[0]
                for j in range(u.shape[0]):
                    u[j] -= a * above[j]
            if not u[0] > 0.0:
                return False
            scale = 1.0 / math.sqrt(u[0])
            inverse[i] = scale
            for j in range(u.shape[0]):
                u[j] *= scale
        if start + 4 < N:
            _add_four_products(U, start + 4, start, start + 1, start + 2, start + 3, -1.0, U)
    return True


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
