"""Leave-one-out (section 6.2.1): by the fast method of the student, or by P fits."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils import indexable

from markone.base.scores import as_scores, winning_labels
from markone.base.sklearn_compat import safe_indexing
from markone.evaluation.fast_leave_one_out import rosenblatt
from markone.evaluation.fast_leave_one_out.optimal_students import (
    adatron_left_out_potentials,
    kernel_left_out_potentials,
    least_squares_left_out_potentials,
    supports_adatron,
    supports_kernel_adatron,
    supports_least_squares,
)
from markone.evaluation.fast_leave_one_out.rosenblatt import (
    rosenblatt_left_out_potentials,
    supports_rosenblatt,
)
from markone.numerics.arrays import Array
from markone.numerics.threads import map_in_threads


@dataclass(frozen=True)
class LeftOut:
    """Potential and prediction of each example by the student trained on all others.

    Parameters
    ----------
    y : array (P,)
        The labels.
    potentials : array (P,) or (P, K)
        For two classes, or for more.
    predicted : array (P,)
        The predictions.
    refits : int
        Number of fits besides the one on all examples (P without a fast method), summed over the K problems.

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
        """Fraction of correct predictions."""
        return float(np.mean(self.predicted == self.y))

    @property
    def sd(self) -> float:
        """Standard deviation of the single outcomes 0 and 1, as in the digits report's Table II."""
        return float(np.std(self.predicted == self.y, ddof=1))

    @property
    def outliers(self) -> Array:
        """Indices of the examples that the student trained on all others misclassifies."""
        return np.flatnonzero(self.predicted != self.y)


