"""Solver for the full kernel matrix in memory: one compiled call per binary problem, without certificate."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from markone.perceptron.margin.kernel._full_matrix import solve_full_matrix
from markone.perceptron.margin.kernel.kernel_certificate import potential_sums
from markone.perceptron.margin.kernel.mercer import Kernel
from markone.perceptron.margin.kernel.optimum import EXACT, FeatureSpaceOptimum
from markone.perceptron.margin.kernel.working_set import kernel_curvature

# Largest number of free examples solved for in compiled code; LAPACK, called from Python, is faster above.
MOST_FREE = 400
ROUNDS = 100
# Largest P for which one problem is solved faster here than with a working set, measured at N = 4 to 600.
# The working set computes some kernels more than once, which costs more the longer the inputs are.
ALONE, PER_ROOT = 1500, 120
# From MANY examples on, candidates for support vectors, E < 1 + NEAR, are found first, by P / FEW steps.
MANY, FEW, NEAR = 1000, 16, 0.2
PARTS = 5
# Fraction of the cache for the kernel matrix; the rest is for the rows of one problem and for Newton.
SHARE = 0.5


def fits_memory(P: int, cache_mb: float) -> bool:
    """True if the kernel matrix of P examples fits the cache."""
    return bool(SHARE * cache_mb * 1e6 >= 8.0 * P * P)


def full_matrix_pays(kernel: Kernel) -> bool:
    """True if computing the full matrix costs less than repeated rows of a working set."""
    if kernel.held is not None or kernel.P <= ALONE:
        return True
    if kernel.name == "callable":
        return False
    inputs = kernel.X.nnz / kernel.P if sparse.issparse(kernel.X) else kernel.X.shape[1]
    return bool(ALONE + PER_ROOT * inputs**0.5 >= kernel.P)


def solve_in_memory(
    kernel: Kernel, S: np.ndarray, C: np.ndarray, tol: float, exact: bool, budget: int
) -> tuple[FeatureSpaceOptimum | None, np.ndarray, int, int]:
    """Return the optimum (None if not reached), the strengths, the steps on examples, the Newton steps."""
    state = _State(kernel, S, C, kernel_curvature(kernel), np.zeros(S.size), np.ones(S.size))
    gap, settled = (
        _solve_by_subsets(state, tol, exact, budget)
        if S.size >= MANY and kernel.who is None
        else state.settle(tol, exact, budget)
    )
    x, g, steps, newton_steps = state.x, state.g, state.steps, state.newton_steps
    # Problems with many free examples are left to the solver with LAPACK.
    if not settled or not gap <= (EXACT if exact else tol) or not x.max() < np.inf:
        return None, x, steps, newton_steps
    # Bounds and message are set by the certificate.
    status = "exact" if gap <= EXACT else "converged"
    epochs = -(-steps // S.size)
    found = FeatureSpaceOptimum(
        x, 1.0 - g, -np.inf, np.inf, gap, epochs, newton_steps, status, "", sums=state.current_sums()
    )
    return found, x, steps, newton_steps


@dataclass
class _State:
    """State of the solver: strengths x, slopes g = 1 - E."""

    kernel: Kernel
    S: np.ndarray
    C: np.ndarray
    curvature: np.ndarray
    x: np.ndarray
    g: np.ndarray
    steps: int = 0
    newton_steps: int = 0
    # Sums for the proof, and the x they belong to.
    sums: tuple[np.ndarray, np.ndarray, int] | None = None
    summed: np.ndarray | None = None

    def current_sums(self) -> tuple[np.ndarray, np.ndarray, int] | None:
        """Return the sums, or None if x has changed since."""
        return self.sums if self.summed is not None and np.array_equal(self.x, self.summed) else None

    def settle(self, tol: float, exact: bool, most: int) -> tuple[float, bool]:
        """Make at most `most` steps on examples; return the gap and whether the solver has converged."""
        kernel, n = self.kernel, self.S.size
        # Rows of all examples are read in place. One allocation: two may be returned to the system each time.
        side, most_free = 0 if kernel.who is None else n, min(MOST_FREE, n)
        buffer = np.empty(side * side + most_free * most_free)
        rows = buffer[: side * side].reshape(side, side)
        M = buffer[side * side :].reshape(most_free, most_free)
        known, free = np.zeros(side, np.bool_), np.empty(n, np.int64)
        problem = (
            kernel.held,
            kernel.clamp,
            kernel.matrix_indices(),
            self.S,
            self.C,
            self.curvature,
            self.x,
            self.g,
        )
        memory = rows, known, np.empty((8, n)), free, M
        gap, steps, newton_steps, settled = solve_full_matrix(*problem, *memory, tol, exact, ROUNDS, most)
        self.steps, self.newton_steps = self.steps + steps, self.newton_steps + newton_steps
        return gap, settled

    def restrict_to(self, chosen: np.ndarray) -> "_State":
        """State restricted to these examples; all others have x = 0."""
        few = self.S[chosen], self.C[chosen], self.curvature[chosen], self.x[chosen], self.g[chosen]
        return _State(self.kernel.subset_kernel(chosen), *few)

    def merge_subset(self, chosen: np.ndarray, part: "_State") -> None:
        """Copy the solution on these examples and update the slopes of all."""
        self.x[chosen] = part.x
        self.steps, self.newton_steps = self.steps + part.steps, self.newton_steps + part.newton_steps
        self.sums, self.summed = potential_sums(self.kernel, self.S, self.x), self.x.copy()
        self.g = 1.0 - self.sums[0]


def _solve_by_subsets(state: _State, tol: float, exact: bool, budget: int) -> tuple[float, bool]:
    """Select candidates by some steps on all examples, solve for these alone, then check all examples."""
    n = state.S.size
    for _ in range(PARTS):
        gap, settled = state.settle(tol, exact, min(n // FEW, budget - state.steps))
        near = np.flatnonzero((state.x > 0) | (state.g > -NEAR))
        if settled or state.steps >= budget:
            break
        if near.size > n // 2:
            continue
        part = state.restrict_to(near)
        done = part.settle(tol if exact else tol / 2, exact, budget - state.steps)[1]
        state.merge_subset(near, part)
        if not done:
            break
    return (gap, settled) if settled else state.settle(tol, exact, budget - state.steps)
