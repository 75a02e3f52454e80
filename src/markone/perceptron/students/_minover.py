"""The MinOver loop (3.42): always the weakest example.

E += C[mu] and the search for the smallest of E are one pass over P numbers. Q = |w|^2
follows from E alone, |w + S xi / N|^2 = Q + 2 E / N + C_mumu / N, so no stop rule costs more than O(P)
once in P steps.
"""

import math
from collections import namedtuple

import numpy as np
from numba import types
from numba.extending import overload

from markone.numerics._copies import copy
from markone.numerics._rows import OPTIONS, add, dot, n_columns
from markone.numerics._smallest import add_and_find, first_place, lesser
from markone.numerics._sums import product, total
from markone.numerics.compiling import entry, part

NEVER, WEIGHT_CHANGE, ANGLE, STABILITY_CHANGE, GAP = 0, 1, 2, 3, 4

# Stands for C where the matrix would be too large to keep: a row is computed when it is first used, and kept
# while there is room, since the examples that support the student come back again and again. place[mu]: which
# of `kept` is row mu, or -1; count[0]: how many are kept; the last of `kept` is room for a row that is not.
Rows = namedtuple("Rows", ["xi", "S", "h", "z", "kept", "place", "count"])


def advance(C, E, mu):
    """E += C[mu], and which is the weakest now; the first one wins a tie."""
    raise NotImplementedError("compiled code only")


def diagonal(C, mu):
    """C_mumu"""
    raise NotImplementedError("compiled code only")


@overload(advance, jit_options=OPTIONS)
def _advance(C, E, mu):
    def matrix(C, E, mu):
        return add_and_find(E, C[mu])

    def rows(C, E, mu):
        if C.place[mu] >= 0:
            return add_and_find(E, C.kept[C.place[mu]])
        last = C.kept.shape[0] - 1
        row = C.kept[C.count[0]]
        if C.count[0] < last:
            C.place[mu] = C.count[0]
            C.count[0] += 1
        for j in range(C.z.shape[0]):
            C.z[j] = 0.0
        add(C.xi, mu, C.S[mu] / n_columns(C.xi), C.z)
        for nu in range(E.shape[0]):
            row[nu] = C.S[nu] * dot(C.xi, nu, C.z)
        return add_and_find(E, row)

    return matrix if isinstance(C, types.Array) else rows


@overload(diagonal)
def _diagonal(C, mu):
    if isinstance(C, types.Array):
        return lambda C, mu: C[mu, mu]
    return lambda C, mu: C.h[mu]


@part
def settled(rule, tol, E, x, Q, N, old_E, old_Q, weakest):
    """Judged after T = P steps (3.5.2): the state now against the state T steps ago."""
    if Q <= 0.0:
        return False
    if rule == GAP:
        # upper = N |w| / sum x, lower = min E / |w|
        upper = N * math.sqrt(Q) / total(x)
        return upper - weakest / math.sqrt(Q) <= tol * upper
    if old_Q <= 0.0:
        return False
    if rule == ANGLE:
        cosine = product(x, old_E) / (N * math.sqrt(Q * old_Q))
        return math.acos(min(1.0, cosine)) / math.pi <= tol
    if rule == STABILITY_CHANGE:
        a, b, change = 1.0 / math.sqrt(Q), 1.0 / math.sqrt(old_Q), 0.0
        for mu in range(E.shape[0]):
            change += (E[mu] * a - old_E[mu] * b) ** 2
        return change <= tol
    return False


@entry
def minover(C, N, x, E, Q, best_x, best, c, rule, tol, steps):
    """At most `steps` updates; returns (updates, Q, best, stopped).

    best_x holds the strengths of the largest stability, `best`, seen once in P steps: where the data are
    not separable the last student is an accident.
    """
    P = x.shape[0]
    old_E, old_Q = E.copy(), Q
    weakest = np.inf
    for nu in range(P):
        weakest = lesser(weakest, E[nu])
    mu = first_place(E, weakest)
    for t in range(steps):
        if weakest > c:
            return t, Q, best, True
        x[mu] += 1.0
        change = diagonal(C, mu) / N
        Q += 2.0 * weakest / N + change
        weakest, mu = advance(C, E, mu)
        if rule == WEIGHT_CHANGE and change < tol * tol * Q:
            return t + 1, Q, best, True
        if (t + 1) % P == 0:
            if Q > 0.0 and weakest > best * math.sqrt(Q):
                best = weakest / math.sqrt(Q)
                copy(x, best_x)
            if rule > WEIGHT_CHANGE and settled(rule, tol, E, x, Q, N, old_E, old_Q, weakest):
                return t + 1, Q, best, True
            copy(E, old_E)
            old_Q = Q
    return steps, Q, best, False
