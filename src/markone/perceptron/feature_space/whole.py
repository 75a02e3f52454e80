"""Where all kernels fit into memory: one compiled call for a binary problem, its certificate left to others."""

import numpy as np

from markone.perceptron.feature_space._whole import settle
from markone.perceptron.feature_space.climb import curvature
from markone.perceptron.feature_space.mercer import Kernel
from markone.perceptron.feature_space.optimum import EXACT, FeatureSpaceOptimum, sentence

# Free examples up to which compiled code solves for them; LAPACK, which is called from Python, is faster above.
MOST_FREE = 400
ROUNDS = 100
# Bytes of all kernels per byte of the cache: another half is left for the rows of one problem and for Newton.
SHARE = 0.5


def fits(P: int, cache_mb: float) -> bool:
    """Whether the kernels of P examples may all be kept."""
    return 8.0 * P * P <= SHARE * cache_mb * 1e6


def attempt(
    kernel: Kernel, S: np.ndarray, C: np.ndarray, tol: float, exact: bool, budget: int
) -> tuple[FeatureSpaceOptimum | None, np.ndarray, int, int]:
    """The student, or None and how far one came: embedding strengths, steps on examples, Newton steps."""
    q, x, g = curvature(kernel), np.zeros(S.size), np.ones(S.size)
    gap, steps, jumps, settled = settle(
        kernel.held, kernel.clamp, kernel.places(), S, C, q, x, g, tol, exact, MOST_FREE, ROUNDS, budget
    )
    if not settled or not gap <= tol or not np.isfinite(x).all():
        return None, x, steps, jumps
    E = 1.0 - g
    W, total, hard = float(np.sqrt(max(x @ E, 0.0))), float(x.sum()), bool(np.isinf(C).all())
    lower, upper = (float(E.min()) / W, W / total) if W > 0.0 else (-np.inf, np.inf)
    status, epochs = "exact" if gap <= EXACT else "converged", -(-steps // S.size)
    message = sentence(status, gap, epochs, lower, upper, hard, tol)
    return FeatureSpaceOptimum(x, E, lower, upper, gap, epochs, jumps, status, message), x, steps, jumps
