"""Scores of cross-validation fold by fold, and intervals of their mean."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from sklearn.model_selection import GridSearchCV, check_cv, cross_validate
from sklearn.utils.multiclass import type_of_target

from markone.base.parameters import ClonedEstimator, Examples, Labels, Processes, Splits, documented
from markone.numerics.arrays import Array
from markone.numerics.intervals import fold_error, fold_interval

BINARY_MEASURES = ("accuracy", "balanced_accuracy", "roc_auc", "average_precision", "f1", "matthews_corrcoef")
# Range of a measure, by the prefix of its name: scikit-learn's names and those of `markone fit`.
MEASURE_RANGES: dict[tuple[str, ...], tuple[float, float]] = {
    ("accuracy", "balanced_accuracy", "top_k_accuracy", "roc_auc", "auc", "average_precision"): (0.0, 1.0),
    ("f1", "precision", "recall", "jaccard", "brier"): (0.0, 1.0),
    ("matthews", "mcc", "cohen_kappa"): (-1.0, 1.0),
    ("r2", "explained_variance", "d2_"): (-math.inf, 1.0),
    ("neg_",): (-math.inf, 0.0),
}
MULTICLASS_MEASURES = ("accuracy", "balanced_accuracy", "f1_macro", "matthews_corrcoef")


@dataclass(frozen=True)
class MeasureRow:
    """One measure over all folds."""

    measure: str
    mean: float
    sd: float
    standard_error: float
    low: float
    high: float


@documented
@dataclass(frozen=True)
class FoldTable:
    """Scores of every fold.

    `sd` is the spread over folds, `standard_error` sd/sqrt(J) as if the J folds were independent. They are
    not: training sets overlap ("should not be over-interpreted", section 6.2.1). `interval` therefore uses
    the corrected variance of Nadeau and Bengio (2003), sd^2 (1/J + n_test/n_train), with J - 1 degrees of
    freedom, and is at least Wilson's interval of a proportion of the test examples.

    Examples
    --------
    >>> from markone import Hebb
    >>> from markone.data import load
    >>> from markone.evaluation import cross_validated
    >>> iris = load("iris")
    >>> table = cross_validated(Hebb(), iris.X, iris.y, cv=5, scoring="accuracy")
    >>> table.scores["accuracy"].shape
    (5,)
    """

    scores: Annotated[Mapping[str, Array], "mapping of str to array (J,): Scores of the J folds, by measure."]
    train_sizes: Annotated[Array, "array (J,): Number of examples of each fold."]
    test_sizes: Annotated[Array, "array (J,): Number of examples of each fold."]

    @property
    def n_folds(self) -> int:
        return len(self.train_sizes)

    def mean(self, measure: str) -> float:
        return float(np.mean(self._fold_scores(measure)))

    def sd(self, measure: str) -> float:
        return float(np.std(self._fold_scores(measure), ddof=1)) if self.n_folds > 1 else float("nan")

    def standard_error(self, measure: str) -> float:
        return self.sd(measure) / math.sqrt(self.n_folds)

    def corrected_error(self, measure: str) -> float:
        """sd sqrt(1/J + n_test/n_train)   (Nadeau and Bengio 2003)."""
        return fold_error(self._fold_scores(measure), self.train_sizes, self.test_sizes)

    def interval(self, measure: str, level: float = 0.95) -> tuple[float, float]:
        """`fold_interval` of the mean; NaN for one fold."""
        values = self._fold_scores(measure)
        return fold_interval(values, self.train_sizes, self.test_sizes, _measure_range(measure), level)

    def rows(self, level: float = 0.95) -> list[MeasureRow]:
        """One row per measure."""
        return [
            MeasureRow(
                name, self.mean(name), self.sd(name), self.standard_error(name), *self.interval(name, level)
            )
            for name in self.scores
        ]

    def __str__(self) -> str:
        lines = [f"{'measure':24} {'mean':>8} {'sd':>8} {'error':>8}   95 % interval ({self.n_folds} folds)"]
        for row in self.rows():
            numbers = f"{row.mean:8.4f} {row.sd:8.4f} {row.standard_error:8.4f}"
            lines.append(f"{row.measure:24} {numbers}   {row.low:.4f} .. {row.high:.4f}")
        return "\n".join(lines)

    def _fold_scores(self, measure: str) -> Array:
        if measure not in self.scores:
            raise ValueError(f"There is no measure {measure!r} here: there are {', '.join(self.scores)}.")
        return self.scores[measure]


def split_sizes(splits: Sequence[tuple[Array, Array]]) -> tuple[Array, Array]:
    """Sizes of the training and test sets of each split."""
    return np.array([len(train) for train, _ in splits]), np.array([len(test) for _, test in splits])


def _measure_range(measure: str) -> tuple[float, float]:
    """Smallest and largest possible value of a measure; infinite where unknown."""
    for names, range_ in MEASURE_RANGES.items():
        if measure.startswith(names):
            return range_
    return -math.inf, math.inf


@documented
def cross_validated(
    estimator: ClonedEstimator,
    X: Examples,
    y: Labels,
    *,
    cv: Splits = 10,
    scoring: Sequence[str] | str | None = None,
    n_jobs: Processes = None,
) -> FoldTable:
    """Cross-validate by scikit-learn's `cross_validate` and return a table of fold scores.

    Parameters
    ----------
    scoring : str, sequence of str or None, default=None
        scikit-learn's names. None: accuracy, balanced accuracy, F and Matthews' coefficient, and for two
        classes also the areas under ROC and precision-recall (class `classes_[1]` is the positive one).

    Returns
    -------
    FoldTable
        Scores of every fold, with means and intervals.

    Examples
    --------
    >>> from markone import Adaline
    >>> from markone.data import load
    >>> from markone.evaluation import cross_validated
    >>> iris = load("iris")
    >>> sorted(cross_validated(Adaline(), iris.X, iris.y, cv=5).scores)
    ['accuracy', 'balanced_accuracy', 'f1_macro', 'matthews_corrcoef']
    """
    two = type_of_target(y) == "binary"
    names = (BINARY_MEASURES if two else MULTICLASS_MEASURES) if scoring is None else scoring
    names = [names] if isinstance(names, str) else list(names)
    if scoring is None and two and np.asarray(y).dtype.kind in "USO":
        # scikit-learn's f1 and average precision need a positive label when labels are text.
        y = (np.asarray(y) == np.unique(y)[1]).astype(int)
    splits = list(check_cv(cv, y, classifier=True).split(X, y))
    found = cross_validate(estimator, X, y, cv=splits, scoring=names, n_jobs=n_jobs, error_score="raise")
    return FoldTable({name: found[f"test_{name}"] for name in names}, *split_sizes(splits))


@documented
@dataclass(frozen=True)
class Nested:
    """Outer scores of students whose parameters were chosen inside each training set.

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

    table: Annotated[FoldTable, "FoldTable: The outer scores."]
    chosen: Annotated[list[dict[str, Any]], "list of dict: Parameters chosen in each fold."]
    inner: Annotated[Array, "array (J,): Inner score of the chosen parameters, on average above the outer."]
    scoring: Annotated[str, "str: The measure."]

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


@documented
def nested_cross_validation(
    estimator: ClonedEstimator,
    grid: Any,
    X: Examples,
    y: Labels,
    *,
    outer: Any = 5,
    inner: Any = 5,
    scoring: str = "accuracy",
    n_jobs: Processes = None,
) -> Nested:
    """Choose from `grid` by cross-validation `inner` within each training set of `outer`, then score outside.

    The result estimates the error of the whole procedure including the choice; parameters may differ between
    folds.

    Parameters
    ----------
    grid : dict or list of dict
        Values of the parameters to choose from.
    outer : int or splitter, default=5
        Outer folds, for the scores.
    inner : int or splitter, default=5
        Inner folds, for the choice within each training set.
    scoring : str, default="accuracy"
        scikit-learn's name of the measure.

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
