"""The search for a student with few errors, its undecided nodes settled without rounding."""

import time
from collections.abc import Callable

import numpy as np

from markone.numerics.arrays import Array
from markone.perceptron.fewest_errors import _search
from markone.perceptron.separable.certify import certify_rows
from markone.perceptron.separable.verdict import ProvenVerdict

# Subsets in the pool: more give better bounds, but each node looks at all of them.
POOL = 4096
NODES_PER_CALL = 100


def _decide_rows(Z: Array) -> ProvenVerdict:
    """Decide whether all rows can have positive potentials, without rounding if necessary."""
    return certify_rows(np.ascontiguousarray(Z), 1e-8, 100)[0]


def infeasible_subset(Z: Array, rows: Array, w: Array) -> Array | None:
    """Some of the rows, proven to be infeasible, irreducible; None if they are feasible, by w, or undecided.

    w is changed to weights with positive potentials on the rows if they are feasible, else to NaN.
    """
    found = _decide_rows(Z[rows])
    w[:] = found.w if found.separable else np.nan
    if found.separable is not False:
        return None
    rows = rows[found.x > 0.0]
    # Removed in blocks, each half as large as the one before, in the end one by one.
    size = len(rows) // 2
    while size:
        at = 0
        while at < len(rows):
            fewer = np.delete(rows, slice(at, at + size))
            if len(fewer) and _decide_rows(Z[fewer]).separable is False:
                rows = fewer
            else:
                at += size
        size //= 2
    return rows


class SearchTree:
    """Branch and bound over the rows Z, of length about one; subsets are kept from one limit to the next."""

    def __init__(self, Z: Array) -> None:
        P, N = Z.shape
        self.Z, self.w = Z, np.zeros(N)
        self.pool = np.zeros((POOL, N + 2), dtype=np.int64)
        self.counts = np.zeros(5, dtype=np.int64)
        self.state, self.corral = np.zeros(P, dtype=np.int64), np.zeros(N + 2, dtype=np.int64)
        self.known, self.allowed = np.zeros(P, dtype=bool), np.zeros(P, dtype=bool)

    @property
    def n_nodes(self) -> int:
        return int(self.counts[_search.NODES])

    def find_student(self, limit: int, goes_on: Callable[[int], bool]) -> bool | None:
        """True if `w` has at most `limit` errors, False if no student has, None if that was not decided."""
        self.state[:], self.known[:] = _search.FREE, False
        self.counts[_search.DEPTH] = 0
        order, frames = np.zeros((limit + 1, len(self.corral)), np.int64), np.zeros((limit + 1, 2), np.int64)
        arrays = (self.state, order, frames, self.pool, self.counts, self.known, self.allowed, self.w)
        while goes_on(self.n_nodes):
            outcome = _search.search_tree(self.Z, limit, *arrays, self.corral, NODES_PER_CALL)
            if outcome in (_search.SOLVED, _search.EXHAUSTED):
                return bool(outcome == _search.SOLVED)
            if outcome == _search.ASKED and not self._settle_node():
                return None
        return None

    def _settle_node(self) -> bool:
        """Add an infeasible subset to the pool, or note that the rows of the node are feasible."""
        rows, w = np.flatnonzero(self.allowed), np.empty_like(self.w)
        candidate = np.sort(self.corral[: self.counts[_search.CANDIDATE]])
        subset = infeasible_subset(self.Z, candidate, w) if len(candidate) else None
        if subset is None:
            subset = infeasible_subset(self.Z, rows, w)
        if subset is not None and len(subset) < self.pool.shape[1]:
            _search.store_subset(self.pool, self.counts, subset, len(subset))
            return True
        if subset is not None or np.isnan(w).any() or np.array_equal(self.allowed, self.known):
            return False
        self.known[:], self.w[:] = self.allowed, w
        return True


def deadline_or_nodes(seconds: float | None, nodes: int) -> Callable[[int], bool]:
    """Whether the search goes on after so many nodes: before the deadline, and with fewer than `nodes`.

    The time counts from the end of the first step, which may have to compile and is always done.
    """
    end = None

    def goes_on(visited: int) -> bool:
        nonlocal end
        if visited == 0:
            return True
        if end is None:
            end = np.inf if seconds is None else time.monotonic() + seconds
        return visited < nodes and time.monotonic() < end

    return goes_on
