"""E = S w . xi of all examples and sum x S xi of all inputs, each with a bound on its rounding error.

Dot products as if in doubled precision, rounded at the end (Dot2 of Ogita, Rump and Oishi). Rows are
multiplied by `scale`, a power of two >= 1, which is exact and prevents underflow of products of tiny inputs.
"""

import numpy as np
from numba import types
from numba.extending import overload

from markone.numerics.compiling import proof_entry
from markone.perceptron.separable._dot_lanes import dot_in_lanes
from markone.perceptron.separable._roundings import add_product, sum_error_bound, two_sum

OPTIONS = {"nogil": True}


def dot_of_row(xi, mu, scale, w):
    """Return (w . (scale xi^mu), number of terms, sum of their absolute values)."""
    raise NotImplementedError("compiled code only")


def add_row(xi, mu, a, scale, g, low, size):
    """g + low += a scale xi^mu, compensated; size += |a scale xi^mu|."""
    raise NotImplementedError("compiled code only")


@overload(dot_of_row, jit_options=OPTIONS)
def _dot_of_row(xi, mu, scale, w):
    # Four independent sums: a single one is limited by the latency of an addition.
    def dense(xi, mu, scale, w):
        N = xi.shape[1]
        row = xi[mu]
        (s0, s1, s2, s3), (e0, e1, e2, e3), (a0, a1, a2, a3) = dot_in_lanes(xi, mu, scale, w)
        for j in range(N - N % 4, N):
            s0, e0, a0 = add_product(scale * np.float64(row[j]), w[j], s0, e0, a0)
        s0, d0 = two_sum(s0, s1)
        s2, d2 = two_sum(s2, s3)
        total, d = two_sum(s0, s2)
        return total + ((d0 + d2) + d + ((e0 + e1) + (e2 + e3))), N, (a0 + a1) + (a2 + a3)

    def sparse(xi, mu, scale, w):
        total, rest, amount = 0.0, 0.0, 0.0
        for k in range(xi.indptr[mu], xi.indptr[mu + 1]):
            z = scale * np.float64(xi.data[k])
            total, rest, amount = add_product(z, w[xi.indices[k]], total, rest, amount)
        return total + rest, xi.indptr[mu + 1] - xi.indptr[mu], amount

    return dense if isinstance(xi, types.Array) else sparse


@overload(add_row, jit_options=OPTIONS)
def _add_row(xi, mu, a, scale, g, low, size):
    def dense(xi, mu, a, scale, g, low, size):
        row = xi[mu]
        for j in range(g.shape[0]):
            g[j], low[j], size[j] = add_product(scale * np.float64(row[j]), a, g[j], low[j], size[j])

    def sparse(xi, mu, a, scale, g, low, size):
        for k in range(xi.indptr[mu], xi.indptr[mu + 1]):
            j = xi.indices[k]
            z = scale * np.float64(xi.data[k])
            g[j], low[j], size[j] = add_product(z, a, g[j], low[j], size[j])

    return dense if isinstance(xi, types.Array) else sparse


@proof_entry
def potentials_with_errors(xi, S, scale, w, E, error):
    """Fill E = S w . (scale xi) of every example and a bound on the error of each."""
    for mu in range(E.shape[0]):
        value, terms, amount = dot_of_row(xi, mu, scale, w)
        E[mu] = S[mu] * value
        error[mu] = sum_error_bound(value, terms, amount)


@proof_entry
def embedding_with_errors(xi, S, scale, x, g, low, size, error):
    """Fill g = sum x S (scale xi), N times the w of (3.13), and a bound on the error of each component.

    g, low and size start as zeros: allocation here would add a tenth of a second of compilation.
    """
    terms = 0
    for mu in range(x.shape[0]):
        if x[mu] != 0.0:
            add_row(xi, mu, x[mu] * S[mu], scale, g, low, size)
            terms += 1
    for j in range(g.shape[0]):
        g[j] += low[j]
        error[j] = sum_error_bound(g[j], terms, size[j])
