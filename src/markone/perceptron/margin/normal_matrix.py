"""The normal matrix sum xi xi^T of a changing set of examples, updated by adding and removing rows."""

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs

from markone.numerics.arrays import Array
from markone.perceptron.margin.gram import ATTEMPTS
from markone.perceptron.margin.problem import Quadratic

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

    def solve(self, sigma: float, g: Array) -> Array:
        """(N + sigma H)^-1 g."""
        shift = float(self.problem.N)
        for _ in range(ATTEMPTS):
            M = sigma * self.H
            M.flat[:: self.problem.N + 1] += shift
            L, info = dpotrf(M.T, lower=0, overwrite_a=1, clean=0)
            if info == 0:
                return dpotrs(L, g, lower=0)[0]
            # Removed rows leave rounding errors; with a large sigma the matrix may become indefinite.
            shift *= 100.0
        raise FloatingPointError(
            "The normal matrix cannot be factorised: scale the inputs to a similar size."
        )
