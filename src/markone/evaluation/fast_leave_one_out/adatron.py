"""Leave-one-out of optimal stability: an example without embedding can be left out for nothing.

The student of (3.75), (4.5) is unique, and one with x^mu = 0 is also the best without mu. Only the support
vectors need a refit, and it starts from the strengths of the others.
"""

from typing import Any

import numpy as np
from sklearn.base import clone

from markone.base.warn import not_converged
from markone.base.weights import example_weights
from markone.numerics.arrays import Array
from markone.numerics.threads import in_threads
from markone.perceptron import AdaTron
from markone.perceptron.base.problem import Problem
from markone.perceptron.quadratic import Optimum, maximise


def applies(student: Any, P: int) -> bool:
    """The solver "fast"; weights that do not depend on who is left out; potentials not divided by |w|."""
    return (
        type(student) is AdaTron
        and student.solver == "fast"
        and student.exact
        and student.class_weight != "balanced"
        and not student.warm_start
        and not student.normalize
    )


def potentials_left_out(student: Any, X: Any, y: Array, n_jobs: int | None = None) -> tuple[Any, Array, int]:
    ready = clone(student)
    X, y = ready._read(X, y)
    ready._set_classes(y)
    weights = example_weights(X, y, ready.classes_, None, ready.class_weight)
    augmented, refits, columns = ready._augment(X), 0, []
    for S in ready._targets(y):
        column, n = _one_problem(ready, Problem(augmented, S, weights), n_jobs)
        columns.append(column)
        refits += n
    return ready, np.array(columns).T, refits


def _one_problem(student: Any, problem: Problem, n_jobs: int | None) -> tuple[Array, int]:
    weights = np.ones(problem.P) if problem.weights is None else problem.weights
    gamma = np.where(weights > 0, student.C * problem.N, 0.0)
    gamma[weights > 0] *= weights[weights > 0]
    whole = _solve(student, problem, gamma, None)
    potentials = problem.S * whole.E
    # Where no hard margin exists the student is the best one met, not a unique one: all are refitted.
    alone = whole.status in ("exact", "converged")
    if not alone:
        not_converged(f"AdaTron {whole.message}")
    needed = np.flatnonzero((whole.x > 0) if alone else gamma > 0)

    def without(mu: int) -> float:
        bounds, start = gamma.copy(), whole.x.copy()
        bounds[mu] = start[mu] = 0.0
        found = _solve(student, problem, bounds, start if alone else None)
        return float(problem.S[mu] * found.E[mu])

    potentials[needed] = in_threads(without, needed.tolist(), n_jobs)
    return potentials, len(needed)


def _solve(student: Any, problem: Problem, gamma: Array, x0: Array | None) -> Optimum:
    return maximise(
        problem.xi,
        problem.S,
        gamma,
        tol=student.tol,
        max_epochs=student.max_iter,
        eta=student.eta,
        order=student.order,
        x0=x0,
    )
