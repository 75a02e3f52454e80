"""Recall in a Hopfield network for a page without a server: `web.offline.wasm` compiles this.

X: the stored patterns, then the start, as rows of +-1. setting: 0 for Hebb's couplings, 1 for the projection;
1 for parallel dynamics; T; sweeps at most. A row of `out` is a state and its energy per neuron; row 0 is the
start and has the number of stored patterns that are fixed points behind it. Returns 4 rows + status, or 0
if the patterns span all dimensions.
"""

import numpy as np

from markone.hopfield._dynamics import GLAUBER, OPEN, SHUFFLED, run_parallel, run_sequential
from markone.hopfield._fields import Matrix, Patterns, fill_overlaps
from markone.numerics._vectors import dot_product
from markone.numerics.compiling import entry, part

PARALLEL, TEMPERATURE, SWEEPS = 1, 2, 3


@part
def project_on_patterns(X, P, w):
    """The projection on the first P rows of X without its diagonal; returns its trace."""
    N = X.shape[1]
    u, trace = np.zeros(N), 0.0
    for mu in range(P):
        for i in range(N):
            u[i] = X[mu, i]
        # Project once more: the first difference has lost digits if u is small.
        for _ in range(2):
            known = np.zeros(N)
            for i in range(N):
                known[i] = dot_product(w[i], u)
            for i in range(N):
                u[i] -= known[i]
        size = dot_product(u, u)
        if size > 1e-18 * N:
            for i in range(N):
                for j in range(N):
                    w[i, j] += u[i] * u[j] / size
    for i in range(N):
        trace += w[i, i]
        w[i, i] = 0.0
    return trace


@part
def count_fixed_points(X, P, w):
    """Stored patterns with xi_i h_i > 0 for all i."""
    N, count = X.shape[1], 0
    for mu in range(P):
        right = True
        for i in range(N):
            right = right and X[mu, i] * dot_product(w[i], X[mu]) > 0.0
        count += right
    return count


@part
def write_state(S, w, row):
    """A state and its energy per neuron; w is symmetric with an empty diagonal."""
    N, energy = S.shape[0], 0.0
    for i in range(N):
        row[i] = S[i]
    for i in range(N):
        energy -= 0.5 * S[i] * dot_product(w[i], row[:N])
    row[N] = energy / N


@part
def matrix_memory(w, S, h, tie):
    """The couplings with the fields h of the state S."""
    for i in range(S.shape[0]):
        h[i] = 0.0
        for j in range(S.shape[0]):
            h[i] += w[i, j] * S[j]
    return Matrix(w, h, tie)


@part
def follow_recall(memory, S, w, setting, state, out):
    """Sweep by sweep, as `Hopfield.trajectory` does; returns rows and status."""
    N, T = S.shape[0], setting[TEMPERATURE]
    before, turn, rows, status = np.zeros(N, np.int8), np.arange(N), 1, OPEN
    while rows <= setting[SWEEPS] and status == OPEN:
        if setting[PARALLEL] > 0.0:
            _, status = run_parallel(memory, S, before, T, state, 1)
        else:
            _, status = run_sequential(memory, S, T, GLAUBER, SHUFFLED, turn, state, 1, None)
        write_state(S, w, out[rows])
        rows += 1
    return rows, status


@entry
def recall_steps(X, S, setting, state, out):
    P, N = X.shape[0] - 1, X.shape[1]
    now, w, xi = np.empty(N, np.int8), np.zeros((N, N)), np.empty((N, P), np.int8)
    for i in range(N):
        now[i] = np.int8(X[P, i])
        for mu in range(P):
            xi[i, mu] = np.int8(X[mu, i])
    if setting[0] > 0.0:
        if project_on_patterns(X, P, w) > N - 0.5:
            return 0
    else:
        for i in range(N):
            for j in range(N):
                for mu in range(P):
                    w[i, j] += (i != j) * X[mu, i] * X[mu, j]
                w[i, j] /= N
    write_state(now, w, out[0])
    out[0, N + 1] = count_fixed_points(X, P, w)
    if setting[0] > 0.0:
        tie = 0.0
        for i in range(N):
            tie = max(tie, np.sum(np.abs(w[i])))
        memory = matrix_memory(w, now, np.empty(N), tie * 2.220446049250313e-16)
        rows, status = follow_recall(memory, now, w, setting, state, out)
    else:
        M = np.empty(P, np.int16)
        fill_overlaps(xi, now, M)
        rows, status = follow_recall(Patterns(xi, M, P, 1.0 / N, 0.0), now, w, setting, state, out)
    return 4 * rows + status


PAGE_ENTRIES = {"recall": recall_steps}
