"""Where all kernels fit into memory: one compiled call for a binary problem, without its certificate."""

import numpy as np
from scipy import sparse

from markone.perceptron.feature_space._whole import settle
from markone.perceptron.feature_space.climb import curvature
from markone.perceptron.feature_space.mercer import Kernel
from markone.perceptron.feature_space.optimum import EXACT, FeatureSpaceOptimum

# Free examples up to which compiled code solves for them; LAPACK, called from Python, is faster above.
MOST_FREE = 400
ROUNDS = 100
# Examples up to which one problem alone is solved faster here than by blocks, measured at N = 4 to 600.
# Blocks compute kernels of the examples that matter more than once, the dearer the longer the inputs are.
ALONE, PER_ROOT = 1500, 120
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
    q, x, g = curvature(kernel), np.zeros(S.size), np.ones(S.size)
    who = kernel.places()
    # Rows of all examples are read where they are.
    side = 0 if kernel.who is None else S.size
    rows, known = np.empty((side, side)), np.zeros(side, np.bool_)
    free, M = np.empty(S.size, np.int64), np.empty((min(MOST_FREE, S.size),) * 2)
    memory, how = (rows, known, np.empty((8, S.size)), free, M), (tol, exact, ROUNDS, budget)
    gap, steps, jumps, settled = settle(kernel.held, kernel.clamp, who, S, C, q, x, g, *memory, *how)
    # Exact students with many free examples are for LAPACK.
    if not settled or not gap <= (EXACT if exact else tol) or not x.max() < np.inf:
        return None, x, steps, jumps
    # Bounds and what is said of them belong to the certificate.
    status = "exact" if gap <= EXACT else "converged"
    found = FeatureSpaceOptimum(x, 1.0 - g, -np.inf, np.inf, gap, -(-steps // S.size), jumps, status, "")
    return found, x, steps, jumps