def leave_one_out(student: Any, X: Any, y: Any, *, n_jobs: int | None = None) -> LeftOut:
    """Predict each example by the student trained on all others.

    Rosenblatt (in cyclic order from zero) is refitted only for examples that ever were a mistake, AdaTron
    and KernelAdaTron only for their support vectors, Adaline in closed form not at all. All other estimators
    with a `decision_function`, and other settings of these, are fitted P times. The results are the same,
    if two fits of the student to the same examples are: AdaTron with C infinite, on data that are not
    separable, is fitted P times to students that depend on `random_state`.

    Parameters
    ----------
    student : classifier
        With a `decision_function`.
    X : array (P, N)
        Examples, one per row.
    y : array (P,)
        Their labels.
    n_jobs : int or None, default=None
        Threads for the fits; -1 is all cores. The result does not depend on it.

    Returns
    -------
    LeftOut
        Prediction of each example, and the number of fits.

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
    for applies, left_out_potentials in _FAST:
        found = left_out_potentials(student, X, y, n_jobs) if applies(student, len(y)) else None
        if found is not None:
            ready, potentials, refits = found
            scores = as_scores(potentials)
            return LeftOut(y, scores, winning_labels(scores, ready.classes_), refits)
    return plain_leave_one_out(student, X, y, n_jobs=n_jobs)


def plain_leave_one_out(student: Any, X: Any, y: Any, *, n_jobs: int | None = None) -> LeftOut:
    """Leave-one-out by P fits of clones."""
    X, y = indexable(X, np.asarray(y))
    _check_classes(y)

    def without(mu: int) -> tuple[Any, Any]:
        others = np.delete(np.arange(len(y)), mu)
        fitted = clone(student).fit(safe_indexing(X, others), y[others])
        one = safe_indexing(X, [mu])
        return fitted.decision_function(one)[0], fitted.predict(one)[0]

    outcomes = map_in_threads(without, range(len(y)), n_jobs)
    return LeftOut(y, np.array([a for a, _ in outcomes]), np.array([b for _, b in outcomes]), len(y))


def _check_classes(y: Array) -> None:
    labels, counts = np.unique(y, return_counts=True)
    if len(labels) < 2 or counts.min() < 2:
        few = labels[counts.argmin()]
        raise ValueError(
            f"The class {str(few)!r} has {counts.min()} of {len(y)} examples, and there are {len(labels)} "
            "class(es): leave-one-out needs two or more classes with at least two examples each."
        )


# Condition, and function that returns the student, the potentials, the number of refits (None: not unique).
_FAST = (
    (supports_rosenblatt, rosenblatt_left_out_potentials),
    (supports_adatron, adatron_left_out_potentials),
    (supports_kernel_adatron, kernel_left_out_potentials),
    (supports_least_squares, least_squares_left_out_potentials),
)


@dataclass(frozen=True)
class Folds:
    """Test examples of every split and their potentials, (n,) for two classes or (n, K).

    The same potentials give the K binary classifications ("is it a 3?": the sign) and the one of K classes
    (the largest).

    Parameters
    ----------
    y : array (P,)
        The labels.
    classes : array (K,)
        The classes.
    tests : list of array
        Test examples of each split.
    potentials : list of array
        Their potentials.

    Examples
    --------
    >>> from markone import Rosenblatt
    >>> from markone.data import two_classes
    >>> from markone.evaluation import fold_potentials
    >>> xi, S, _ = two_classes("halo", 20)
    >>> folds = fold_potentials(Rosenblatt(), xi, S, cv=4)
    >>> [len(test) for test in folds.tests]
    [5, 5, 5, 5]
    """

    y: Array
    classes: Array
    tests: list[Array]
    potentials: list[Array]

    def predicted(self, fold: int) -> Array:
        """Predicted labels of the test examples of one fold."""
        return winning_labels(self.potentials[fold], self.classes)

    def pairs(self) -> list[tuple[Array, Array]]:
        """(y, predicted) of every fold."""
        return [(self.y[test], self.predicted(k)) for k, test in enumerate(self.tests)]

    def binary(self, label: Any) -> list[tuple[Array, Array, Array]]:
        """(y == label, predicted, potential) of every fold."""
        place = list(self.classes).index(label)
        found = []
        for test, scores in zip(self.tests, self.potentials, strict=True):
            one = scores[:, place] if scores.ndim == 2 else (scores if place else -scores)
            found.append((self.y[test] == label, one >= 0, one))
        return found


def fold_potentials(student: Any, X: Any, y: Any, cv: Any = 10) -> Folds:
    """Train on every split of `cv` and return the potentials of the left-out examples.

    Rosenblatt in cyclic order from zero shares one matrix of correlations over all folds and classes; any
    other estimator with a `decision_function` is cloned and fitted. The results are the same.

    Parameters
    ----------
    student : classifier
        With a `decision_function`.
    X : array (P, N)
        Examples, one per row.
    y : array (P,)
        Their labels.
    cv : int or splitter, default=10
        The folds.

    Returns
    -------
    Folds
        Test examples of every split and their potentials.

    Examples
    --------
    >>> from markone import Rosenblatt
    >>> from markone.data import two_classes
    >>> from markone.evaluation import fold_potentials
    >>> xi, S, _ = two_classes("halo", 20)
    >>> len(fold_potentials(Rosenblatt(), xi, S, cv=4).potentials)
    4
    """
    X, y = indexable(X, np.asarray(y))
    splits = list(check_cv(cv, y, classifier=True).split(X, y))
    tests = [test for _, test in splits]
    if rosenblatt.supports_rosenblatt(student, len(y)) and all(
        len(set(y[train])) == len(set(y)) for train, _ in splits
    ):
        shared = rosenblatt.SharedExamples(student, X, y)
        trained = [[shared.train_on(train, S) for S in shared.targets] for train, _ in splits]
        shared.warn_not_converged(np.array([converged for fold in trained for _, _, converged in fold]))
        found = [_test_potentials(shared, test, fold) for test, fold in zip(tests, trained, strict=True)]
        return Folds(y, shared.student.classes_, tests, found)
    fitted = [clone(student).fit(safe_indexing(X, train), y[train]) for train, _ in splits]
    found = [one.decision_function(safe_indexing(X, test)) for one, test in zip(fitted, tests, strict=True)]
    return Folds(y, fitted[0].classes_, tests, found)


def _test_potentials(
    shared: rosenblatt.SharedExamples, test: Array, fold: list[tuple[Array, int, bool]]
) -> Array:
    return as_scores(shared.compute_potentials(test, np.array([w for w, _, _ in fold])))
