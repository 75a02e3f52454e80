"""The MinOver loop (3.42): embed the example of smallest stability.

E += C[mu] and the search for the smallest of E are one pass over P numbers. Q = |w|^2
follows from E alone, |w + S xi / N|^2 = Q + 2 E / N + C_mumu / N, so no stop rule costs more than O(P)
once in P steps.
"""

import math
from collections import namedtuple

import numpy as np

from markone.base._recording import record_step
from markone.numerics._rows import add_example, by_layout, dot_example, n_columns
from markone.numerics._vectors import (
    add_and_find_min,
    copy_array,
    dot_product,
    first_index,
    min_finite,
    sum_values,
)
from markone.numerics.compiling import FLAGS, entry, part

NEVER, WEIGHT_CHANGE, ANGLE, STABILITY_CHANGE, GAP = 0, 1, 2, 3, 4

# Replaces C if the matrix is too large to be stored: a row is computed when it is first used and cached while
# there is space, since support vectors are used many times. place[mu]: index of row mu in `kept`, or -1;
# count[0]: number of cached rows; the last row of `kept` is a buffer for a row that is not cached.
CachedRows = namedtuple("Rows", ["xi", "S", "h", "z", "kept", "place", "count"])


def _add_matrix_row(C, E, mu):
    return add_and_find_min(E, C[mu])


def _add_cached_row(C, E, mu):
    if C.place[mu] >= 0:
        return add_and_find_min(E, C.kept[C.place[mu]])
    last = C.kept.shape[0] - 1
    row = C.kept[C.count[0]]
    if C.count[0] < last:
        C.place[mu] = C.count[0]
        C.count[0] += 1
    for j in range(C.z.shape[0]):
        C.z[j] = 0.0
    add_example(C.xi, mu, C.S[mu] / n_columns(C.xi), C.z)
    for nu in range(E.shape[0]):
        row[nu] = C.S[nu] * dot_example(C.xi, nu, C.z)
    return add_and_find_min(E, row)


# Add C[mu] to E; return the smallest E and its index, the first one in a tie.
add_row_and_find_weakest = by_layout(_add_matrix_row, _add_cached_row, fastmath=FLAGS)
# C_mumu
diagonal_element = by_layout(lambda C, mu: C[mu, mu], lambda C, mu: C.h[mu])


@part
def stop_rule_met(rule, tol, E, x, Q, N, old_E, old_Q, weakest):
    """True if the stop rule is met (3.5.2), comparing the state with that P steps ago."""
    if Q <= 0.0:
        return False
    if rule == GAP:
        # upper = N |w| / sum x, lower = min E / |w|
        upper = N * math.sqrt(Q) / sum_values(x)
        return upper - weakest / math.sqrt(Q) <= tol * upper
    if old_Q <= 0.0:
        return False
    if rule == ANGLE:
        cosine = dot_product(x, old_E) / (N * math.sqrt(Q * old_Q))
        return math.acos(min(1.0, cosine)) / math.pi <= tol
    if rule == STABILITY_CHANGE:
        a, b, change = 1.0 / math.sqrt(Q), 1.0 / math.sqrt(old_Q), 0.0
        for mu in range(E.shape[0]):
            change += (E[mu] * a - old_E[mu] * b) ** 2
        return change <= tol
    return False


@entry
def minover(C, N, x, E, Q, best_x, best, c, rule, tol, steps, log=None):
    """Make at most `steps` updates; return (updates, Q, best, stopped).

    best_x holds the strengths of the largest stability `best`, measured every P steps: if the data are not
    separable the last student is arbitrary.
    """
    P = x.shape[0]
    old_E, old_Q = E.copy(), Q
    weakest = np.inf
    for nu in range(P):
        weakest = min_finite(weakest, E[nu])
    mu = first_index(E, weakest)
    for t in range(steps):
        if weakest > c:
            return t, Q, best, True
        learned, before = mu, weakest
        x[mu] += 1.0
        change = diagonal_element(C, mu) / N
        Q += 2.0 * weakest / N + change
        weakest, mu = add_row_and_find_weakest(C, E, mu)
        if log is not None:
            record_step(log, learned, before, E[learned], 1.0, x, x)
        if rule == WEIGHT_CHANGE and change < tol * tol * Q:
            return t + 1, Q, best, True
        if (t + 1) % P == 0:
            if Q > 0.0 and weakest > best * math.sqrt(Q):
                best = weakest / math.sqrt(Q)
                copy_array(x, best_x)
            if rule > WEIGHT_CHANGE and stop_rule_met(rule, tol, E, x, Q, N, old_E, old_Q, weakest):
                return t + 1, Q, best, True
            copy_array(E, old_E)
            old_Q = Q
    return steps, Q, best, False
