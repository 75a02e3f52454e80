"""Operations on one example, dense or sparse: the only compiled code that depends on the storage.

`xi` is either an array (P, N), C-contiguous, float64 or float32, or `Sparse`, the three arrays of a
CSR matrix. Weights are always float64: with float32 inputs only the memory traffic is halved, no
sum is rounded. The Python functions are twins of the compiled ones, used with NUMBA_DISABLE_JIT=1.
"""

from collections import namedtuple

import numba
import numpy as np
from numba import types
from numba.extending import overload

from markone.numerics.compiling import FLAGS, entry

Sparse = namedtuple("Sparse", ["data", "indices", "indptr", "N"])

OPTIONS = {"fastmath": FLAGS, "nogil": True}
# Sparse rows: gathers are slower than single loads, and a signed index costs a test for negative values
# at every visit. Without both a sweep over rows of 50 entries takes 0.4 of the time.
SCALAR = {"nogil": True}


def by_layout(dense, sparse, **options):
    """Combine two functions of (xi, ...) into one that compiled code and Python call alike.

    `dense` takes an array, `sparse` the named tuple `Sparse`; `options` are those of `numba.njit`.
    """

    def call(xi, *args):
        return (dense if isinstance(xi, np.ndarray) else sparse)(xi, *args)

    @overload(call, jit_options={"nogil": True, **options}, strict=False)
    def _choose(xi, *args):
        return dense if isinstance(xi, types.Array) else sparse

    return call


def _entries(xi, mu):
    """Values and column indices of the example mu."""
    if isinstance(xi, Sparse):
        row = slice(xi.indptr[mu], xi.indptr[mu + 1])
        return xi.data[row].astype(np.float64), xi.indices[row]
    return xi[mu].astype(np.float64), slice(None)


def dot_example(xi, mu, w):
    """w . xi^mu"""
    values, columns = _entries(xi, mu)
    return values @ w[columns]


def add_example(xi, mu, a, w):
    """w += a xi^mu"""
    values, columns = _entries(xi, mu)
    w[columns] += a * values


def add_weighted_examples(xi, a, w):
    """w += a^mu xi^mu, one example after the other, except those with a = 0; returns the sum of a."""
    for mu in np.flatnonzero(a):
        add_example(xi, mu, a[mu], w)
    return a.sum()


def n_rows(xi):
    """P"""
    return len(xi.indptr) - 1 if isinstance(xi, Sparse) else xi.shape[0]


def n_columns(xi):
    """N"""
    return xi.N if isinstance(xi, Sparse) else xi.shape[1]


def squared_norm(xi, mu):
    """|xi^mu|^2"""
    values, _ = _entries(xi, mu)
    return values @ values


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


@numba.njit(nogil=True, fastmath={"contract"})
def _add_four_examples(xi, rows, a, w):
    """w += a xi^mu for four rows, in this order: w is read and written once instead of four times."""
    (i, j, k, l), (p, q, r, s) = rows, a
    x, y, z, v = xi[i], xi[j], xi[k], xi[l]
    for n in range(w.shape[0]):
        w[n] = (((w[n] + p * x[n]) + q * y[n]) + r * z[n]) + s * v[n]


@overload(add_weighted_examples, jit_options=OPTIONS)
def _add_weighted_examples(xi, a, w):
    def dense(xi, a, w):
        # Any valid row: those not yet chosen have the coefficient 0.
        i = j = k = l = a.shape[0] - 1
        p = q = r = s = total = 0.0
        count = 0
        for mu in range(a.shape[0]):
            if a[mu] != 0.0:
                i, j, k, l = j, k, l, mu
                p, q, r, s = q, r, s, a[mu]
                total += s
                count += 1
                if count == 4:
                    _add_four_examples(xi, (i, j, k, l), (p, q, r, s), w)
                    p, q, r, s, count = 0.0, 0.0, 0.0, 0.0, 0
        if count > 0:
            _add_four_examples(xi, (i, j, k, l), (p, q, r, s), w)
        return total

    def sparse(xi, a, w):
        total = 0.0
        for mu in range(a.shape[0]):
            if a[mu] != 0.0:
                add_example(xi, mu, a[mu], w)
                total += a[mu]
        return total

    return dense if isinstance(xi, types.Array) and xi.dtype == types.float64 else sparse


@overload(n_rows, jit_options=SCALAR)
def _n_rows(xi):
    if isinstance(xi, types.Array):
        return lambda xi: xi.shape[0]
    return lambda xi: xi.indptr.shape[0] - 1


@overload(n_columns, jit_options=SCALAR)
def _n_columns(xi):
    if isinstance(xi, types.Array):
        return lambda xi: xi.shape[1]
    return lambda xi: xi.N


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


@entry
def write_squared_norms(xi, norms):
    """|xi^mu|^2 of every example."""
    for mu in range(norms.shape[0]):
        norms[mu] = squared_norm(xi, mu)


def compute_squared_norms(xi: object, P: int) -> np.ndarray:
    """|xi^mu|^2 of all P examples, from Python: arrays are allocated here, without compilation."""
    norms = np.empty(P)
    write_squared_norms(xi, norms)
    return norms


@entry
def squared_norms(xi):
    """Squared norms of all examples, for compiled code."""
    P = n_rows(xi)
    norms = np.empty(P)
    for mu in range(P):
        norms[mu] = squared_norm(xi, mu)
    return norms
