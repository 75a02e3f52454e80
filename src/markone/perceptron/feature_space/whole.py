"""Where all kernels fit into memory: one compiled call for a binary problem, without its certificate."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from markone.perceptron.feature_space._whole import settle
from markone.perceptron.feature_space.climb import curvature
from markone.perceptron.feature_space.mercer import Kernel
from markone.perceptron.feature_space.optimum import EXACT, FeatureSpaceOptimum
from markone.perceptron.feature_space.proven import sums

# Free examples up to which compiled code solves for them; LAPACK, called from Python, is faster above.
MOST_FREE = 400
ROUNDS = 100
# Examples up to which one problem alone is solved faster here than by blocks, measured at N = 4 to 600.
# Blocks compute kernels of the examples that matter more than once, the dearer the longer the inputs are.
ALONE, PER_ROOT = 1500, 120
# From so many examples on it is seen first who of them may matter, E < 1 + NEAR, by P / FEW steps at a time.
MANY, FEW, NEAR = 1000, 16, 0.2
PARTS = 5
# Bytes of all kernels per byte of the cache: another half is left for the rows of one problem and for Newton.
SHARE = 0.5


def fits(P: int, cache_mb: float) -> bool:
    """Whether the kernels of P examples may all be kept."""
    return bool(SHARE * cache_mb * 1e6 >= 8.0 * P * P)


def pays(kernel: Kernel) -> bool:
    """Whether all kernels at once cost less than those of the examples that matter, again and again."""
    if kernel.held is not None or kernel.P <= ALONE:
        return True
    if kernel.name == "callable":
        return False
    inputs = kernel.X.nnz / kernel.P if sparse.issparse(kernel.X) else kernel.X.shape[1]
    return bool(ALONE + PER_ROOT * inputs**0.5 >= kernel.P)


def attempt(
    kernel: Kernel, S: np.ndarray, C: np.ndarray, tol: float, exact: bool, budget: int
) -> tuple[FeatureSpaceOptimum | None, np.ndarray, int, int]:
    """The student, or None and how far one came: embedding strengths, steps on examples, Newton steps."""
    state = _State(kernel, S, C, curvature(kernel), np.zeros(S.size), np.ones(S.size))
    gap, settled = (
        _by_parts(state, tol, exact, budget)
        if S.size >= MANY and kernel.who is None
        else state.settle(tol, exact, budget)
    )
    x, g, steps, jumps = state.x, state.g, state.steps, state.jumps
    # Exact students with many free examples are for LAPACK.
    if not settled or not gap <= (EXACT if exact else tol) or not x.max() < np.inf:
        return None, x, steps, jumps
    # Bounds and what is said of them belong to the certificate.
    status = "exact" if gap <= EXACT else "converged"
    epochs = -(-steps // S.size)
    found = FeatureSpaceOptimum(
        x, 1.0 - g, -np.inf, np.inf, gap, epochs, jumps, status, "", sums=state.sums_of_x()
    )
    return found, x, steps, jumps


@dataclass
class _State:
    """A student on the way: strengths x, slopes g = 1 - E."""

    kernel: Kernel
    S: np.ndarray
    C: np.ndarray
    curvature: np.ndarray
    x: np.ndarray
    g: np.ndarray
    steps: int = 0
    jumps: int = 0
    # What a proof needs of a student, and of which one.
    sums: tuple[np.ndarray, np.ndarray, int] | None = None
    summed: np.ndarray | None = None

    def sums_of_x(self) -> tuple[np.ndarray, np.ndarray, int] | None:
        """None where x has changed since."""
        return self.sums if self.summed is not None and np.array_equal(self.x, self.summed) else None

    def settle(self, tol: float, exact: bool, most: int) -> tuple[float, bool]:
        """`most` steps on examples at the most. The gap, and whether nothing more can be gained."""
        kernel, n = self.kernel, self.S.size
        # Rows of all examples are read where they are.
        side = 0 if kernel.who is None else n
        rows, known = np.empty((side, side)), np.zeros(side, np.bool_)
        free, M = np.empty(n, np.int64), np.empty((min(MOST_FREE, n),) * 2)
        problem = kernel.held, kernel.clamp, kernel.places(), self.S, self.C, self.curvature, self.x, self.g
        memory = rows, known, np.empty((8, n)), free, M
        gap, steps, jumps, settled = settle(*problem, *memory, tol, exact, ROUNDS, most)
        self.steps, self.jumps = self.steps + steps, self.jumps + jumps
        return gap, settled

    def among(self, who: np.ndarray) -> "_State":
        """The same student on these examples alone; all others have x = 0."""
        few = self.S[who], self.C[who], self.curvature[who], self.x[who], self.g[who]
        return _State(self.kernel.among(who), *few)

    def take(self, who: np.ndarray, part: "_State") -> None:
        """What became of the student on these examples, told to all."""
        self.x[who] = part.x
        self.steps, self.jumps = self.steps + part.steps, self.jumps + part.jumps
        self.sums, self.summed = sums(self.kernel, self.S, self.x), self.x.copy()
        self.g = 1.0 - self.sums[0]


def _by_parts(state: _State, tol: float, exact: bool, budget: int) -> tuple[float, bool]:
    """Some steps on all examples show who may matter; the student of those is shown to all again."""
    n = state.S.size
    for _ in range(PARTS):
        gap, settled = state.settle(tol, exact, min(n // FEW, budget - state.steps))
        near = np.flatnonzero((state.x > 0) | (state.g > -NEAR))
        if settled or state.steps >= budget:
            break
        if near.size > n // 2:
            continue
        part = state.among(near)
        done = part.settle(tol if exact else tol / 2, exact, budget - state.steps)[1]
        state.take(near, part)
        if not done:
            break
    return (gap, settled) if settled else state.settle(tol, exact, budget - state.steps)
