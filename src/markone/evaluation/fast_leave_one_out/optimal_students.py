"""Leave-one-out of optimal stability, linear and with a kernel: only support vectors need a refit.

The solution of (3.75), (4.5) is unique; with x^mu = 0 it is also optimal without mu. A refit starts from the
embedding strengths of the others.
"""

from typing import Any

import numpy as np
from sklearn.base import clone

from markone.base.sklearn_compat import safe_indexing
from markone.base.weights import example_weights
from markone.numerics.arrays import Array
from markone.numerics.threads import map_in_threads
from markone.perceptron import Adaline, AdaTron, KernelAdaTron
from markone.perceptron.base.problem import Problem
from markone.perceptron.margin import Optimum, solve_margin_problem
from markone.perceptron.students.adaline import _least_squares


def supports_adatron(student: Any, P: int) -> bool:
    """True for solver "fast", weights independent of the training set, potentials not divided by |w|.

    Not with a free threshold, which need not be unique.
    """
    return (
        type(student) is AdaTron
        and student.solver == "fast"
        and student.exact
        and student.class_weight != "balanced"
        and not student.warm_start
        and not student.normalize
        and student.fit_intercept != "free"
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


def supports_kernel_adatron(student: Any, P: int) -> bool:
    """True if kernel and weights do not depend on the training set; gamma="scale" is a variance of it.

    Not with a soft margin and a free threshold, which is not unique if all support vectors are clipped.
    """
    if type(student) is not KernelAdaTron or (student.fit_intercept == "free" and np.isfinite(student.C)):
        return False
    fixed = student.kernel in ("linear", "precomputed") or student.gamma != "scale"
    return fixed and not callable(student.kernel) and student.class_weight is None and not student.normalize


def kernel_left_out_potentials(
    student: Any, X: Any, y: Array, n_jobs: int | None = None
) -> tuple[Any, Array, int]:
    ready = clone(student).fit(X, y)
    potentials = np.asarray(ready.decision_function(X)).reshape(len(y), -1).copy()
    unique = set(np.atleast_1d(ready.status_)) <= {"exact", "converged"}
    # Without a hard margin the solution is not unique: all examples are refitted.
    needed = (
        np.flatnonzero((np.atleast_2d(ready.embedding_) > 0).any(axis=0)) if unique else np.arange(len(y))
    )

    def without(mu: int) -> Array:
        kept = np.ones(len(y))
        kept[mu] = 0.0
        other = clone(student).fit(X, y, sample_weight=kept)
        return np.ravel(other.decision_function(safe_indexing(X, [mu])))

    for mu, scores in zip(needed, map_in_threads(without, needed.tolist(), n_jobs), strict=True):
        potentials[mu] = scores
    return ready, potentials, len(needed)


# 1 - h below this: the example is fitted exactly, up to rounding.
ALONE = 1e-10


def supports_least_squares(student: Any, P: int) -> bool:
    """True for Adaline in closed form with weights that do not depend on the training set."""
    return (
        type(student) is Adaline
        and student.solver == "closed"
        and student.class_weight != "balanced"
        and not student.normalize
    )


def least_squares_left_out_potentials(
    student: Any, X: Any, y: Array, n_jobs: int | None = None
) -> tuple[Any, Array, int]:
    """Student, potentials of the left-out examples and number of refits; always in one thread."""
    ready: Adaline = clone(student)
    X, y = ready._read_data(X, y)
    ready._set_classes(y)
    weights = example_weights(X, y, ready.classes_, None, ready.class_weight)
    inputs = ready._append_clamped_input(X)
    inputs = inputs.toarray() if hasattr(inputs, "toarray") else inputs
    targets = np.array(ready._make_targets(y)).T
    potentials, refits = ridge_left_out(inputs, targets, ready.ridge, weights)
    return ready, potentials, refits


def ridge_left_out(
    X: Array, targets: Array, ridge: float = 0.0, weights: Array | None = None
) -> tuple[Array, int]:
    """Fit at each example of argmin sum weights (t - w . x)^2 + ridge |w|^2 over the others.

    Parameters
    ----------
    X : array (P, N)
        The inputs, with a column of ones if a threshold is wanted.
    targets : array (P,) or (P, K)
        Real values.
    ridge : float, default=0.0
        The penalty.
    weights : array (P,) or None, default=None
        Weights of the squares.

    Returns
    -------
    fits : array
        Of the shape of the targets.
    refits : int
        Number of examples that were refitted: those with h_ii = 1, if not all examples have it.

    Examples
    --------
    >>> import numpy as np
    >>> from markone.evaluation import ridge_left_out
    >>> fits, refits = ridge_left_out(np.ones((4, 1)), np.array([1.0, 2.0, 3.0, 6.0]))
    >>> fits.round(9).tolist(), refits
    ([3.666666667, 3.333333333, 3.0, 2.0], 0)
    """
    X, t = np.asarray(X, dtype=float), np.asarray(targets, dtype=float).reshape(len(X), -1)
    if not ridge >= 0:
        raise ValueError(f"ridge = {ridge} must not be negative.")
    root = np.sqrt(np.ones(len(X)) if weights is None else np.asarray(weights, dtype=float))
    A, b = root[:, None] * X, root[:, None] * t
    U, s, _ = np.linalg.svd(A, full_matrices=False)
    kept = s > s.max(initial=0.0) * max(A.shape) * np.finfo(float).eps
    U, s = U[:, kept], s[kept]
    share = (U * s**2 / (s**2 + ridge)) if ridge else U
    h, fit = np.einsum("ij,ij->i", share, U), share @ (U.T @ b)
    rest = 1.0 - h
    fits, refits = np.empty_like(t), 0
    usual = (rest > ALONE) & (root > 0)
    fits[usual] = (fit[usual] - h[usual, None] * b[usual]) / rest[usual, None] / root[usual, None]
    others = np.flatnonzero(~usual)
    if len(others) == len(X) and len(s) == len(X):
        inverse = (U / s**2) @ U.T
        fits = (b - inverse @ b / np.diag(inverse)[:, None]) / root[:, None]
    else:
        refits = len(others)
        for mu in others:
            left = np.arange(len(X)) != mu
            fits[mu] = X[mu] @ _least_squares(A[left], b[left], ridge)
    return fits.reshape(np.shape(targets)), refits
