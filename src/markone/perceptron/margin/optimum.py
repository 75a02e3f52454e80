"""Result of the solver of AdaTron's quadratic problem."""

from dataclasses import dataclass

import numpy as np

from markone.numerics.arrays import Array
from markone.perceptron.margin._ascent import embed_examples, potentials_of_examples
from markone.perceptron.margin.problem import Quadratic, State, rounding_floor


@dataclass
class Optimum:
    """The student, its embedding strengths and bounds on the optimal stability.

    The solver measures these in floating point; `certificates.margin.certified` replaces them by proven
    bounds. lower <= kappa_max <= upper. `gap` is (upper - lower) / upper for the hard margin and
    the relative duality gap for the soft one. `status`: "exact" (Kuhn-Tucker met to rounding), "converged"
    (gap below tol), "not_separable" (x >= 0 has sum x S xi = 0), "max_epochs" or, when certified,
    "undecided". In the last three cases of the hard margin w is the most stable student found, not
    (1/N) sum x S xi. `message` continues a sentence that begins with the student's name.
    """

    x: Array
    w: Array
    E: Array
    lower: float
    upper: float
    gap: float
    n_epochs: int
    n_newton: int
    status: str
    message: str


def optimum_from_state(problem: Quadratic, state: State, settled: bool) -> Optimum:
    if state.proof is not None:
        return not_separable_optimum(problem, state)
    if state.residual <= rounding_floor(problem, state):
        return exact_optimum(state)
    counts = _iteration_counts(state)
    if settled:
        status, message = "converged", f"reached a relative gap of {state.gap:.1e} {counts}."
    else:
        if problem.hard and state.best is not None:
            state.w, state.lower = state.best, state.best_lower
            state.E = potentials_of_examples(problem.xi, problem.S, state.w)
        status, message = "max_epochs", f"stopped {counts} with {_progress_text(problem, state)}"
    return _build_optimum(state, status, message)


def exact_optimum(state: State) -> Optimum:
    """Result for a state that meets Kuhn-Tucker to rounding."""
    return _build_optimum(
        state, "exact", f"met Kuhn-Tucker to {state.residual:.1e} {_iteration_counts(state)}."
    )


def _iteration_counts(state: State) -> str:
    return f"after {state.n_epochs} epochs and {state.n_newton} Newton steps"


def _progress_text(problem: Quadratic, state: State) -> str:
    advice = "raise max_iter or tol."
    if not problem.hard:
        return f"a relative duality gap of {state.gap:.1e}: {advice}"
    if state.lower > 0:
        return f"{state.lower:.6g} <= kappa_max <= {state.upper:.6g}: {advice}"
    return (
        f"kappa = {state.lower:.3g} <= 0: the data may not be separable. Set C to allow errors, or {advice}"
    )


def not_separable_optimum(problem: Quadratic, state: State) -> Optimum:
    """Result with the proof of non-separability as x and the most stable student found as w."""
    assert state.proof is not None
    state.x, state.gap = state.proof, np.inf
    state.upper = (
        problem.N * float(np.linalg.norm(embed_examples(problem.xi, problem.S, state.x))) / state.x.sum()
    )
    if state.best is not None:
        state.w, state.lower = state.best, state.best_lower
    state.E = potentials_of_examples(problem.xi, problem.S, state.w)
    blank = int(np.sum(problem.squared_norms[state.x > 0] == 0))
    if blank:
        message = (
            f"found that the data are not linearly separable: {blank} example(s) are all zero and have E = 0 "
            "for any weights. Remove them, set fit_intercept=True, or set C to allow errors."
        )
        return _build_optimum(state, "not_separable", message)
    message = (
        f"found that the data are not linearly separable: x >= 0 with |sum x S xi| = "
        f"{problem.balance_residual(state.x):.1e} sum x |xi| proves it. The best student found has kappa = "
        f"{state.lower:.3g}. Set C to allow errors."
    )
    return _build_optimum(state, "not_separable", message)


def _build_optimum(state: State, status: str, message: str) -> Optimum:
    s = state
    return Optimum(s.x, s.w, s.E, s.lower, s.upper, s.gap, s.n_epochs, s.n_newton, status, message)
