"""Theory of a classifier in a teacher's world: from its convex cost, or from its on-line rule.

A class states its cost by a method `convex_cost(N)`, which returns the loss and penalty of `theory.solve` for
N inputs, as {"loss": "log(1 + exp(-E))", "penalty": {"l2": self.l2}}. Those of scikit-learn are in COSTS.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import inf, nan, sqrt
from typing import Any

import numpy as np

from markone import theory
from markone.lab.scenario import Theory
from markone.lab.scenarios.estimators import student_expressions
from markone.numerics.arrays import Floats
from markone.perceptron.modulations.grammar import VARIABLES, parse_modulation

Cost = dict[str, Any]
World = Callable[[Mapping[str, Any]], Mapping[str, Any] | None]
# Parameters that do not change the minimiser: by symmetry the intercept is zero here.
NEUTRAL = {"fit_intercept", "tol", "max_iter", "solver", "random_state", "dual", "intercept_scaling"}
NEUTRAL |= {"warm_start", "n_jobs", "verbose", "cache_size", "shrinking", "copy_X", "record", "normalize"}


def _logistic_cost(student: Any, N: int) -> Cost | None:
    """C sum log(1 + exp(-E)) + |w|^2/2, or + sum |w_i|."""
    if inf == student.C:
        return None
    key = {"l2": "l2", "deprecated": "l2", "l1": "l1"}.get(student.penalty)
    key = "l1" if student.penalty == "deprecated" and student.l1_ratio == 1 else key
    if key is None:
        return None
    return {"loss": "logistic", "penalty": {key: 1 / (student.C * (N if key == "l2" else sqrt(N)))}}


COSTS: dict[str, tuple[set[str], Callable[[Any, int], Cost | None]]] = {
    "sklearn.linear_model.LogisticRegression": ({"C", "penalty", "l1_ratio"}, _logistic_cost),
    # C sum max(0, 1-E)^p + |w|^2/2; the engine's squared hinge has a factor 1/2.
    "sklearn.svm.LinearSVC": (
        {"C", "loss"},
        lambda s, N: {"loss": s.loss, "penalty": {"l2": 1 / ((1 + (s.loss == "squared_hinge")) * s.C * N)}},
    ),
    "sklearn.svm.SVC": (
        {"C", "kernel"},
        lambda s, N: {"loss": "hinge", "penalty": {"l2": 1 / (s.C * N)}} if s.kernel == "linear" else None,
    ),
    "sklearn.linear_model.RidgeClassifier": (
        {"alpha"},
        lambda s, N: {"loss": "square", "penalty": {"l2": s.alpha / N}},
    ),
}


def find_cost(student: Any, N: int) -> Cost | None:
    """The convex cost of a student with N inputs, None if it is not known to have one."""
    if hasattr(student, "convex_cost"):
        found: Cost = dict(student.convex_cost(N))
        return found
    entry = COSTS.get(student_expressions.public_class_name(type(student)))
    if entry is None or not student_expressions.changed_parameters(student) <= entry[0] | NEUTRAL:
        return None
    return entry[1](student, N)


def student_theory(measure: str, quantity: str, world: World, first: Theory | None = None) -> Theory:
    """Theory of a measure for every student whose cost or rule is known, after that of `first`."""

    def many(points: Sequence[Mapping[str, Any]]) -> Floats:
        values = first.values(points) if first else np.full(len(points), nan)
        groups: dict[str, list[int]] = {}
        for k in np.flatnonzero(np.isnan(values)).tolist():
            if (found := world(points[k])) is not None:
                rest = (points[k]["student"], points[k]["N"], found["teacher"], found["inputs"])
                groups.setdefault(repr(rest), []).append(k)
        for members in groups.values():
            values[members] = _solve_points([points[k] for k in members], world, quantity)
        return values

    title = first.title if first else f"{measure} for N to infinity"
    return Theory(title, measure, lambda point: float(many([point])[0]), "prediction", many)


def _solve_points(points: Sequence[Mapping[str, Any]], world: World, quantity: str) -> Floats:
    """The quantity at points that differ in alpha and noise only."""
    alpha = np.array([float(point["alpha"]) for point in points])
    worlds = [dict(world(point) or {}) for point in points]
    noise = np.array([one["noise"] for one in worlds])
    student, N = _parsed_student(points[0]["student"]), points[0]["N"]
    if student is None:
        return np.full(alpha.shape, nan)
    teacher, inputs = worlds[0]["teacher"], worlds[0]["inputs"]
    if student_expressions.public_class_name(type(student)) == "OnlineStudent":
        return _online_points(student, alpha, noise, teacher if inputs is None else None, quantity)
    cost = find_cost(student, N)
    if cost is None:
        return np.full(alpha.shape, nan)
    found = theory.solve(alpha, teacher=teacher, noise=noise, inputs=inputs, **cost)
    return np.asarray(getattr(found, quantity), dtype=float)


@lru_cache(maxsize=256)
def _parsed_student(written: str) -> Any:
    try:
        return student_expressions.parse_student(written)
    except ValueError:  # a compiled student
        return None


def _online_points(student: Any, alpha: Floats, noise: Floats, teacher: Any, quantity: str) -> Floats:
    """The flow of an on-line rule given as an expression; NaN for the others and for rules that diverge."""
    values = np.full(alpha.shape, nan)
    if teacher is None or not isinstance(student.rule, str) or student.fit_intercept:
        return values
    if student.rule.isidentifier() and student.rule not in VARIABLES:
        return values
    program = parse_modulation(student.rule)

    def f(E: Floats, alpha: float, R: float, Q: float) -> Floats:
        return program(E, w=sqrt(Q), alpha=alpha, eta=student.eta, c=student.c)

    for level in np.unique(noise):
        here = noise == level
        try:
            curve = theory.online(alpha[here], f, teacher, float(level), decay=student.decay)
        except (ValueError, ArithmeticError):
            continue
        values[here] = getattr(curve, quantity, nan)
    return values
