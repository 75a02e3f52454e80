"""Nested cross-validation: the choice of parameters is part of the training   (section 6.2.2)."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import GridSearchCV, check_cv, cross_validate

from markone.evaluation.cross_validation.fold_table import FoldTable, split_sizes
from markone.numerics.arrays import Array


@dataclass(frozen=True)
class Nested:
    """Outer scores of students whose parameters were chosen inside each training set.

    Parameters
    ----------
    table : FoldTable
        The outer scores.
    chosen : list of dict
        Parameters chosen in each fold.
    inner : array (J,)
        Inner score of the chosen parameters, on average above the outer one (selection bias).
    scoring : str
        The measure.

    Examples
    --------
    >>> from markone import Adaline
    >>> from markone.data import load
    >>> from markone.evaluation import nested_cross_validation
    >>> iris = load("iris")
    >>> found = nested_cross_validation(Adaline(), {"ridge": [0.01, 1.0]}, iris.X, iris.y, outer=3, inner=3)
    >>> len(found.chosen), found.inner.shape
    (3, (3,))
    """

    table: FoldTable
    chosen: list[dict[str, Any]]
    inner: Array
    scoring: str

    @property
    def mean(self) -> float:
        return self.table.mean(self.scoring)

    @property
    def optimism(self) -> float:
        """Mean inner score of the chosen parameters minus mean outer score."""
        return float(np.mean(self.inner)) - self.mean

    def choices(self) -> list[tuple[dict[str, Any], int]]:
        """Chosen parameters and how often, the most frequent first."""
        counts = Counter(str(sorted(one.items())) for one in self.chosen)
        shown = {str(sorted(one.items())): one for one in self.chosen}
        return [(shown[key], times) for key, times in counts.most_common()]

    def __str__(self) -> str:
        lines = ["fold  outer   inner   chosen"]
        outer = self.table.scores[self.scoring]
        for k, (score, inner, one) in enumerate(zip(outer, self.inner, self.chosen, strict=True)):
            lines.append(f"{k:4}  {score:.4f}  {inner:.4f}  {one}")
        return "\n".join([*lines, str(self.table)])


def nested_cross_validation(
    estimator: Any,
    grid: Any,
    X: Any,
    y: Any,
    *,
    outer: Any = 5,
    inner: Any = 5,
    scoring: str = "accuracy",
    n_jobs: int | None = None,
) -> Nested:
    """Choose from `grid` by cross-validation `inner` within each training set of `outer`, then score outside.

    The result estimates the error of the whole procedure including the choice; parameters may differ between
    folds.

    Parameters
    ----------
    estimator : estimator
        A classifier; it is cloned, not changed.
    grid : dict or list of dict
        Values of the parameters to choose from.
    X : array (P, N)
        Examples, one per row.
    y : array (P,)
        Their labels.
    outer : int or splitter, default=5
        Outer folds, for the scores.
    inner : int or splitter, default=5
        Inner folds, for the choice within each training set.
    scoring : str, default="accuracy"
        scikit-learn's name of the measure.
    n_jobs : int or None, default=None
        Processes, as in scikit-learn.

    Returns
    -------
    Nested
        Outer scores and the choice of each fold.

    Examples
    --------
    >>> from markone import Adaline
    >>> from markone.data import load
    >>> from markone.evaluation import nested_cross_validation
    >>> iris = load("iris")
    >>> found = nested_cross_validation(Adaline(), {"ridge": [0.01, 1.0]}, iris.X, iris.y, outer=3, inner=3)
    >>> found.table.scores["accuracy"].shape
    (3,)
    """
    splits = list(check_cv(outer, y, classifier=True).split(X, y))
    search = inner_search(estimator, grid, inner, scoring)
    found = cross_validate(
        search, X, y, cv=splits, scoring=scoring, n_jobs=n_jobs, return_estimator=True, error_score="raise"
    )
    chosen = [one.best_params_ for one in found["estimator"]]
    best = np.array([one.best_score_ for one in found["estimator"]])
    return Nested(FoldTable({scoring: found["test_score"]}, *split_sizes(splits)), chosen, best, scoring)


def inner_search(estimator: Any, grid: Any, inner: Any, scoring: str) -> GridSearchCV:
    """Search over `grid` by the folds `inner` of the rows it is fitted to; a failing fit raises."""
    return GridSearchCV(estimator, grid, scoring=scoring, cv=inner, error_score="raise")
