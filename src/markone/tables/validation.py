"""Cross-validation of a classifier; scaling, search and calibration see the training part only."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.tables import row_splits
from markone.tables.answers.decision import add_decision_rule
from markone.tables.inspect.fold_diagnostics import FoldDiagnostics, diagnose_fold
from markone.tables.plan.row_ties import RowTies
from markone.tables.request import Folds
from markone.tables.row_intervals import widen_intervals
from markone.tables.row_splits import NO_TIES
from markone.tables.running.run import Progress as Progress
from markone.tables.running.run import Workers, run_problem
from markone.tables.scores import (
    ClassScoring,
    Interval,
    decision_scores,
    pooled_intervals,
    resampled_intervals,
)

N_SEARCH_FOLDS = 5


@dataclass(frozen=True)
class Fold:
    test: Array
    predicted: Array
    scores: Array | None
    measures: dict[str, float]
    chosen: dict[str, Any]
    train_size: int
    look: FoldDiagnostics
    said: list[str] = field(default_factory=list)
    seconds: float = 0.0


@dataclass(frozen=True)
class FoldFits:
    """The fits of all folds, with everything a worker needs."""

    pipeline: Any
    X: Array
    y: Array
    splits: list[tuple[Array, Array]]
    judge: ClassScoring
    grid: Mapping[str, Sequence[Any]]
    seed: int
    ties: RowTies = NO_TIES
    columns: Mapping[str, Sequence[int]] = field(default_factory=dict)
    shuffled: int = 0  # folds in which the columns are shuffled one by one
    measured: bool = True

    def __len__(self) -> int:
        return len(self.splits)

    def do(self, k: int) -> Fold:
        train, test = self.splits[k]
        X, y, seed, said = self.X, self.y, self.seed, Counter[str]()
        with record_warnings(said):
            ties = self.ties.only(train)
            fitted, chosen = _fit_class_fold(
                self.pipeline, X[train], y[train], self.grid, seed, ties, self.judge
            )
        predicted, scores = fitted.predict(X[test]), decision_scores(fitted, X[test])
        measures = self.judge.measure(y[test], predicted, scores) if self.measured else {}
        seen = diagnose_fold(fitted, X[test], y[test], self.columns if k < self.shuffled else {}, seed + k)
        return Fold(test, predicted, scores, measures, chosen, len(train), seen, list(said))


@dataclass
class Validation:
    """Results of each fold and of all folds together."""

    how: Folds
    folds: list[Fold] = field(default_factory=list)
    estimates: dict[str, Interval] = field(default_factory=dict)
    confusion: Array = field(default_factory=lambda: np.zeros((0, 0)))
    wrong: Array = field(default_factory=lambda: np.zeros(0, int))
    tested: Array = field(default_factory=lambda: np.zeros(0, int))
    warned: Counter[str] = field(default_factory=Counter)


def cross_validate_classifier(
    pipeline: Any,
    X: Array,
    y: Array,
    how: Folds,
    judge: ClassScoring,
    grid: Mapping[str, Sequence[Any]],
    seed: int,
    progress: Progress = lambda done, total: None,
    ties: RowTies = NO_TIES,
    columns: Mapping[str, Sequence[int]] | None = None,
    workers: Workers | None = None,
) -> Validation:
    """Cross-validate the pipeline.

    `ties` apply to outer and inner folds; `columns` maps columns to their inputs; permutation importances are
    computed in the first repeat.
    """
    check_class_sizes(y, how)
    validation = Validation(how)
    splits = row_splits.make_splits(how, y, seed, ties)
    shuffled = 0 if how.leave_one_out else len(splits) // how.repeats
    measured = not how.leave_one_out
    fits = FoldFits(pipeline, X, y, splits, judge, grid, seed, ties, columns or {}, shuffled, measured)
    for done in run_problem(fits, workers, progress):
        validation.folds.append(replace(done.result, seconds=done.seconds))
        add_warnings(validation.warned, done.result.said)
    _summarise_class_folds(validation, y, judge, seed)
    return validation


def check_class_sizes(y: Array, how: Folds) -> None:
    labels, counts = np.unique(y, return_counts=True)
    rarest, rows = labels[counts.argmin()], int(counts.min())
    if rows < 2:
        raise BadTable(
            f"Class {str(rarest)!r} has one row: nothing is left to test on. Remove it or merge classes."
        )
    if not how.leave_one_out and rows < how.folds:
        raise BadTable(
            f"Class {str(rarest)!r} has {rows} rows, fewer than the {how.folds} folds. "
            f"Use --cv {how.repeats}x{rows}, --cv loo, or merge classes."
        )


def _fit_class_fold(
    pipeline: Any,
    X: Array,
    y: Array,
    grid: Mapping[str, Sequence[Any]],
    seed: int,
    ties: RowTies = NO_TIES,
    judge: ClassScoring | None = None,
) -> tuple[Any, dict[str, Any]]:
    """Fit the pipeline to these rows; parameters are chosen by inner folds of these rows."""
    chosen: dict[str, Any] = {}
    if grid:
        search = search_classifier(pipeline, X, y, grid, seed, ties)
        fitted = search.best_estimator_
        chosen = {name.removeprefix("model__"): v for name, v in search.best_params_.items()}
    else:
        fitted = clone(pipeline).fit(X, y)
    return add_decision_rule(fitted, X, y, judge, seed, ties), chosen


def search_classifier(
    pipeline: Any, X: Array, y: Array, grid: Mapping[str, Sequence[Any]], seed: int, ties: RowTies = NO_TIES
) -> GridSearchCV:
    folds = row_splits.inner_splits(N_SEARCH_FOLDS, y, seed, ties)
    if folds is None:
        raise BadTable(
            "A class has one row in a training part: the search has nothing to test on. Leave out --grid."
        )
    names = {f"model__{name}": list(values) for name, values in grid.items()}
    search = GridSearchCV(pipeline, names, scoring="balanced_accuracy", cv=folds, error_score="raise")
    return search.fit(X, y)


@contextmanager
def record_warnings(said: Counter[str]) -> Iterator[None]:
    """Record warnings: count the fits that raised each.

    Warnings that differ in numbers only count as one; the first is quoted.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    add_warnings(said, [re.sub(r"np\.str_\((.*?)\)", r"\1", str(w.message).split("\n")[0]) for w in caught])


