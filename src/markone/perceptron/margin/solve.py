"""Optimal stability, hard and soft margin: max -1/2 x C x + sum x, 0 <= x <= gamma (3.75, 4.5).

AdaTron's sequential ascent identifies the support vectors approximately; Newton's method then solves for
their embedding strengths exactly. The result has an upper and a lower bound.
"""

from typing import Any

import numpy as np

from markone.numerics.arrays import Array
from markone.perceptron.margin import small_problems
from markone.perceptron.margin.ascent import Ascent
from markone.perceptron.margin.gram import Gram
from markone.perceptron.margin.newton import finish_by_newton
from markone.perceptron.margin.optimum import (
    Optimum,
    exact_optimum,
    not_separable_optimum,
    optimum_from_state,
)
from markone.perceptron.margin.problem import Quadratic, State, evaluate_bounds, evaluate_state, free_set
from markone.perceptron.margin.proximal import Proximal

# Largest dense matrix; for larger problems the ascent stops at `tol` ("converged").
LIMIT = 4000


def solve_margin_problem(
    xi: Any, S: Array, gamma: float | Array = np.inf, *, free: bool = False, **options: Any
) -> Optimum:
    """Train the perceptron of optimal stability (gamma infinite) or the soft margin perceptron.

    xi: (P, N) float64 or float32, C-contiguous, or `Sparse`. S: +-1 as float64. gamma: upper
    bound of x, one number or one per example; examples with gamma = 0 are ignored. free: the last input is a
    threshold that does not count into |w|; its value should be about the length of the other inputs.
    options: see `solve_quadratic`.
    """
    box = np.array(np.broadcast_to(np.asarray(gamma, dtype=np.float64), S.shape))
    return solve_quadratic(Quadratic(xi, S, box, free), **options)


def solve_quadratic(
    problem: Quadratic,
    *,
    tol: float = 1e-6,
    exact: bool = True,
    max_epochs: int = 1000,
    eta: float | None = None,
    order: str = "shuffled",
    seed: int = 0,
    x0: Array | None = None,
    sweeps_only: bool = False,
    measured: bool = True,
) -> Optimum:
    """`solve_margin_problem` for an existing problem.

    exact=False stops as soon as the relative gap is below tol; with sweeps_only by AdaTron's ascent alone,
    which is slower beyond a few hundred sweeps. eta (0 < eta < 2) is the rate relative to 1 / C_mumu.
    measured=False skips the bounds, which the certificate computes.
    """
    eta = (1.0 if problem.sparse else 1.5) if eta is None else eta
    if not problem.even:
        _check_box(problem.gamma)
    _check_options(tol, max_epochs, eta, order)
    state = _initial_state(problem, x0)
    dense = min(problem.N, len(problem.S)) <= LIMIT and (exact or not sweeps_only)
    if dense and problem.all_count and small_problems.solve_by_active_set(problem, state, max_epochs, None):
        if measured:
            evaluate_bounds(problem, state)
        return exact_optimum(state)
    if problem.hard and len(problem.used_examples) < len(problem.counted_examples):
        options = {"tol": tol, "exact": exact, "max_epochs": max_epochs, "eta": eta, "order": order}
        return _with_empty_rows(problem, seed=seed, x0=x0, sweeps_only=sweeps_only, **options)
    if len(problem.used_examples) < len(problem.S) and _solve_used(problem, state, max_epochs, dense):
        evaluate_bounds(problem, state)
        return exact_optimum(state)
    evaluate_state(problem, state)
    ascent = Ascent(problem, eta, order == "shuffled", seed)
    if exact:
        settled = _solve_exactly(problem, state, ascent, max_epochs)
    else:
        settled = not sweeps_only and _solve_loosely(problem, state, ascent, tol, max_epochs)
    settled = settled or ascent.climb(state, tol, max_epochs)
    return optimum_from_state(problem, state, settled)


def _solve_used(problem: Quadratic, state: State, max_epochs: int, dense: bool) -> bool:
    """Set the strengths of empty rows and, if `dense`, try the active-set method on the other examples."""
    # A row of zeros has E = 0 < 1 for any w: its strength is at the upper bound.
    blank, used = problem.squared_norms == 0, problem.used_examples
    state.x[blank] = problem.gamma[blank]
    return dense and len(used) > 0 and small_problems.solve_by_active_set(problem, state, max_epochs, used)


