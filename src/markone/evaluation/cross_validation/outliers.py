"""Outliers by cross-validation: examples misclassified by every student trained without them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import LeaveOneOut, check_cv
from sklearn.utils import indexable

from markone.base.sklearn_compat import safe_indexing
from markone.evaluation.fast_leave_one_out import leave_one_out
from markone.numerics.arrays import Array


@dataclass(frozen=True)
class Outliers:
    """Examples misclassified in every fold in which they were tested.

    Parameters
    ----------
    indices : array
        Their rows.
    labels : array
        Their labels.
    answers : array
        Most frequent prediction of each.
    tested, wrong : array (P,)
        How often each example was tested and misclassified.

    Examples
    --------
    >>> from markone import Adaline
    >>> from markone.evaluation import outliers
    >>> found = outliers(Adaline(), [[0.0], [0.1], [0.9], [1.0], [0.05]], [0, 0, 1, 1, 1])
    >>> 4 in found.indices
    True
    """

    indices: Array
    labels: Array
    answers: Array
    tested: Array
    wrong: Array

    @property
    def share(self) -> float:
        """Fraction of the tested examples; 1 - accuracy for leave-one-out."""
        return len(self.indices) / int((self.tested > 0).sum())

    def __str__(self) -> str:
        lines = [f"{len(self.indices)} outliers, {100 * self.share:.2f} % of the examples"]
        rows = zip(self.indices, self.labels, self.answers, strict=True)
        return "\n".join(lines + [f"{mu:6}  is {label}, taken for {answer}" for mu, label, answer in rows])


def outliers(estimator: Any, X: Any, y: Any, *, cv: Any = None) -> Outliers:
    """Examples misclassified in every fold; by (fast) leave-one-out if cv is None.

    Parameters
    ----------
    estimator : estimator
        A classifier; it is cloned, not changed.
    X : array (P, N)
        Examples, one per row.
    y : array (P,)
        Their labels.
    cv : int, splitter or None, default=None
        The folds; None: leave-one-out.

    Returns
    -------
    Outliers
        Their rows, labels and predictions.

    Examples
    --------
    >>> from markone import Adaline
    >>> from markone.evaluation import outliers
    >>> outliers(Adaline(), [[0.0], [0.1], [0.9], [1.0], [0.05]], [0, 0, 1, 1, 1]).wrong.tolist()
    [0, 1, 0, 0, 1]
    """
    X, y = indexable(X, np.asarray(y))
    classes, label = np.unique(y, return_inverse=True)
    answers = np.zeros((len(y), len(classes)), int)
    if (cv is None or isinstance(cv, LeaveOneOut)) and hasattr(estimator, "decision_function"):
        found = np.searchsorted(classes, leave_one_out(estimator, X, y).predicted)
        answers[np.arange(len(y)), found] = 1
    else:
        for train, test in check_cv(cv or LeaveOneOut(), y, classifier=True).split(X, y):
            fitted = clone(estimator).fit(safe_indexing(X, train), y[train])
            np.add.at(answers, (test, np.searchsorted(classes, fitted.predict(safe_indexing(X, test)))), 1)
    tested, right = answers.sum(axis=1), answers[np.arange(len(y)), label]
    indices = np.flatnonzero((tested > 0) & (right == 0))
    return Outliers(indices, y[indices], classes[answers[indices].argmax(axis=1)], tested, tested - right)
