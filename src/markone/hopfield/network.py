"""Couplings: two representations with one interface, their learning, and the addition of patterns (1.12)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from markone.hopfield._fields import Matrix, Patterns, fill_overlaps, pattern_overlaps
from markone.hopfield.couplings import (
    normalised_couplings,
    optimal_neurons,
    projection_matrix,
    remove_diagonal,
)
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


@dataclass(frozen=True)
class LearnedCouplings:
    """The patterns, the couplings, and what the rule needs to add patterns."""

    xi: Array
    network: Network
    more: Any = field(default=None, repr=False)


def _all_patterns(xi: Array, before: LearnedCouplings | None) -> Array:
    return xi if before is None else np.concatenate([before.xi, xi])


def _store_hebb(xi: Array, self_coupling: bool, before: LearnedCouplings | None) -> LearnedCouplings:
    everything = _all_patterns(xi, before)
    return LearnedCouplings(everything, StoredPatterns(everything, self_coupling))


def _store_pseudo_inverse(
    xi: Array, self_coupling: bool, before: LearnedCouplings | None
) -> LearnedCouplings:
    """Projection rule; a new pattern adds Q += u u^T/|u|^2, u = xi - Q xi (Diederich and Opper 1987)."""
    if before is None:
        Q = projection_matrix(xi.astype(np.float64))
    else:
        Q = before.more.copy()
        for row in xi.astype(np.float64):
            u = row - Q @ row
            # Project once more: the first difference has lost digits if u is small.
            u -= Q @ u
            if u @ u > 1e-18 * (row @ row):
                Q += np.outer(u, u) / (u @ u)
    network = FullMatrix(Q if self_coupling else remove_diagonal(Q))
    return LearnedCouplings(_all_patterns(xi, before), network, Q)


def _store_optimal(xi: Array, self_coupling: bool, before: LearnedCouplings | None) -> LearnedCouplings:
    """AdaTron per neuron; starts from the strengths of the patterns stored before."""
    if self_coupling:
        raise ValueError(
            "couplings='optimal' with self_coupling=True would store everything in w_ii and recall nothing: "
            "set self_coupling=False."
        )
    everything = _all_patterns(xi, before)
    starts = None if before is None else [np.append(x, np.zeros(len(xi))) for x in before.more]
    found = optimal_neurons(everything.astype(np.float64), starts)
    return LearnedCouplings(everything, FullMatrix(normalised_couplings(found)), [one.x for one in found])


def use_given_couplings(couplings: Any, xi: Array, self_coupling: bool) -> LearnedCouplings:
    """Check the user's matrix; its diagonal is set to zero unless `self_coupling`."""
    w = np.array(couplings)
    if w.dtype.kind not in "biuf":
        raise ValueError(f"couplings must be a matrix of numbers, not {couplings!r:.60}.")
    w = w if w.dtype == np.float32 else w.astype(np.float64)
    N = xi.shape[1]
    if w.shape != (N, N):
        raise ValueError(f"couplings has shape {w.shape}, but states of {N} neurons need ({N}, {N}).")
    if not np.isfinite(w).all():
        raise ValueError("couplings holds NaN or infinite values: give finite numbers.")
    if not self_coupling:
        np.fill_diagonal(w, 0.0)
    return LearnedCouplings(xi, FullMatrix(w))


LEARNING_RULES: dict[str, Callable[[Array, bool, LearnedCouplings | None], LearnedCouplings]] = {
    "hebb": _store_hebb,
    "pseudo_inverse": _store_pseudo_inverse,
    "optimal": _store_optimal,
}
