"""Step III of tiling-like learning (4.9): one more perceptron, with few errors on the set given."""

from typing import Any

import numpy as np
from sklearn import config_context
from sklearn.base import clone

from markone.machines.units import Layer
from markone.numerics.arrays import Array
from markone.perceptron.students.adatron import AdaTron
from markone.perceptron.students.pocket import Pocket

# The pocket judges all P examples at each of P updates an epoch: so many operations a unit are enough.
WORK = 5e7
# Projections closer than this fraction of the largest are the same, for all that rounding tells.
TIE = 1e-12
# What counts are the errors: a smaller duality gap takes half as long again and saves no unit.
GAP = 1e-3
LEAST_EPOCHS, MOST_EPOCHS = 20, 1000


class Swept(AdaTron):
    """By sweeps alone to the gap asked for."""

    _sweeps_only = True


def candidates(P: int, seed: int, scale: float) -> list[Any]:
    """Without a student of the user's: the pocket, which counts errors, and a soft margin."""
    epochs = int(np.clip(WORK / P**2, LEAST_EPOCHS, MOST_EPOCHS))
    how: dict[str, Any] = {"intercept_scaling": scale, "random_state": seed}
    soft = how | {"exact": False, "tol": GAP}
    return [
        Pocket(max_iter=epochs, **how),
        Swept(C=1.0, **soft),
        # The wrong examples are few and soon outvoted: let both sides count the same.
        Swept(C=1.0, class_weight="balanced", **soft),
    ]


def of_user(student: Any, seed: int) -> Any:
    """A copy to train, with a seed of its own if it has none."""
    student = clone(student)
    parameters = student.get_params()
    if "random_state" in parameters and parameters["random_state"] is None:
        student.set_params(random_state=seed)
    return student


def unit(student: Any, X: Array, labels: Array, scale: float) -> Layer:
    """The student, trained, as a hidden unit. That it did not converge is no news here."""
    # Not `warnings.catch_warnings`: it is of the whole process, and others may train in other threads.
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
        return unit(of_user(student, seed), X, labels, scale)
    # X was checked before, and a small set is learned faster than it is checked.
    with config_context(assume_finite=True, skip_parameter_validation=True):
        return best_of_own(X, labels, seed, scale)


def best_of_own(X: Array, labels: Array, seed: int, scale: float) -> Layer:
    units = [unit(each, X, labels, scale) for each in candidates(len(X), seed, scale)]
    errors = [np.sum(each.hidden(X)[:, 0] != labels) for each in units]
    best = units[int(np.argmin(errors))]
    if min(errors) > 0:
        return best
    stable = unit(AdaTron(intercept_scaling=scale, random_state=seed), X, labels, scale)
    return stable if np.all(stable.hidden(X)[:, 0] == labels) else best
