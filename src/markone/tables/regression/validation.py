"""Cross-validation of a regressor; copies of a row stay in one fold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, LeaveOneGroupOut

from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.tables.inspect.fold_diagnostics import permutation_losses
from markone.tables.plan.row_ties import RowTies
from markone.tables.regression import scores
from markone.tables.regression.scores import Coverage
from markone.tables.request import Folds
from markone.tables.row_splits import NO_TIES, splits_by_time
from markone.tables.running.run import Progress, Workers, run_problem
from markone.tables.scores import Interval
from markone.tables.validation import N_SEARCH_FOLDS, add_warnings, record_warnings

PARAMETER_PREFIX = "model__regressor__"


@dataclass(frozen=True)
class NumberFold:
    """Test rows and predictions of a fold; `std` is the model's own, `middle` the mean of the training rows,
    `needed` the permutation importances."""

    test: Array
    predicted: Array
    std: Array | None
    middle: float
    chosen: dict[str, Any]
    said: list[str] = field(default_factory=list)
    seconds: float = 0.0
    train_size: int = 0
    needed: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class RegressionFits:
    pipeline: Any
    X: Array
    y: Array
    splits: list[tuple[Array, Array]]
    grid: Mapping[str, Sequence[Any]]
    seed: int
    groups: Array | None = None
    columns: Mapping[str, Sequence[int]] = field(default_factory=dict)
    shuffled: int = 0  # folds in which the columns are shuffled one by one

    def __len__(self) -> int:
        return len(self.splits)

    def do(self, k: int) -> NumberFold:
        train, test = self.splits[k]
        said: Counter[str] = Counter()
        with record_warnings(said):
            tied = None if self.groups is None else self.groups[train]
            fitted, chosen = _fit_number_fold(
                self.pipeline, self.X[train], self.y[train], self.grid, self.seed, tied
            )
        X, y, middle = self.X[test], self.y[test], float(np.mean(self.y[train]))
        columns = self.columns if k < self.shuffled else {}
        lost = permutation_losses(fitted, X, y, columns, self.seed + k, _negative_rmse)
        return NumberFold(
            test,
            fitted.predict(X),
            predicted_deviations(fitted, X),
            middle,
            chosen,
            list(said),
            train_size=len(train),
            needed=lost,
        )


def _negative_rmse(y: Array, predicted: Array) -> float:
    """Negative root mean square error, as a score."""
    return -float(np.sqrt(np.mean((y - predicted) ** 2)))


@dataclass
class NumberValidation:
    """Results of each fold and of all folds together."""

    how: Folds
    folds: list[NumberFold] = field(default_factory=list)
    measures: list[dict[str, float]] = field(default_factory=list)
    estimates: dict[str, Interval] = field(default_factory=dict)
    coverage: list[Coverage] = field(default_factory=list)
    residuals: Array = field(default_factory=lambda: np.zeros(0))
    warned: Counter[str] = field(default_factory=Counter)


def cross_validate_regressor(
    pipeline: Any,
    X: Array,
    y: Array,
    how: Folds,
    grid: Mapping[str, Sequence[Any]],
    seed: int,
    progress: Progress = lambda done, total: None,
    workers: Workers | None = None,
    ties: RowTies = NO_TIES,
    columns: Mapping[str, Sequence[int]] | None = None,
) -> NumberValidation:
    """Cross-validate the pipeline.

    `ties` apply to outer and inner folds; `columns` maps columns to their inputs; permutation importances are
    computed in the first repeat.
    """
    validation = NumberValidation(how)
    parts = number_splits(len(y), how, seed, ties)
    shuffled = 0 if how.leave_one_out else len(parts) // how.repeats
    fits = RegressionFits(pipeline, X, y, parts, grid, seed, ties.groups, columns or {}, shuffled)
    for done in run_problem(fits, workers, progress):
        validation.folds.append(replace(done.result, seconds=done.seconds))
        add_warnings(validation.warned, done.result.said)
    _summarise_number_folds(validation, y, seed)
    return validation


def number_splits(P: int, how: Folds, seed: int, ties: RowTies) -> list[tuple[Array, Array]]:
    """Folds that keep copies and groups together; in order of time if given."""
    if ties.times is not None:
        return splits_by_time(how, np.zeros(P), ties)
    groups = np.arange(P) if ties.groups is None else ties.groups
    return grouped_splits(np.unique(groups, return_inverse=True)[1].reshape(-1), how, seed)


def grouped_splits(groups: Array, how: Folds, seed: int) -> list[tuple[Array, Array]]:
    P, different = len(groups), int(groups.max()) + 1
    if how.leave_one_out:
        return list(LeaveOneGroupOut().split(groups, groups=groups))
    if different < how.folds:
        raise BadTable(
            f"The table has {different} groups of rows (copies of a row are one), fewer than the "
            f"{how.folds} folds. Use --cv {how.repeats}x{max(2, different)}, or --cv loo."
        )
    found: list[tuple[Array, Array]] = []
    for repeat in range(how.repeats):
        rng = np.random.RandomState([seed, repeat])
        if different == P:
            found += KFold(how.folds, shuffle=True, random_state=rng).split(groups)
        else:
            found += GroupKFold(how.folds, shuffle=True, random_state=rng).split(groups, groups=groups)
    return found


def _fit_number_fold(
    pipeline: Any,
    X: Array,
    y: Array,
    grid: Mapping[str, Sequence[Any]],
    seed: int,
    groups: Array | None = None,
) -> tuple[Any, dict[str, Any]]:
    """Fit the pipeline to these rows; with a grid, the best by inner folds of these rows."""
    if not grid:
        return clone(pipeline).fit(X, y), {}
    search = search_regressor(pipeline, X, y, grid, seed, groups)
    return search.best_estimator_, {
        n.removeprefix(PARAMETER_PREFIX): v for n, v in search.best_params_.items()
    }


def search_regressor(
    pipeline: Any,
    X: Array,
    y: Array,
    grid: Mapping[str, Sequence[Any]],
    seed: int,
    groups: Array | None = None,
) -> GridSearchCV:
    """Grid search with inner folds that keep groups together."""
    different = len(y) if groups is None else len(np.unique(groups))
    if different < 2:
        raise BadTable("A training part is one group of rows: the search has no rows to test on.")
    kind = KFold if groups is None else GroupKFold
    folds = list(
        kind(min(N_SEARCH_FOLDS, different), shuffle=True, random_state=seed).split(X, groups=groups)
    )
    names = {f"{PARAMETER_PREFIX}{name}": list(values) for name, values in grid.items()}
    scoring = "neg_root_mean_squared_error"
    return GridSearchCV(pipeline, names, scoring=scoring, cv=folds, error_score="raise").fit(X, y)


def predicted_deviations(pipeline: Any, X: Array) -> Array | None:
    model = pipeline["model"]
    return model.predict_std(pipeline["scaling"].transform(X)) if model.has_std else None


def _summarise_number_folds(validation: NumberValidation, y: Array, seed: int) -> None:
    how, folds = validation.how, validation.folds
    tests = [fold.test for fold in folds]
    residuals = [y[fold.test] - fold.predicted for fold in folds]
    validation.residuals = np.concatenate(residuals)
    if how.leave_one_out:
        predicted = np.concatenate([fold.predicted for fold in folds])
        middles = np.concatenate([np.full(len(fold.test), fold.middle) for fold in folds])
        validation.estimates = scores.estimate_over_rows(y[np.concatenate(tests)], predicted, middles, seed)
    else:
        used = np.array([len(fold.test) + fold.train_size for fold in folds])
        validation.measures = [
            scores.errors_with_gain(y[fold.test], fold.predicted, np.full(len(fold.test), fold.middle))
            for fold in folds
        ]
        validation.estimates = scores.estimate_over_folds(validation.measures, [len(t) for t in tests], used)
    if all(fold.std is not None for fold in folds):
        std = np.concatenate([np.asarray(fold.std) for fold in folds])
        validation.coverage.append(scores.model_coverage(validation.residuals, std))
    size = len(folds) // how.repeats
    parts = [residuals[k : k + size] for k in range(0, len(folds), size)]
    validation.coverage.append(scores.residual_coverage(parts))
