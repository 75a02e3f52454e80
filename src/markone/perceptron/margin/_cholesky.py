"""Cholesky factorisation for some dozens of unknowns, callable from compiled code."""

import numpy as np

from markone.numerics.compiling import part


@part
def factor_small_matrix(M, n, ridge):
    """Cholesky factor of M + ridge in place, below the diagonal; False if a pivot is not positive."""
    for i in range(n):
        for j in range(i):
            total = M[i, j]
            for k in range(j):
                total -= M[i, k] * M[j, k]
            M[i, j] = total / M[j, j]
        pivot = M[i, i] + ridge
        for k in range(i):
            pivot -= M[i, k] * M[i, k]
        if not pivot > 0.0:
            return False
        M[i, i] = np.sqrt(pivot)
    return True


@part
def solve_factored(M, n, d):
    """Replace d by (L L^T)^-1 d."""
    for i in range(n):
        for k in range(i):
            d[i] -= M[i, k] * d[k]
        d[i] /= M[i, i]
    for i in range(n - 1, -1, -1):
        d[i] /= M[i, i]
        for k in range(i):
            d[k] -= M[i, k] * d[i]
