"""Step III of tiling-like learning (4.9): one more perceptron, with few errors on the set given."""

from typing import Any

import numpy as np
from sklearn.base import clone

from markone.machines.units import Layer
from markone.perceptron.adatron import AdaTron
from markone.perceptron.pocket import Pocket
from markone.perceptron.problem import Array

# The pocket judges all P examples at each of P updates an epoch: so many operations a unit are enough.
WORK = 5e7
# Projections closer than this fraction of the largest are the same, for all that rounding tells.
TIE = 1e-12
LEAST_EPOCHS, MOST_EPOCHS = 20, 1000


def candidates(P: int, scale: float) -> list[Any]:
    """Without a student of the user's: the pocket, which counts errors, and a soft margin."""
    epochs = int(np.clip(WORK / P**2, LEAST_EPOCHS, MOST_EPOCHS))
    return [
        Pocket(max_iter=epochs, intercept_scaling=scale),
        AdaTron(C=1.0, exact=False, intercept_scaling=scale),
        # The wrong examples are few and soon outvoted: let both sides count the same.
        AdaTron(C=1.0, class_weight="balanced", exact=False, intercept_scaling=scale),
    ]


def unit(student: Any, X: Array, labels: Array, seed: int, scale: float) -> Layer:
    """The trained student as a hidden unit. That it did not converge is no news here."""
    student = clone(student)
    if "random_state" in student.get_params() and student.get_params()["random_state"] is None:
        student.set_params(random_state=seed)
    # Not `warnings.catch_warnings`: it is of the whole process, and others may train in other threads.
    vars(student)["_warn"] = lambda trained: None
    student.fit(X, labels)
    if not hasattr(student, "coef_"):
        raise ValueError(
            f"The student {type(student).__name__} has no weights in input space (coef_), so it cannot be a "
            "hidden unit. Choose one of markone.perceptron without a kernel."
        )
    found = Layer.of_perceptrons(
        np.asarray(student.coef_, float), -np.asarray(student.intercept_, float), scale
    )
    return shifted(found, X, labels)


def shifted(found: Layer, X: Array, labels: Array) -> Layer:
    """The same weights with the threshold of the fewest errors, if there is a better one.

    Half-way between two projections; this also takes examples off the plane itself, where rounding
    decides.
    """
    projections = found.projections(X)
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
    """The unit with the fewest errors on labels = +-1; the most stable one if there need be none."""
    if student is not None:
        return unit(student, X, labels, seed, scale)
    units = [unit(each, X, labels, seed, scale) for each in candidates(len(X), scale)]
    errors = [np.sum(each.hidden(X)[:, 0] != labels) for each in units]
    best = units[int(np.argmin(errors))]
    if min(errors) > 0:
        return best
    stable = unit(AdaTron(intercept_scaling=scale), X, labels, seed, scale)
    return stable if np.all(stable.hidden(X)[:, 0] == labels) else best
