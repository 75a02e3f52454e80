"""Leave-one-out (section 6.2.1): the fast way of each student, or all P fits."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import indexable

from markone.base.scores import as_scores, winning_labels
from markone.base.sklearn_compat import safe_indexing
from markone.evaluation.fast_leave_one_out import adatron, feature_space, least_squares, rosenblatt
from markone.numerics.arrays import Array
from markone.numerics.threads import in_threads


@dataclass(frozen=True)
class LeftOut:
    """What the student of all other examples says of each example.

    Parameters
    ----------
    y : array (P,)
        The labels.
    potentials : array (P,) or (P, K)
        For two classes, or for more.
    predicted : array (P,)
        The answers.
    refits : int
        How many trainings it took beside the one on all examples (P of them the plain way; those of all K
        problems are added up).

    Examples
    --------
    >>> from markone import Adaline
    >>> from markone.data import two_classes
    >>> from markone.evaluation import leave_one_out
    >>> xi, S, _ = two_classes("dense", 20)
    >>> leave_one_out(Adaline(), xi, S).refits
    0
    """

    y: Array
    potentials: Array
    predicted: Array
    refits: int

    @property
    def accuracy(self) -> float:
        return float(np.mean(self.predicted == self.y))

    @property
    def sd(self) -> float:
        """Of the single outcomes 0 and 1, as the digits report's Table II has it."""
        return float(np.std(self.predicted == self.y, ddof=1))

    @property
    def outliers(self) -> Array:
        """The examples that the student of all others gets wrong."""
        return np.flatnonzero(self.predicted != self.y)


def leave_one_out(student: Any, X: Any, y: Any, *, n_jobs: int | None = None) -> LeftOut:
    """Leave each example out in turn, train on the others, and ask about it.

    Rosenblatt (in cyclic order from zero) is refitted only for examples that ever were a mistake, AdaTron
    and KernelAdaTron only for their support vectors, Adaline in closed form not at all. All other estimators
    with a `decision_function`, and other settings of these, go the plain way of P fits. The answers are the
    same.

    Parameters
    ----------
    student : classifier
        With a `decision_function`.
    X : array (P, N)
        The examples, one a row.
    y : array (P,)
        Their labels.
    n_jobs : int or None, default=None
        Threads for the fits; -1 is all cores. The answers do not depend on it.

    Returns
    -------
    LeftOut
        The answer to each example, and how many fits it took.

    Examples
    --------
    >>> from markone import Rosenblatt
    >>> from markone.data import two_classes
    >>> from markone.evaluation import leave_one_out
    >>> xi, S, _ = two_classes("halo", 40)
    >>> found = leave_one_out(Rosenblatt(), xi, S)
    >>> bool((found.predicted == S).all()), found.refits < 40
    (True, True)
    """
    X, y = indexable(X, np.asarray(y))
    _check_classes(y)
    for module in (rosenblatt, adatron, feature_space, least_squares):
        if module.applies(student, len(y)):
            return _FAST[module.__name__.rsplit(".", 1)[1]](student, X, y, n_jobs)
    return plain_leave_one_out(student, X, y, n_jobs=n_jobs)


def plain_leave_one_out(student: Any, X: Any, y: Any, *, n_jobs: int | None = None) -> LeftOut:
    """P clones, P fits."""
    X, y = indexable(X, np.asarray(y))
    _check_classes(y)

    def without(mu: int) -> tuple[Any, Any]:
        others = np.delete(np.arange(len(y)), mu)
        fitted = clone(student).fit(safe_indexing(X, others), y[others])
        one = safe_indexing(X, [mu])
        return fitted.decision_function(one)[0], fitted.predict(one)[0]

    answers = in_threads(without, range(len(y)), n_jobs)
    return LeftOut(y, np.array([a for a, _ in answers]), np.array([b for _, b in answers]), len(y))


def _check_classes(y: Array) -> None:
    labels, counts = np.unique(y, return_counts=True)
    if len(labels) < 2 or counts.min() < 2:
        few = labels[counts.argmin()]
        raise ValueError(
            f"The class {str(few)!r} has {counts.min()} of {len(y)} examples, and there are {len(labels)} "
            "class(es): leave-one-out needs two or more classes with two examples each, else one is "
            "unknown in training."
        )


def _of_rosenblatt(student: Any, X: Any, y: Array, n_jobs: int | None) -> LeftOut:
    shared, refits, columns, ended = rosenblatt.Shared(student, X, y), 0, [], []
    for W, _, converged, n in in_threads(shared.leave_each_out, shared.targets, n_jobs):
        refits += n
        ended.append(converged)
        columns.append([shared.potentials([mu], W[mu : mu + 1])[0, 0] for mu in range(len(y))])
    shared.warn(np.array(ended))
    return _left_out(shared.student, y, np.array(columns).T, refits)


def _of_adatron(student: Any, X: Any, y: Array, n_jobs: int | None) -> LeftOut:
    ready, potentials, refits = adatron.potentials_left_out(student, X, y, n_jobs)
    return _left_out(ready, y, potentials, refits)


def _of_feature_space(student: Any, X: Any, y: Array, n_jobs: int | None) -> LeftOut:
    ready, potentials, refits = feature_space.potentials_left_out(student, X, y, n_jobs)
    return _left_out(ready, y, potentials, refits)


def _of_least_squares(student: Any, X: Any, y: Array, n_jobs: int | None) -> LeftOut:
    ready, potentials, refits = least_squares.potentials_left_out(student, X, y)
    return _left_out(ready, y, potentials, refits)


def _left_out(ready: Any, y: Array, potentials: Array, refits: int) -> LeftOut:
    scores = as_scores(potentials)
    return LeftOut(y, scores, winning_labels(scores, ready.classes_), refits)


_FAST = {
    "rosenblatt": _of_rosenblatt,
    "adatron": _of_adatron,
    "feature_space": _of_feature_space,
    "least_squares": _of_least_squares,
}
