"""Where all kernels fit into memory: one compiled call for a binary problem, without its certificate."""

import numpy as np

from markone.perceptron.feature_space._whole import cut, settle, slopes
from markone.perceptron.feature_space.climb import curvature
from markone.perceptron.feature_space.mercer import Kernel
from markone.perceptron.feature_space.optimum import EXACT, FeatureSpaceOptimum

# Free examples up to which compiled code solves for them; LAPACK, called from Python, is faster above.
MOST_FREE = 400
ROUNDS = 100
# Bytes of all kernels per byte of the cache: another half is left for the rows of one problem and for Newton.
SHARE = 0.5


def fits(P: int, cache_mb: float) -> bool:
    """Whether the kernels of P examples may all be kept."""
    return bool(SHARE * cache_mb * 1e6 >= 8.0 * P * P)


def attempt(
    kernel: Kernel,
    S: np.ndarray,
    C: np.ndarray,
    tol: float,
    exact: bool,
    budget: int,
    start: np.ndarray | None = None,
) -> tuple[FeatureSpaceOptimum | None, np.ndarray, int, int]:
    """The student, or None and how far one came: embedding strengths, steps on examples, Newton steps."""
    q, x, g = curvature(kernel), np.zeros(S.size), np.ones(S.size)
    who = kernel.places()
    rows, known = np.empty((S.size, S.size)), np.zeros(S.size, np.bool_)
    if start is not None:
        x = start.copy()
        slopes(kernel.held, kernel.clamp, who, cut(who), S, x, g, rows, known)
        weakest = float(1.0 - g.max())
        if weakest > 0.0 and float(C.min()) == np.inf:
            # The hard margin's gap does not see how long the weights are: E = 1 for the weakest.
            x, g = x / weakest, 1.0 - (1.0 - g) / weakest
    how = (tol, exact, MOST_FREE, ROUNDS, budget)
    gap, steps, jumps, settled = settle(kernel.held, kernel.clamp, who, S, C, q, x, g, rows, known, *how)
    if not settled or not gap <= tol or not x.max() < np.inf:
        return None, x, steps, jumps
    # Bounds and what is said of them belong to the certificate.
    status = "exact" if gap <= EXACT else "converged"
    found = FeatureSpaceOptimum(x, 1.0 - g, -np.inf, np.inf, gap, -(-steps // S.size), jumps, status, "")
    return found, x, steps, jumps
