"""Potentials of the test examples of each fold, one against the rest for several classes."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils import indexable

from markone.base.scores import as_scores, winning_labels
from markone.base.sklearn_compat import safe_indexing
from markone.evaluation.fast_leave_one_out import rosenblatt
from markone.numerics.arrays import Array


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
