"""Correlations C of a growing set of examples, normal matrices of a changing one, and their factors."""

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs

from markone.numerics.arrays import Array
from markone.numerics.compiling import entry
from markone.perceptron.margin._ascent import embed_subset, potentials_of_subset
from markone.perceptron.margin.problem import Quadratic

# Relative to the mean of the diagonal. A singular C_FF (duplicates, more than N examples) then gives a
# step dominated by the direction without curvature along which the objective rises, as intended.
RIDGE = 1e-12
# The last ridge would be 1e28 times the diagonal: reached only with numbers that are not finite.
ATTEMPTS = 20
# Maximum number of members (half a gigabyte); beyond it only the requested ones are kept.
MAX_MEMBERS = 6000


class Gram:
    """Cached correlations, extended on demand: an example that was free before needs no new products."""

    def __init__(self, problem: Quadratic) -> None:
        self.problem = problem
        self.members = np.empty(0, dtype=np.int64)
        self.position = np.full(len(problem.S), -1)
        self.C = np.empty((0, 0))

    def add_members(self, chosen: Array) -> None:
        """Add the chosen examples and compute their correlations with all members."""
        new = chosen[self.position[chosen] < 0]
        if not len(new):
            return
        if len(self.members) + len(new) > max(MAX_MEMBERS, len(chosen)):
            self.position[self.members] = -1
            self.members = self.members[:0]
            new = chosen
        old = len(self.members)
        self.members = np.concatenate([self.members, new])
        count = len(self.members)
        self.position[new] = np.arange(old, count)
        if count > len(self.C):
            C = np.empty((count + count // 4, count + count // 4))
            C[:old, :old] = self.C[:old, :old]
            self.C = C
        block = self.problem.rows(new) @ self.problem.rows(self.members).T / self.problem.N
        block = block.toarray() if self.problem.sparse else block
        self.C[old:count, :count] = block
        self.C[:old, old:count] = block[:, :old].T

    def factor_subset(self, free: Array, ridge: float) -> "Factor":
        """Cholesky factor of C_FF + ridge."""
        self.add_members(free)
        at = self.position[free]
        for _ in range(ATTEMPTS):
            # Only the lower triangle is gathered: the upper one of the transpose, in LAPACK's order.
            L, info = dpotrf(_gather_submatrix(self.C, at, ridge).T, lower=0, overwrite_a=1, clean=0)
            if info == 0:
                return Factor(self.problem, free, L)
            ridge *= 100.0
        raise FloatingPointError("C_FF cannot be factorised: scale the inputs to a similar size.")

    def factor_free_set(self, free: Array) -> "Factor":
        """Factor for a Newton step on the free set, with the smallest safe ridge."""
        return self.factor_subset(
            free, RIDGE * float(np.mean(self.problem.squared_norms[free])) / self.problem.N
        )


class Factor:
    """C_FF = L L^T."""

    def __init__(self, problem: Quadratic, free: Array, L: Array) -> None:
        self.problem, self.free, self.L = problem, free, L

    def solve(self, r: Array) -> Array:
        return dpotrs(self.L, r, lower=0)[0]

    def solve_refined(self, r: Array) -> Array:
        """Solution with one step of iterative refinement; the residual is computed from the examples."""
        xi, S = self.problem.xi, self.problem.S
        d = self.solve(r)
        rest = r - potentials_of_subset(xi, S, embed_subset(xi, S, d, self.free), self.free)
        return d + self.solve(rest)


@entry
def _gather_submatrix(C: Array, at: Array, ridge: float) -> Array:
    """C[at, at] + ridge on and below the diagonal, zero above; half the traffic of C[np.ix_(at, at)]."""
    n = at.shape[0]
    out = np.zeros((n, n))
    for i in range(n):
        row = C[at[i]]
        for j in range(i + 1):
            out[i, j] = row[at[j]]
        out[i, i] += ridge
    return out


BLOCK = 4096


class NormalMatrix:
    """H = sum over the members of xi xi^T, N x N."""

    def __init__(self, problem: Quadratic) -> None:
        self.problem = problem
        self.members = np.zeros(len(problem.S), dtype=bool)
        self.H = np.zeros((problem.N, problem.N))

    def set_members(self, members: Array) -> None:
        """Set the members; recompute from scratch if that takes fewer rows."""
        entered, left = members & ~self.members, self.members & ~members
        if members.sum() <= entered.sum() + left.sum():
            self.H[:] = 0.0
            entered, left = members, np.zeros_like(members)
        self._add_rows(np.flatnonzero(entered), 1.0)
        self._add_rows(np.flatnonzero(left), -1.0)
        self.members = members

    def _add_rows(self, chosen: Array, sign: float) -> None:
        for start in range(0, len(chosen), BLOCK):
            rows = self.problem.rows(chosen[start : start + BLOCK])
            rows = rows.toarray() if self.problem.sparse else rows.astype(np.float64, copy=False)
            self.H += sign * (rows.T @ rows)

    def solve(self, sigma: float, g: Array, metric: Array) -> Array:
        """(N metric + sigma H)^-1 g."""
        shift = float(self.problem.N)
        for _ in range(ATTEMPTS):
            M = sigma * self.H
            M.flat[:: self.problem.N + 1] += shift * metric
            L, info = dpotrf(M.T, lower=0, overwrite_a=1, clean=0)
            if info == 0:
                return dpotrs(L, g, lower=0)[0]
            # Removed rows leave rounding errors; with a large sigma the matrix may become indefinite.
            shift = max(100.0 * shift, 1e-14 * sigma * float(np.trace(self.H)))
        raise FloatingPointError(
            "The normal matrix cannot be factorised: scale the inputs to a similar size."
        )
