"""AdaTron's ascent in sweeps with shrinking: when to restore all examples and when to stop."""

import numpy as np

from markone.perceptron.margin._ascent import shrinking_sweeps
from markone.perceptron.margin.problem import (
    Quadratic,
    State,
    evaluate_state,
    free_set,
    record_proof,
    rounding_floor,
    shift_threshold,
)

BLOCK = 10


class Ascent:
    """Order of visits, removed examples and random state, kept between sweeps."""

    def __init__(self, problem: Quadratic, eta: float, mix: bool, seed: int) -> None:
        self.problem, self.eta = problem, eta
        P, xi = len(problem.S), problem.xi
        row = (12 * len(xi.data) if problem.sparse else xi.nbytes) // P + 1
        # Rows per block of contiguous memory; one if all rows fit the cache.
        self.block = (int(np.clip(8192 // row, 1, 16)) if P * row > 2**20 else 1) if mix else 0
        self.random = np.array([seed], dtype=np.uint64)
        self.reset_items()

    def reset_items(self) -> None:
        """Restore all examples."""
        self.items = self.problem.used_examples.copy()
        self.n = len(self.items)
        self.edges = np.array([np.inf, -np.inf])

    def run_sweeps(self, state: State, count: int) -> float:
        """Make up to `count` sweeps; return the largest gradient of the last one."""
        p = self.problem
        self.n, made, high, low = shrinking_sweeps(
            p.xi, p.S, p.squared_norms, p.gamma, state.x, state.w, self.items[: self.n], self.edges,
            self.eta, self.block, self.random, count,
        )  # fmt: skip
        state.n_epochs += made
        return max(high, -low)

    def run_warm_up(self, state: State, max_epochs: int) -> None:
        """Sweep until Newton's method is cheaper.

        A sweep takes P N operations, a Newton step N^3: the more weights per example, the longer
        sweeps pay. While fewer than 2 N examples of a hard margin are free they nearly always do.
        """
        N, P = self.problem.N, len(self.items)
        patience = min(200, 3 + N * N // P)
        free = P
        while state.n_epochs < max_epochs and self.n:
            self.run_sweeps(state, min(BLOCK, patience, max_epochs - state.n_epochs))
            shift_threshold(self.problem, state)
            before, free = free, len(free_set(self.problem, state))
            few = free <= 0.9 * N or free == before
            longer = self.problem.hard and free < 2 * N and state.n_epochs < 200
            if few or (state.n_epochs >= patience and not longer):
                break
        self.reset_items()

    def climb(self, state: State, tol: float, max_epochs: int) -> bool:
        """Sweep until the gap is below tol or the data are proven not separable; True if so."""
        while True:
            evaluate_state(self.problem, state)
            if state.gap <= tol or state.residual <= rounding_floor(self.problem, state):
                return True
            if record_proof(self.problem, state, state.x):
                return True
            if state.n_epochs >= max_epochs:
                return False
            shift_threshold(self.problem, state)
            # Computing the gap costs a sweep over all examples.
            count = int(np.clip(BLOCK * len(self.items) / max(self.n, 1), BLOCK, 10 * BLOCK))
            steepest = self.run_sweeps(state, min(count, max_epochs - state.n_epochs))
            if self.n < len(self.items) and steepest <= state.residual:
                self.reset_items()
