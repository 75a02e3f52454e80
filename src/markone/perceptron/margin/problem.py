"""AdaTron's quadratic problem, and the bounds, gap and residual of a pair x, w."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from markone.numerics._rows import Sparse, compute_squared_norms
from markone.numerics.arrays import Array
from markone.perceptron.margin._ascent import embed_examples, potentials_of_examples

# An x >= 0 with |sum x S xi| below this fraction of sum x |xi| may prove non-separability.
FLAT = 1e-9


# Strengths of the two sides of a free threshold that differ by this fraction count as balanced.
BALANCED = 1e-13


class Quadratic:
    """Maximise -1/2 x C x + sum x subject to 0 <= x <= gamma; gamma = infinity is the hard margin.

    free: the last input is the threshold, whose weight costs nothing: then sum x S xi_last = 0.
    Norms of the rows are computed on demand: `small_problems` computes them anyway.
    """

    def __init__(self, xi: Any, S: Array, gamma: Array, free: bool = False) -> None:
        self.xi, self.S, self.gamma, self.free = xi, S, gamma, free
        self.sparse = isinstance(xi, Sparse)
        self.N = int(xi.N if self.sparse else xi.shape[1])
        lowest, highest = float(np.minimum.reduce(gamma)), float(np.maximum.reduce(gamma))
        # Whether gamma is the same for all; whether all are positive.
        self.even, self.all_count = lowest == highest > 0.0, lowest > 0.0
        self.hard = math.isinf(lowest) if self.even else bool(np.all(np.isinf(gamma[gamma > 0])))
        self._rows: _RowNorms | None = None

    @cached_property
    def counted_examples(self) -> Array:
        """Indices of the examples with gamma > 0."""
        return np.flatnonzero(self.gamma > 0)

    @property
    def squared_norms(self) -> Array:
        """|xi|^2 of every example."""
        return self._row_norms().norms

    @property
    def used_examples(self) -> Array:
        """Indices of the examples with gamma > 0 that are not zero: a row of zeros has E = 0 for any w."""
        found = self._row_norms().used
        return self.counted_examples if found is None else found

    @property
    def longest_norm(self) -> float:
        """Largest |xi| of the used examples."""
        return self._row_norms().longest

    def _row_norms(self) -> "_RowNorms":
        if self._rows is None:
            norms = compute_squared_norms(self.xi, len(self.S))
            shortest, longest = norms.min(initial=np.inf), norms.max(initial=0.0)
            if not longest < np.inf:
                raise ValueError(
                    "The squares of the inputs overflow: scale the inputs to a size of about one."
                )
            if shortest > 0.0 and self.all_count:
                self._rows = _RowNorms(norms, None, math.sqrt(longest))
            else:
                used = np.flatnonzero((self.gamma > 0) & (norms > 0))
                self._rows = _RowNorms(norms, used, math.sqrt(norms[used].max(initial=0.0)))
        return self._rows

    def set_norms(self, norms: Array, longest: float) -> None:
        """Set the norms, if all gamma > 0 and no row is zero."""
        self._rows = _RowNorms(norms, None, longest)

    def rows(self, chosen: Array) -> Any:
        """S xi of the chosen examples: an array, or CSR."""
        if not self.sparse:
            return self.xi[chosen] * self.S[chosen, None]
        xi = csr_array((self.xi.data, self.xi.indices, self.xi.indptr), (len(self.S), self.N))
        return xi[chosen].multiply(self.S[chosen, None]).tocsr()

    @cached_property
    def threshold_column(self) -> Array:
        """S xi of the last input."""
        if not self.sparse:
            return np.asarray(self.S * self.xi[:, -1], dtype=np.float64)
        xi = csr_array((self.xi.data, self.xi.indices, self.xi.indptr), (len(self.S), self.N))
        return self.S * xi[:, [self.N - 1]].toarray().ravel()

    def balance_strengths(self, x: Array, difference: float) -> Array:
        """x with one side of the threshold scaled down by the difference = sum x S xi_last of the sides."""
        column = self.threshold_column
        sides = float(x @ np.abs(column))
        if abs(difference) <= BALANCED * sides:
            return x
        heavier = 0.5 * (sides + abs(difference))
        fraction = max(heavier - abs(difference), 0.0) / heavier
        return x * np.where(column * difference > 0.0, fraction, 1.0)

    def select_counted(self, values: Array) -> Array:
        """Select the values of the examples with gamma > 0."""
        return values if self.all_count else values[self.counted_examples]

    def balance_residual(self, x: Array) -> float:
        """|sum x S xi| / sum x |xi|: exactly zero if x >= 0 proves that no student has all E > 0."""
        total = float(x @ np.sqrt(self.squared_norms))
        return (
            self.N * float(np.linalg.norm(embed_examples(self.xi, self.S, x))) / total
            if total > 0
            else np.inf
        )


class _RowNorms(NamedTuple):
    norms: Array
    # None: all with gamma > 0.
    used: Array | None
    longest: float


@dataclass
class State:
    """State of the ascent. `best` is the most stable student so far.

    offset: with a free threshold w_last is this plus (1/N) sum x S xi_last, which is zero at the solution.
    """

    x: Array
    w: Array
    E: Array
    n_epochs: int = 0
    n_newton: int = 0
    lower: float = -np.inf
    upper: float = np.inf
    gap: float = np.inf
    residual: float = np.inf
    best: Array | None = None
    best_lower: float = -np.inf
    proof: Array | None = None
    offset: float = 0.0


def evaluate_state(problem: Quadratic, state: State, bounded: bool = True) -> None:
    """Recompute w, E and the Kuhn-Tucker residual from x; if `bounded` also the bounds and the gap."""
    state.w = embed_examples(problem.xi, problem.S, state.x)
    if problem.free:
        state.w[-1] += state.offset
    state.E = potentials_of_examples(problem.xi, problem.S, state.w)
    state.residual = _kuhn_tucker_residual(problem, state)
    if not bounded:
        return
    evaluate_bounds(problem, state)
    if state.best is None or state.lower > state.best_lower:
        state.best, state.best_lower = state.w.copy(), state.lower


def shift_threshold(problem: Quadratic, state: State) -> None:
    """Move the contribution of x to a free threshold to its offset: a step of the method of multipliers."""
    if problem.free:
        change = float(state.w[-1]) - state.offset
        state.offset += change
        state.w[-1] += change
        state.E = state.E + change * problem.threshold_column


def evaluate_bounds(problem: Quadratic, state: State) -> None:
    """The bounds on the optimal stability and the gap from x, w and E."""
    if problem.free:
        return _evaluate_free_bounds(problem, state)
    norm, total = math.sqrt(state.w @ state.w), float(np.add.reduce(state.x))
    state.lower = float(np.minimum.reduce(problem.select_counted(state.E))) / norm if norm > 0 else -np.inf
    # For x = 0 the bound is that of a single example.
    state.upper = (
        problem.N * norm / total
        if total > 0
        else math.sqrt(float(problem.select_counted(problem.squared_norms).min()))
    )
    if problem.hard:
        state.gap = _hard_gap(state)
        return None
    # (primal - dual) / primal of (4.3), (4.5)
    primal = problem.N / 2 * float(state.w @ state.w)
    primal += float(problem.gamma @ np.maximum(1.0 - state.E, 0.0))
    state.gap = (primal - dual_objective(problem, state)) / primal if primal > 0 else 0.0
    return None


def _evaluate_free_bounds(problem: Quadratic, state: State) -> None:
    """The same with a free threshold: |w| without it, and strengths that are balanced first."""
    norm = float(np.linalg.norm(state.w[:-1]))
    E, column = problem.select_counted(state.E), problem.select_counted(problem.threshold_column)
    ends = [float(np.min(E, where=side, initial=np.inf)) for side in (column > 0.0, column < 0.0)]
    state.lower = 0.5 * sum(ends) / norm if norm > 0 else -np.inf
    x = problem.balance_strengths(state.x, problem.N * (float(state.w[-1]) - state.offset))
    embedded = state.w
    if x is not state.x:
        embedded = embed_examples(problem.xi, problem.S, x)
    field, total = problem.N * float(np.linalg.norm(embedded[:-1])), float(x.sum())
    state.upper = field / total if total > 0 else np.inf
    if problem.hard:
        state.gap = _hard_gap(state) if state.upper < np.inf else np.inf
        return
    primal = problem.N / 2 * norm**2 + float(problem.gamma @ np.maximum(1.0 - state.E, 0.0))
    dual = total - field**2 / (2 * problem.N)
    state.gap = (primal - dual) / primal if primal > 0 else 0.0


def _hard_gap(state: State) -> float:
    return (state.upper - state.lower) / state.upper if state.upper > 0 else np.inf


def _kuhn_tucker_residual(problem: Quadratic, state: State) -> float:
    """Largest gradient component that does not point out of the box (3.71-3.73)."""
    x, slope = state.x[problem.used_examples], 1.0 - state.E[problem.used_examples]
    slope[(x == 0) & (slope < 0)] = 0.0
    slope[(x == problem.gamma[problem.used_examples]) & (slope > 0)] = 0.0
    largest = float(np.abs(slope).max(initial=0.0))
    if problem.free:
        unbalanced = abs(float(state.w[-1]) - state.offset)
        largest = max(largest, unbalanced * float(np.abs(problem.threshold_column).max()))
    return largest


def dual_objective(problem: Quadratic, state: State) -> float:
    """-1/2 x C x + sum x of a problem without a free threshold."""
    return float(state.x.sum()) - problem.N / 2 * float(state.w @ state.w)


def rounding_floor(problem: Quadratic, state: State) -> float:
    """Bound on the rounding error of 1 - E: w is a sum in which many large terms may cancel.

    At most 1e-7, else a very large x would be accepted as a solution.
    """
    terms = float(state.x @ np.sqrt(problem.squared_norms)) / problem.N
    return min(1e-13 + 1e-16 * problem.longest_norm * terms, 1e-7)


def free_set(problem: Quadratic, state: State) -> Array:
    """The examples with 0 < x < gamma."""
    return np.flatnonzero((state.x > 0) & (state.x < problem.gamma))


def record_proof(problem: Quadratic, state: State, x: Array) -> bool:
    """Store x if it may prove non-separability; `certificates` verifies it."""
    if problem.hard and state.best_lower <= 0 and problem.balance_residual(x) <= FLAT:
        state.proof = x
    return state.proof is not None
