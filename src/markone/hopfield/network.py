"""Two representations of couplings with one interface: Hebb's as a sum over patterns, and any matrix."""

import numpy as np

from markone.hopfield._fields import Matrix, Patterns, fill_overlaps, pattern_overlaps
from markone.numerics.arrays import Array

# Overlaps are kept in 16 bits and fields in 32 as long as neither can overflow.
SMALL_N, SMALL_SUM = 2**15, 2**31


class StoredPatterns:
    """Hebb's couplings w_ij = (1/N) sum_mu xi_i xi_j (1.11), kept as the patterns themselves.

    The notes' factor is 1/P; it drops out of sign(h). With 1/N one more pattern is a simple addition (1.12),
    and temperatures have the scale of the literature.
    """

    symmetric = True

    def __init__(self, xi: Array, self_coupling: bool = False) -> None:
        self.xi = xi
        self.P, self.N = xi.shape
        self.rows = np.ascontiguousarray(xi.T)
        self.own = 0 if self_coupling else self.P

    def initial_memory(self, S: Array) -> Patterns:
        """The overlaps with S, for the compiled dynamics."""
        small = self.N < SMALL_N and self.P * self.N < SMALL_SUM
        M = np.empty(self.P, dtype=np.int16 if small else np.int64)
        fill_overlaps(self.rows, S, M)
        return Patterns(self.rows, M, self.own, 1.0 / self.N, 0.0)

    def is_fixed_point(self, S: Array) -> bool:
        """Always True: the compiled dynamics has proven it in integers."""
        return True

    def fields(self, S: Array) -> Array:
        """h of each row of S."""
        xi = self.xi.astype(np.float64)
        return np.asarray(((S @ xi.T) @ xi - float(self.own) * S) / self.N)

    def energy(self, S: Array) -> Array:
        """H = -sum_{i<j} w_ij S_i S_j (1.10) = -(1/2N) sum_mu (M^mu)^2 + P/2."""
        M = pattern_overlaps(self.xi, S)
        return np.asarray(0.5 * (self.P - (M * M).sum(axis=1) / self.N))

    def coupling_matrix(self) -> Array:
        xi = self.xi.astype(np.float64)
        w: Array = xi.T @ xi / self.N
        if self.own:
            np.fill_diagonal(w, 0.0)
        return w


class FullMatrix:
    """Any couplings w (N, N), float64 or float32; w_ij need not be w_ji."""

    def __init__(self, w: Array) -> None:
        self.w = w
        self.N = len(w)
        self.symmetric = bool(np.array_equal(w, w.T))
        self.columns = w if self.symmetric else np.ascontiguousarray(w.T)
        # Fields of N products that rounding cannot distinguish from zero count as zero, sign(0) = +1.
        self.tie = float(np.finfo(w.dtype).eps * np.abs(w).sum(axis=1, dtype=np.float64).max(initial=0.0))

    def initial_memory(self, S: Array) -> Matrix:
        return Matrix(self.columns, self.fields(S[None])[0], self.tie)

    def is_fixed_point(self, S: Array) -> bool:
        """Whether S is a fixed point, with recomputed fields."""
        return bool(np.array_equal(self.fields(S[None])[0] >= -self.tie, S > 0))

    def fields(self, S: Array) -> Array:
        return (S.astype(self.w.dtype) @ self.columns).astype(np.float64)

    def energy(self, S: Array) -> Array:
        """H (1.10); for asymmetric couplings with (w_ij + w_ji)/2."""
        return np.asarray(-0.5 * ((S * self.fields(S)).sum(axis=1) - float(np.trace(self.w))))

    def coupling_matrix(self) -> Array:
        return self.w


Network = StoredPatterns | FullMatrix
