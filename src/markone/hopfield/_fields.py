"""The field h_i = sum_j w_ij S_j of a neuron, kept up to date while states flip, for two kinds of couplings.

`Patterns` never forms Hebb's matrix w = (1/N) xi^T xi: with the overlaps M^mu = sum_j xi_j^mu S_j a field
costs P additions and a flip P more, all in whole numbers. `Matrix` holds the fields of any couplings:
reading one costs nothing, a flip costs N. The Python functions are twins of the compiled ones, used with
NUMBA_DISABLE_JIT=1.
"""

from collections import namedtuple

import numpy as np
from numba import types
from numba.extending import overload

from markone.numerics.compiling import FLAGS, entry

# xi: (N, P) int8, a row per neuron. M: (P,) int16 while N < 2^15 and P N < 2^31, else int64.
# own: P, to be taken off for w_ii = 0, or 0. tie: fields above -tie count as zero or more.
Patterns = namedtuple("Patterns", ["xi", "M", "own", "scale", "tie"])
# columns: w transposed, so that the couplings from one neuron are contiguous. h: (N,) float64.
Matrix = namedtuple("Matrix", ["columns", "h", "tie"])

OPTIONS = {"fastmath": FLAGS, "nogil": True}


def neuron_field(memory, S, i):
    """h_i"""
    if isinstance(memory, Matrix):
        return memory.h[i]
    return float(int(memory.xi[i].astype(np.int64) @ memory.M) - memory.own * int(S[i])) * memory.scale


def flip_neuron(memory, S, i):
    """S_i -> -S_i, with the update of all fields."""
    S[i] = -S[i]
    if isinstance(memory, Matrix):
        memory.h[:] += 2.0 * S[i] * memory.columns[i]
    else:
        memory.M[:] += (2 * S[i]) * memory.xi[i]


def is_matrix(memory):
    return memory.instance_class is Matrix


@overload(neuron_field, jit_options=OPTIONS)
def _neuron_field(memory, S, i):
    def narrow(memory, S, i):
        # Numba adds in 64 bits; casting every step to 32 allows vectors of sixteen.
        total = np.int32(0)
        for mu in range(memory.M.shape[0]):
            total = np.int32(total + np.int32(np.int32(memory.xi[i, mu]) * np.int32(memory.M[mu])))
        return (total - memory.own * S[i]) * memory.scale

    def wide(memory, S, i):
        total = 0
        for mu in range(memory.M.shape[0]):
            total += memory.xi[i, mu] * memory.M[mu]
        return (total - memory.own * S[i]) * memory.scale

    if is_matrix(memory):
        return lambda memory, S, i: memory.h[i]
    return narrow if memory.types[1].dtype == types.int16 else wide


@overload(flip_neuron, jit_options=OPTIONS)
def _flip_neuron(memory, S, i):
    def patterns(memory, S, i):
        S[i] = -S[i]
        if S[i] > 0:
            for mu in range(memory.M.shape[0]):
                memory.M[mu] += 2 * memory.xi[i, mu]
        else:
            for mu in range(memory.M.shape[0]):
                memory.M[mu] -= 2 * memory.xi[i, mu]

    def matrix(memory, S, i):
        S[i] = -S[i]
        twice = 2.0 * S[i]
        for j in range(memory.h.shape[0]):
            memory.h[j] += twice * memory.columns[i, j]

    return matrix if is_matrix(memory) else patterns


@entry
def fill_overlaps(xi, S, M):
    """M^mu = sum_j xi_j^mu S_j"""
    M[:] = 0
    for i in range(S.shape[0]):
        if S[i] > 0:
            for mu in range(M.shape[0]):
                M[mu] += xi[i, mu]
        else:
            for mu in range(M.shape[0]):
                M[mu] -= xi[i, mu]


@entry
def pattern_overlaps(xi, S):
    """M^mu = sum_j xi_j^mu S_j of each row of S, as floats, without a float copy of the patterns."""
    M = np.empty((S.shape[0], xi.shape[0]))
    for k in range(S.shape[0]):
        for mu in range(xi.shape[0]):
            total = np.int32(0)
            for j in range(S.shape[1]):
                total = np.int32(total + np.int32(np.int32(xi[mu, j]) * np.int32(S[k, j])))
            M[k, mu] = total
    return M