def _check_box(gamma: Array) -> None:
    lowest, highest = gamma.min(), gamma.max()
    if not lowest >= 0:
        raise ValueError(f"gamma must be non-negative, got {lowest}: it bounds 0 <= x <= gamma.")
    if not highest > 0:
        raise ValueError("gamma is zero for all examples: give some a positive weight.")
    if highest > lowest and np.isinf(highest) and np.any(np.isfinite(gamma) & (gamma > 0)):
        raise ValueError(
            "gamma mixes finite and infinite bounds: make all of them finite (errors allowed) or "
            "all infinite (hard margin); zeros are allowed in both cases."
        )


def _check_options(tol: float, max_epochs: int, eta: float, order: str) -> None:
    if not 0 < eta < 2:
        raise ValueError(f"eta = {eta} does not converge: choose 0 < eta < 2.")
    if not tol > 0:
        raise ValueError(f"tol = {tol} can never be reached: choose a positive relative gap.")
    if max_epochs < 1:
        raise ValueError(f"max_epochs = {max_epochs} allows no learning: choose at least 1.")
    if order not in ("shuffled", "cyclic"):
        raise ValueError(f"order = {order!r} is unknown: choose 'shuffled' or 'cyclic'.")


def _initial_state(problem: Quadratic, x0: Array | None) -> State:
    x = np.zeros(len(problem.S))
    if x0 is not None:
        if x0.shape != x.shape:
            raise ValueError(f"x0 has shape {x0.shape}: give one embedding strength for each of {len(x)}.")
        x = np.clip(np.asarray(x0, dtype=np.float64), 0.0, problem.gamma)
    return State(x, np.zeros(problem.N), np.zeros(len(x)))


def _solve_exactly(problem: Quadratic, state: State, ascent: Ascent, max_epochs: int) -> bool:
    """Sweeps, then Newton: on the free set if that is small, else by proximal steps."""
    if not len(problem.used_examples):
        return True
    ascent.run_warm_up(state, max_epochs)
    evaluate_state(problem, state)
    gram = Gram(problem)
    proximal = Proximal(problem, gram)
    # At the solution at most N examples are free unless some coincide or lie in one plane.
    most = few = min(LIMIT, problem.N + problem.N // 10 + 10)
    near = 1e-4
    for _ in range(5):
        if len(free_set(problem, state)) <= most and finish_by_newton(problem, state, gram, 30, most):
            return True
        evaluate_state(problem, state)
        if min(problem.N, len(problem.used_examples)) > LIMIT:
            return False
        if proximal.run_steps(state, near, few, 30):
            return True
        most, near = LIMIT, near * 1e-3
    return False


def _solve_loosely(problem: Quadratic, state: State, ascent: Ascent, tol: float, max_epochs: int) -> bool:
    """Sweeps while they are cheaper, then proximal steps, each a few passes over the examples.

    If the problem or its free set is small the exact method is fastest.
    """
    if min(problem.N, len(problem.used_examples)) > LIMIT:
        return False
    if not len(problem.used_examples):
        return True
    ascent.run_warm_up(state, max_epochs)
    evaluate_state(problem, state)
    if state.gap <= tol:
        return True
    gram = Gram(problem)
    few = min(LIMIT, problem.N + problem.N // 10 + 10)
    if len(free_set(problem, state)) <= few and finish_by_newton(problem, state, gram, 30, few):
        return True
    evaluate_state(problem, state)
    proven = Proximal(problem, gram).run_steps(state, tol, len(problem.S), 30)
    return proven or state.gap <= tol


def _with_empty_rows(problem: Quadratic, **options: Any) -> Optimum:
    """Hard margin with rows of zeros, on which E = 0: not separable; w is the best student of the others."""
    proof = np.where((problem.squared_norms == 0) & (problem.gamma > 0), 1.0, 0.0)
    state = State(proof, np.zeros(problem.N), np.zeros(len(problem.S)), proof=proof)
    if len(problem.used_examples):
        others = np.where(problem.squared_norms > 0, problem.gamma, 0.0)
        rest = solve_margin_problem(problem.xi, problem.S, others, free=problem.free, **options)
        state.best, state.best_lower = rest.w, min(rest.lower, 0.0)
        state.n_epochs, state.n_newton = rest.n_epochs, rest.n_newton
    return not_separable_optimum(problem, state)
