"""Step III of tiling-like learning (4.9): one more perceptron with few errors on the given set."""

from typing import Any

import numpy as np
from sklearn import config_context
from sklearn.base import clone

from markone.machines.units import Layer
from markone.numerics.arrays import Array
from markone.perceptron.students.adatron import AdaTron
from markone.perceptron.students.pocket import Pocket

# Pocket evaluates P examples at each of P updates of an epoch: this limits the operations per unit.
WORK = 5e7
# Relative difference of projections below which they count as equal because of rounding.
TIE = 1e-12
# Only the errors matter: a smaller duality gap takes 1.5 times as long and saves no unit.
GAP = 1e-3
LEAST_EPOCHS, MOST_EPOCHS = 20, 1000


class SweptAdaTron(AdaTron):
    """AdaTron by sweeps only, up to the given gap."""

    _sweeps_only = True


def _candidate_students(P: int, seed: int, scale: float) -> list[Any]:
    """The default students: Pocket, which minimises errors, and soft-margin AdaTrons."""
    epochs = int(np.clip(WORK / P**2, LEAST_EPOCHS, MOST_EPOCHS))
    how: dict[str, Any] = {"intercept_scaling": scale, "random_state": seed}
    soft = how | {"exact": False, "tol": GAP}
    return [
        Pocket(max_iter=epochs, **how),
        SweptAdaTron(C=1.0, **soft),
        # The wrong examples are few: balanced weights give both classes the same influence.
        SweptAdaTron(C=1.0, class_weight="balanced", **soft),
    ]


def _clone_student(student: Any, seed: int) -> Any:
    """Clone the user's student; set its seed if it has none."""
    student = clone(student)
    parameters = student.get_params()
    if "random_state" in parameters and parameters["random_state"] is None:
        student.set_params(random_state=seed)
    return student


def _train_hidden_unit(student: Any, X: Array, labels: Array, scale: float) -> Layer:
    """Train the student as a hidden unit, without convergence warnings."""
    # Not `warnings.catch_warnings`, which affects the whole process: other threads may train, too.
    vars(student)["_warn"] = lambda outcomes: None
    student.fit(X, labels)
    if not hasattr(student, "coef_"):
        raise ValueError(
            f"The student {type(student).__name__} has no weights in input space (coef_), so it cannot be a "
            "hidden unit. Choose one of markone.perceptron without a kernel."
        )
    found = Layer.of_perceptrons(
        np.asarray(student.coef_, float), -np.asarray(student.intercept_, float), scale
    )
    return _shift_threshold(found, X, labels)


def _shift_threshold(found: Layer, X: Array, labels: Array) -> Layer:
    """Replace the threshold by the one with the fewest errors, if it has fewer.

    Half-way between two projections; this also moves examples off the plane itself, where rounding
    would decide.
    """
    projections = found.first_projections(X)
    order = np.argsort(projections, kind="stable")
    t, S = projections[order], labels[order]
    # errors[i]: sigma = -1 for the i smallest projections, +1 for the others
    errors = np.sum(S < 0) + np.append(0, np.cumsum(S))
    apart = np.append(np.inf, np.append(np.diff(t), np.inf)) > TIE * np.abs(t).max(initial=0.0)
    best = int(np.argmin(np.where(apart, errors, len(S) + 1)))
    if errors[best] >= np.sum(found.hidden(X)[:, 0] != labels):
        return found
    edges = np.concatenate([[t[0] - 1.0], 0.5 * (t[1:] + t[:-1]), [t[-1] + 1.0]])
    return Layer.of_perceptrons(found.weights, edges[best : best + 1], found.scale)


def best_unit(student: Any, X: Array, labels: Array, seed: int, scale: float) -> Layer:
    """The unit with the fewest errors on labels = +-1; the most stable one if there are none."""
    if student is not None:
        return _train_hidden_unit(_clone_student(student, seed), X, labels, scale)
    # X was validated before; validation takes longer than a small fit.
    with config_context(assume_finite=True, skip_parameter_validation=True):
        return _best_candidate_unit(X, labels, seed, scale)


def _best_candidate_unit(X: Array, labels: Array, seed: int, scale: float) -> Layer:
    units = [_train_hidden_unit(each, X, labels, scale) for each in _candidate_students(len(X), seed, scale)]
    errors = [np.sum(each.hidden(X)[:, 0] != labels) for each in units]
    best = units[int(np.argmin(errors))]
    if min(errors) > 0:
        return best
    stable = _train_hidden_unit(AdaTron(intercept_scaling=scale, random_state=seed), X, labels, scale)
    return stable if np.all(stable.hidden(X)[:, 0] == labels) else best
