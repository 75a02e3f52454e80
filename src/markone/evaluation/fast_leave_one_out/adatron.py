"""Leave-one-out of optimal stability: leaving out an example with x = 0 does not change the student.

The solution of (3.75), (4.5) is unique; with x^mu = 0 it is also optimal without mu. Only the support
vectors need a refit, which starts from the embedding strengths of the others.
"""

from typing import Any

import numpy as np
from sklearn.base import clone

from markone.base.weights import example_weights
from markone.numerics.arrays import Array
from markone.numerics.threads import map_in_threads
from markone.perceptron import AdaTron
from markone.perceptron.base.problem import Problem
from markone.perceptron.margin import Optimum, solve_margin_problem


def supports_adatron(student: Any, P: int) -> bool:
    """True for solver "fast", weights independent of the training set, potentials not divided by |w|."""
    return (
        type(student) is AdaTron
        and student.solver == "fast"
        and student.exact
        and student.class_weight != "balanced"
        and not student.warm_start
        and not student.normalize
    )


def adatron_left_out_potentials(
    student: Any, X: Any, y: Array, n_jobs: int | None = None
) -> tuple[Any, Array, int] | None:
    """Student, potentials of the left-out examples and number of refits; None without a unique solution."""
    ready: AdaTron = clone(student)
    X, y = ready._read_data(X, y)
    ready._set_classes(y)
    weights = example_weights(X, y, ready.classes_, None, ready.class_weight)
    augmented, refits, columns = ready._append_clamped_input(X), 0, []
    for S in ready._make_targets(y):
        found = _one_problem(ready, Problem(augmented, S, weights), n_jobs)
        if found is None:
            return None
        columns.append(found[0])
        refits += found[1]
    return ready, np.array(columns).T, refits


def _one_problem(student: Any, problem: Problem, n_jobs: int | None) -> tuple[Array, int] | None:
    weights = np.ones(problem.P) if problem.weights is None else problem.weights
    gamma = np.where(weights > 0, student.C * problem.N, 0.0)
    gamma[weights > 0] *= weights[weights > 0]
    whole = _solve_margin(student, problem, gamma, None)
    potentials = problem.S * whole.E
    # Without a hard margin the solution is not unique.
    if whole.status not in ("exact", "converged"):
        return None
    needed = np.flatnonzero(whole.x > 0)

    def without(mu: int) -> float:
        bounds, start = gamma.copy(), whole.x.copy()
        bounds[mu] = start[mu] = 0.0
        found = _solve_margin(student, problem, bounds, start)
        return float(problem.S[mu] * found.E[mu])

    potentials[needed] = map_in_threads(without, needed.tolist(), n_jobs)
    return potentials, len(needed)


def _solve_margin(student: Any, problem: Problem, gamma: Array, x0: Array | None) -> Optimum:
    return solve_margin_problem(
        problem.xi,
        problem.S,
        gamma,
        tol=student.tol,
        max_epochs=student.max_iter,
        eta=student.eta,
        order=student.order,
        x0=x0,
    )