def add_warnings(said: Counter[str], texts: Sequence[str]) -> None:
    """Count one more fit that raised these warnings."""
    known = {_normalise_numbers(text): text for text in said}
    said.update({known.setdefault(_normalise_numbers(text), text) for text in texts})


def _normalise_numbers(text: str) -> str:
    return re.sub(r"\d[\d.e+-]*", "#", text)


def _summarise_class_folds(validation: Validation, y: Array, judge: ClassScoring, seed: int) -> None:
    how, folds = validation.how, validation.folds
    validation.confusion = confusion_of_folds(folds, y, judge.classes) / how.repeats
    validation.wrong, validation.tested = np.zeros(len(y), int), np.zeros(len(y), int)
    for fold in folds:
        validation.wrong[fold.test] += fold.predicted != y[fold.test]
        validation.tested[fold.test] += 1
    if how.leave_one_out:
        order = np.concatenate([fold.test for fold in folds])
        predicted = np.concatenate([fold.predicted for fold in folds])
        scored = all(fold.scores is not None for fold in folds)
        scores = np.concatenate([np.asarray(fold.scores) for fold in folds]) if scored else None
        validation.estimates = pooled_intervals(judge, y[order], predicted, scores, seed)
        return
    values = {name: [fold.measures[name] for fold in folds] for name in folds[0].measures}
    used = np.array([len(fold.test) + fold.train_size for fold in folds])
    over_folds = resampled_intervals(values, [len(fold.test) for fold in folds], used)
    validation.estimates = widen_intervals(over_folds, judge, validation.confusion)


def confusion_of_folds(folds: Sequence[Fold], y: Array, classes: list[str]) -> Array:
    """Confusion counts over all folds: true class (first index) by predicted class."""
    true = np.searchsorted(classes, np.concatenate([y[fold.test] for fold in folds]))
    predicted = np.searchsorted(classes, np.concatenate([fold.predicted for fold in folds]))
    counts = np.zeros((len(classes), len(classes)))
    np.add.at(counts, (true, predicted), 1.0)
    return counts
