"""A binary problem in the form used by the compiled loops, and the result of training on it."""

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from markone.base.history import History
from markone.numerics._rows import Sparse, compute_squared_norms
from markone.numerics.arrays import Array
from markone.perceptron.measures import stability

# The P x P correlation matrix is stored up to this size (P = 8192); beyond it, rows are computed on demand
# and cached in the same amount of memory.
GRAM_LIMIT_BYTES = 2**29


@dataclass
class Problem:
    """Examples (xi, S) with S = +-1; the clamped input, if any, is the last column of `X`."""

    X: Any
    S: Array
    weights: Array | None = None
    seed: int = 0

    @property
    def P(self) -> int:
        return int(self.X.shape[0])

    @property
    def N(self) -> int:
        return int(self.X.shape[1])

    @cached_property
    def xi(self) -> Any:
        """Rows for compiled code: an array, or the three arrays of a CSR matrix."""
        if sparse.issparse(self.X):
            return Sparse(self.X.data, self.X.indices, self.X.indptr, self.N)
        return self.X

    @cached_property
    def C_diagonal(self) -> Array:
        """C_mumu = |xi^mu|^2 / N."""
        return compute_squared_norms(self.xi, self.P) / self.N

    def fits_gram(self) -> bool:
        """True if the correlation matrix may be stored."""
        return 8 * self.P**2 <= GRAM_LIMIT_BYTES

    def correlation_matrix(self) -> Array:
        """C^mu,nu = S^mu S^nu xi^mu . xi^nu / N   (3.58)."""
        if sparse.issparse(self.X):
            Z = sparse.diags_array(self.S) @ self.X
            C = (Z @ Z.T).toarray()
        else:
            Z = self.S[:, None] * self.X
            with np.errstate(over="ignore", invalid="ignore"):
                C = Z @ Z.T
        C /= self.N
        # The sum of squares takes one pass and no copy; the elements are checked only if it overflows.
        if not (math.isfinite(np.vdot(C, C)) or np.isfinite(C).all()):
            raise ValueError("Products of the examples with each other are not finite: scale X to about one.")
        return np.asarray(C)

    def weights_from_strengths(self, x: Array) -> Array:
        """w = (1/N) sum_mu x^mu S^mu xi^mu   (3.13)."""
        return np.asarray(self.X.T @ (x * self.S), dtype=np.float64) / self.N

    def local_potentials(self, w: Array) -> Array:
        """E^mu = S^mu w . xi^mu   (3.8)."""
        return self.S * np.asarray(self.X @ w, dtype=np.float64)

    def trace_row(self, epoch: int, w: Array) -> tuple[Any, ...]:
        """One row of a trace: epoch, errors, stability, norm, mean squared error of w . xi."""
        E, norm = self.local_potentials(w), float(np.linalg.norm(w))
        errors = int(np.sum((E < 0) | ((E == 0) & (self.S < 0))))
        return epoch, errors, stability(w, self.X, self.S), norm, float(np.mean((1 - E) ** 2))

    def largest_eigenvalue(self, rounds: int = 100) -> float:
        """Largest eigenvalue of C by the power method (from below, to about a per cent)."""
        v = np.random.default_rng(0).standard_normal(self.N)
        for _ in range(rounds):
            v /= np.linalg.norm(v)
            u = self.X @ v
            v, old = self.X.T @ u, v
            if np.linalg.norm(v) == 0:
                return 0.0
            if v @ old >= 0.99999 * np.linalg.norm(v):
                break
        return float(np.linalg.norm(v)) / self.N


@dataclass
class Trained:
    """Result of training: weights in the (augmented) input space, strengths, how training ended."""

    w: Array
    x: Array | None = None
    n_epochs: int = 1
    n_updates: int = 0
    converged: bool = True
    message: str = ""
    trace: list[tuple[Any, ...]] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)
    # Proven bounds on kappa_max, if training has computed them.
    bounds: tuple[float, float] | None = None
    history: History | None = None


def max_gram_rows(P: int) -> int:
    """Number of rows of the correlation matrix that are cached if it is too large to be stored."""
    return GRAM_LIMIT_BYTES // (8 * P)


def initial_strengths(start: Trained | None, P: int) -> Array:
    """Initial embedding strengths: those of an earlier training, or zero (tabula rasa)."""
    return np.zeros(P) if start is None or start.x is None else start.x.copy()
