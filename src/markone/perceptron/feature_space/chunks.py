"""One binary problem without all kernels: solved on some examples, heard by the others, who then join.

Where few examples are support vectors most kernels are never needed. Those who may matter have their matrix
in memory; all support vectors are among them, so that a round is a problem of its own (`_whole`). After
it the others hear what it means for them, and those with E < 1 join.
"""

import numpy as np

from markone.perceptron.feature_space._ascent import certificate
from markone.perceptron.feature_space._whole import settle
from markone.perceptron.feature_space.climb import curvature
from markone.perceptron.feature_space.mercer import PIECE, Kernel
from markone.perceptron.feature_space.optimum import EXACT, FeatureSpaceOptimum
from markone.perceptron.feature_space.whole import MOST_FREE, ROUNDS

# Examples of the first round, at least, as a part of all, and at most; above MOST other ways are faster.
FIRST, PART, LARGE, MOST = 500, 4, 1000, 2000
# Examples up to which this was measured to be the better way.
UP_TO = 4000
# Relative gap that the first round is solved to, and by how much a next one is sharper than the last gap.
ROUGH, SHARPER = 0.1, 0.05
# Part of the examples that, as support vectors, make the whole matrix the better way.
MANY = 0.6
# Part of the examples that may still join while the next round is taken for the last.
MUCH = 0.05
# E above which an example that is not embedded leaves.
SAFE = 1.5
TRIES = 30


def attempt(
    kernel: Kernel, S: np.ndarray, C: np.ndarray, tol: float, exact: bool, budget: int, seed: int
) -> tuple[FeatureSpaceOptimum | None, np.ndarray, int, int]:
    """As `whole.attempt`: the student, or None and how far one came."""
    P, q = S.size, curvature(kernel)
    A = np.sort(np.random.default_rng(seed).permutation(P)[: max(FIRST, min(P // PART, LARGE))])
    G = _signed(kernel, S, A, A)
    x, E, goal, steps, jumps = np.zeros(P), np.zeros(P), ROUGH, 0, 0
    for _ in range(TRIES):
        xa, last = x[A], goal <= tol
        g = 1.0 - G @ xa
        everybody = (np.arange(A.size), np.ones(A.size), C[A], q[A])
        how = (max(goal, tol), exact and last, MOST_FREE, ROUNDS, budget - steps)
        _, taken, made, settled = settle(G, 0.0, *everybody, xa, g, G, np.ones(A.size, np.bool_), *how)
        steps, jumps = steps + taken, jumps + made
        x[A], E[A] = xa, 1.0 - g
        if np.count_nonzero(xa) > MANY * A.size:
            break
        if not settled or not x.max() < np.inf or steps >= budget:
            break
        away = np.ones(P, bool)
        away[A] = False
        rest = np.flatnonzero(away)
        _tell(kernel, S, rest, A[xa > 0], x, E)
        gap = float(certificate(x, E, C))
        if gap <= EXACT or (gap <= tol and (last or not exact)):
            status = "exact" if gap <= EXACT else "converged"
            found = FeatureSpaceOptimum(x, E, -np.inf, np.inf, gap, -(-steps // P), jumps, status, "")
            return found, x, steps, jumps
        joining = rest[E[rest] < 1.0]
        if joining.size == 0 and last:
            break
        goal = tol if joining.size < MUCH * A.size or goal < tol / SHARPER else goal * SHARPER
        staying = np.flatnonzero((xa > 0) | (E[A] < SAFE))
        if staying.size + joining.size > min(MOST, MANY * P):
            break
        A, G = _joined(kernel, S, A, G, staying, joining)
    return None, x, steps, jumps


def _signed(kernel: Kernel, S: np.ndarray, i: np.ndarray, j: np.ndarray) -> np.ndarray:
    K = kernel.block(i, j)
    K *= S[j]
    K *= S[i][:, None]
    return K


def _joined(
    kernel: Kernel, S: np.ndarray, A: np.ndarray, G: np.ndarray, staying: np.ndarray, joining: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Those who stay, then those who join, and their matrix; only new kernels are computed."""
    old, new = staying.size, np.concatenate([A[staying], joining])
    matrix = np.empty((new.size, new.size))
    matrix[:old, :old] = G[np.ix_(staying, staying)] if old < A.size else G
    matrix[old:] = _signed(kernel, S, joining, new)
    matrix[:old, old:] = matrix[old:, :old].T
    return new, matrix


def _tell(
    kernel: Kernel, S: np.ndarray, rest: np.ndarray, support: np.ndarray, x: np.ndarray, E: np.ndarray
) -> None:
    """E of those who were not there, from the support vectors."""
    strengths, few = (x * S)[support], max(1, PIECE // max(1, support.size))
    for k in range(0, rest.size, few):
        some = rest[k : k + few]
        E[some] = S[some] * (kernel.block(some, support) @ strengths)
