"""Operations on one example, dense or sparse: the only compiled code that depends on the storage.

`xi` is either an array (P, N), C-contiguous, float64 or float32, or `Sparse`, the three arrays of a
CSR matrix. Weights are always float64: with float32 inputs only the memory traffic is halved, no
sum is rounded.
"""

from collections import namedtuple

import numpy as np
from numba import types
from numba.extending import overload

from markone.numerics._four_rows import add_four_rows
from markone.numerics._linked_code import Linked
from markone.numerics.compiling import FLAGS, entry

Sparse = namedtuple("Sparse", ["data", "indices", "indptr", "N"])

OPTIONS = {"fastmath": FLAGS, "nogil": True}
# Sparse rows: gathers are slower than single loads, and a signed index costs a test for negative values
# at every visit. Without both a sweep over rows of 50 entries takes 0.4 of the time.
SCALAR = {"nogil": True}
SHAPES = {"nogil": True, "pipeline_class": Linked}


def dot_example(xi, mu, w):
    """w . xi^mu"""
    raise NotImplementedError("compiled code only")


def add_example(xi, mu, a, w):
    """w += a xi^mu"""
    raise NotImplementedError("compiled code only")


def add_weighted_examples(xi, a, w):
    """w += a^mu xi^mu, one example after the other, except those with a = 0; returns the sum of a."""
    raise NotImplementedError("compiled code only")


def n_rows(xi):
    """P"""
    raise NotImplementedError("compiled code only")


def n_columns(xi):
    """N"""
    raise NotImplementedError("compiled code only")


@overload(dot_example, jit_options=OPTIONS)
def _dot_dense(xi, mu, w):
    def dense(xi, mu, w):
        total = 0.0
        for j in range(xi.shape[1]):
            total += xi[mu, j] * w[j]
        return total

    return dense if isinstance(xi, types.Array) else None


@overload(dot_example, jit_options=SCALAR)
def _dot_sparse(xi, mu, w):
    def sparse(xi, mu, w):
        data = xi.data[xi.indptr[mu] : xi.indptr[mu + 1]]
        indices = xi.indices[xi.indptr[mu] : xi.indptr[mu + 1]]
        total = 0.0
        for k in range(data.shape[0]):
            total += data[k] * w[np.uint32(indices[k])]
        return total

    return None if isinstance(xi, types.Array) else sparse


@overload(add_example, jit_options=OPTIONS)
def _add_dense(xi, mu, a, w):
    def dense(xi, mu, a, w):
        for j in range(xi.shape[1]):
            w[j] += a * xi[mu, j]

    return dense if isinstance(xi, types.Array) else None


@overload(add_example, jit_options=SCALAR)
def _add_sparse(xi, mu, a, w):
    def sparse(xi, mu, a, w):
        data = xi.data[xi.indptr[mu] : xi.indptr[mu + 1]]
        indices = xi.indices[xi.indptr[mu] : xi.indptr[mu + 1]]
        for k in range(data.shape[0]):
            w[np.uint32(indices[k])] += a * data[k]

    return None if isinstance(xi, types.Array) else sparse


@overload(add_weighted_examples, jit_options=OPTIONS | SHAPES)
def _add_weighted_examples(xi, a, w):
    # Four at a time: w is read and written once instead of four times. The same bits as one by one.
    def dense(xi, a, w):
        # One assignment at a time: numba compiles a tuple for each that is made of several.
        P = a.shape[0]
        total = b = c = d = 0.0
        waiting = i = j = k = 0
        for mu in range(P + 1):
            # After the last example the pending rows are added, filled up with rows times zero.
            at = mu if mu < P else 0
            factor = a[at] if mu < P else 0.0
            if factor == 0.0 and mu < P:
                continue
            total += factor
            if waiting < 3 and mu < P:
                i = j
                j = k
                k = at
                b = c
                c = d
                d = factor
                waiting += 1
            else:
                add_four_rows(xi, i, j, k, at, b, c, d, factor, w)
                waiting = 0
                b = c = d = 0.0
        return total

    def sparse(xi, a, w):
        total = 0.0
        for mu in range(a.shape[0]):
            if a[mu] != 0.0:
                add_example(xi, mu, a[mu], w)
                total += a[mu]
        return total

    return dense if isinstance(xi, types.Array) and xi.dtype == types.float64 else sparse


@overload(n_rows, jit_options=SHAPES)
def _n_rows(xi):
    if isinstance(xi, types.Array):
        return lambda xi: xi.shape[0]
    return lambda xi: xi.indptr.shape[0] - 1


@overload(n_columns, jit_options=SHAPES)
def _n_columns(xi):
    if isinstance(xi, types.Array):
        return lambda xi: xi.shape[1]
    return lambda xi: xi.N


@entry
def write_squared_norms(xi, norms):
    """|xi^mu|^2 of every example."""
    for mu in range(norms.shape[0]):
        norms[mu] = squared_norm(xi, mu)


@entry
def squared_norms(xi):
    """Squared norms of all examples, for compiled code."""
    P = n_rows(xi)
    norms = np.empty(P)
    for mu in range(P):
        norms[mu] = squared_norm(xi, mu)
    return norms


def squared_norm(xi, mu):
    """|xi^mu|^2"""
    raise NotImplementedError("compiled code only")


@overload(squared_norm, jit_options=OPTIONS)
def _squared_norm(xi, mu):
    def dense(xi, mu):
        total = 0.0
        for j in range(xi.shape[1]):
            total += np.float64(xi[mu, j]) * xi[mu, j]
        return total

    def sparse(xi, mu):
        total = 0.0
        for k in range(xi.indptr[mu], xi.indptr[mu + 1]):
            total += np.float64(xi.data[k]) * xi.data[k]
        return total

    return dense if isinstance(xi, types.Array) else sparse
