"""Checks of Mercer's condition (4.27): errors for kernels that violate it.

Finitely many examples can only disprove it: by a matrix that is not symmetric or has a negative eigenvalue.
Otherwise a kernel is accepted; the ascent reports negative curvature when it occurs.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg.lapack import dpotrf

from markone.perceptron.margin.kernel._kernel_matrix import (
    scan_kernel_matrix,
    smallest_pair_eigenvalue,
    take_submatrix,
)

# A factorisation takes O(P^3): of more examples so many are factorised together, and all pairs are checked.
# The ascent checks the support vectors.
TOGETHER = 500
SAMPLE = 100


def check_callable(function: Callable[[Any, Any], Any], X: Any) -> None:
    """Check the shape of the result, and Mercer's condition on some of the examples."""
    few = X[np.unique(np.linspace(0, X.shape[0] - 1, min(SAMPLE, X.shape[0])).astype(int))]
    K = np.asarray(function(few, few), dtype=float)
    if K.shape != (few.shape[0], few.shape[0]):
        raise ValueError(
            f"The kernel function returned the shape {K.shape} for {few.shape[0]} and {few.shape[0]} inputs. "
            "It must return one row for every input in its first argument, one column for every input "
            "in its second."
        )
    _check_mercer(K, "The kernel function")


def check_precomputed(K: Any) -> np.ndarray:
    """Return K as float64; raise ValueError if it is not a valid kernel matrix."""
    exact = getattr(K, "dtype", None) != np.float32
    K = np.require(K, float, ["C", "W"])
    if K.ndim != 2 or K.shape[0] != K.shape[1]:
        raise ValueError(
            f"A precomputed kernel has the shape {K.shape}. It must be square: one row and one column for "
            "every training example."
        )
    _check_mercer(K, "The precomputed kernel", 1e-8 if exact else 1e-4)
    return K


def _check_mercer(K: np.ndarray, what: str, tolerance: float = 1e-8) -> None:
    K = np.ascontiguousarray(K)
    P, diagonal = K.shape[0], np.diagonal(K)
    # No scalar product exceeds the largest square: if one does, all pairs are checked.
    top = float(np.abs(diagonal).max(initial=0.0))
    allowed = tolerance * top * max(1, P**0.5)
    size, unlike, above = scan_kernel_matrix(K, diagonal + allowed) if np.isfinite(top) else (top, 0.0, 0)
    if not (np.isfinite(size) and np.isfinite(unlike)):
        raise ValueError(f"{what} contains NaN or infinity.")
    if unlike > tolerance * size:
        raise ValueError(f"{what} is not symmetric: |K(xi, xi') - K(xi', xi)| reaches {unlike:.3g}.")
    doubtful = above > 0 or size > top or (diagonal < -allowed).any()
    allowed = tolerance * size * max(1, P**0.5)
    if P <= TOGETHER:
        smallest = _smallest_of_all(K, allowed)
    else:
        # An upper bound from a sample and, if doubtful, from all pairs.
        some = np.unique(np.linspace(0, P - 1, TOGETHER).astype(int))
        smallest = _smallest_of_all(take_submatrix(K, some, some, 0.0), allowed)
        smallest = min(smallest, float(smallest_pair_eigenvalue(K))) if doubtful else smallest
    if smallest < -allowed:
        raise ValueError(
            f"{what} is not positive semi-definite: its most negative eigenvalue is {smallest:.6g}"
            f"{' or less' if P > TOGETHER else ''}. No feature space has such "
            "scalar products (4.27); use another kernel, or clip the negative eigenvalues."
        )


def _smallest_of_all(K: np.ndarray, allowed: float) -> float:
    """Smallest eigenvalue, or 0 if the Cholesky factorisation succeeds, which is ten times cheaper."""
    lifted = K.T.copy(order="F")  # symmetric; column-major, for LAPACK to overwrite
    np.einsum("ii->i", lifted)[:] += allowed
    failed = dpotrf(lifted, lower=1, clean=0, overwrite_a=1)[1]
    return float(np.linalg.eigvalsh(K)[0]) if failed else 0.0
