"""E = S w . xi of all examples and sum x S xi of all inputs, each with a bound on its rounding error.

Dot products as if in twice the digits, rounded at the end (Dot2 of Ogita, Rump and Oishi). Rows are taken
times `scale`, a power of two that is one or more and so loses nothing; it lifts tiny inputs out of the
range where products vanish.
"""

import numpy as np
from numba import types
from numba.extending import overload

from markone.numerics._rows import n_rows
from markone.numerics.compiling import proof_entry
from markone.perceptron.certificates._roundings import error_of, two_product, two_sum

# Sums kept side by side: one alone would wait for itself at every addition.
LANES = 16
OPTIONS = {"nogil": True}


def dot_of_row(xi, mu, scale, w, high, low, size):
    """(sum, number of terms, sum of their absolute values); high, low, size are room for LANES numbers."""
    raise NotImplementedError("compiled code only")


def add_row(xi, mu, a, scale, g, low, size):
    """g + low += a scale xi^mu without loss in g, size += |a scale xi^mu|."""
    raise NotImplementedError("compiled code only")


@overload(dot_of_row, jit_options=OPTIONS)
def _dot_of_row(xi, mu, scale, w, high, low, size):
    def dense(xi, mu, scale, w, high, low, size):
        N = xi.shape[1]
        row = xi[mu]
        for l in range(LANES):
            high[l] = low[l] = size[l] = 0.0
        whole = N - N % LANES
        for start in range(0, whole, LANES):
            for l in range(LANES):
                p, e = two_product(scale * np.float64(row[start + l]), w[start + l])
                s, d = two_sum(high[l], p)
                high[l] = s
                low[l] += d + e
                size[l] += abs(p)
        for l in range(N - whole):
            p, e = two_product(scale * np.float64(row[whole + l]), w[whole + l])
            s, d = two_sum(high[l], p)
            high[l] = s
            low[l] += d + e
            size[l] += abs(p)
        total, rest, amount = 0.0, 0.0, 0.0
        for l in range(min(LANES, N)):
            total, d = two_sum(total, high[l])
            rest += d + low[l]
            amount += size[l]
        return total + rest, N, amount

    def sparse(xi, mu, scale, w, high, low, size):
        total, rest, amount = 0.0, 0.0, 0.0
        for k in range(xi.indptr[mu], xi.indptr[mu + 1]):
            p, e = two_product(scale * np.float64(xi.data[k]), w[xi.indices[k]])
            total, d = two_sum(total, p)
            rest += d + e
            amount += abs(p)
        return total + rest, xi.indptr[mu + 1] - xi.indptr[mu], amount

    return dense if isinstance(xi, types.Array) else sparse


@overload(add_row, jit_options=OPTIONS)
def _add_row(xi, mu, a, scale, g, low, size):
    def dense(xi, mu, a, scale, g, low, size):
        row = xi[mu]
        for j in range(g.shape[0]):
            p, e = two_product(scale * np.float64(row[j]), a)
            s, d = two_sum(g[j], p)
            g[j] = s
            low[j] += d + e
            size[j] += abs(p)

    def sparse(xi, mu, a, scale, g, low, size):
        for k in range(xi.indptr[mu], xi.indptr[mu + 1]):
            j = xi.indices[k]
            p, e = two_product(scale * np.float64(xi.data[k]), a)
            g[j], d = two_sum(g[j], p)
            low[j] += d + e
            size[j] += abs(p)

    return dense if isinstance(xi, types.Array) else sparse


@proof_entry
def potentials_with_errors(xi, S, scale, w, E, error):
    """E = S w . (scale xi) of every example and how far each can be from the truth."""
    high, low, size = np.empty(LANES), np.empty(LANES), np.empty(LANES)
    for mu in range(n_rows(xi)):
        value, terms, amount = dot_of_row(xi, mu, scale, w, high, low, size)
        E[mu] = S[mu] * value
        error[mu] = error_of(value, terms, amount)


@proof_entry
def embedding_with_errors(xi, S, scale, x, g, error):
    """g = sum x S (scale xi), N times the w of (3.13), and how far each component can be from the truth."""
    low, size = np.zeros(g.shape[0]), np.zeros(g.shape[0])
    g[:] = 0.0
    terms = 0
    for mu in range(x.shape[0]):
        if x[mu] != 0.0:
            add_row(xi, mu, x[mu] * S[mu], scale, g, low, size)
            terms += 1
    for j in range(g.shape[0]):
        g[j] += low[j]
        error[j] = error_of(g[j], terms, size[j])
