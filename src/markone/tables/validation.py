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
from markone.tables import splitting
from markone.tables.answers.deciding import decided
from markone.tables.inspect.fold_look import FoldLook, look
from markone.tables.plan.ties import RowTies
from markone.tables.request import Folds
from markone.tables.row_intervals import widened
from markone.tables.running.run import Progress as Progress
from markone.tables.running.run import Workers, run
from markone.tables.scores import Interval, Judge, pooled, resampled, scores_of
from markone.tables.splitting import FREE

INNER = 5


@dataclass(frozen=True)
class Fold:
    test: Array
    predicted: Array
    scores: Array | None
    measures: dict[str, float]
    chosen: dict[str, Any]
    train_size: int
    look: FoldLook
    said: list[str] = field(default_factory=list)
    seconds: float = 0.0


@dataclass(frozen=True)
class FoldFits:
    """The fits of all folds, with everything a worker needs."""

    pipeline: Any
    X: Array
    y: Array
    splits: list[tuple[Array, Array]]
    judge: Judge
    grid: Mapping[str, Sequence[Any]]
    seed: int
    ties: RowTies = FREE
    columns: Mapping[str, Sequence[int]] = field(default_factory=dict)
    shuffled: int = 0  # folds in which the columns are shuffled one by one
    measured: bool = True

    def __len__(self) -> int:
        return len(self.splits)

    def do(self, k: int) -> Fold:
        train, test = self.splits[k]
        X, y, seed, said = self.X, self.y, self.seed, Counter[str]()
        with heard(said):
            ties = self.ties.only(train)
            fitted, chosen = fit(self.pipeline, X[train], y[train], self.grid, seed, ties, self.judge)
        predicted, scores = fitted.predict(X[test]), scores_of(fitted, X[test])
        measures = self.judge.measure(y[test], predicted, scores) if self.measured else {}
        seen = look(fitted, X[test], y[test], self.columns if k < self.shuffled else {}, seed + k)
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


def cross_validate(
    pipeline: Any,
    X: Array,
    y: Array,
    how: Folds,
    judge: Judge,
    grid: Mapping[str, Sequence[Any]],
    seed: int,
    progress: Progress = lambda done, total: None,
    ties: RowTies = FREE,
    columns: Mapping[str, Sequence[int]] | None = None,
    workers: Workers | None = None,
) -> Validation:
    """Cross-validate the pipeline.

    `ties` apply to outer and inner folds; `columns` maps columns to their inputs; permutation importances are
    computed in the first repeat.
    """
    check(y, how)
    validation = Validation(how)
    splits = splitting.splits(how, y, seed, ties)
    shuffled = 0 if how.leave_one_out else len(splits) // how.repeats
    measured = not how.leave_one_out
    fits = FoldFits(pipeline, X, y, splits, judge, grid, seed, ties, columns or {}, shuffled, measured)
    for done in run(fits, workers, progress):
        validation.folds.append(replace(done.result, seconds=done.seconds))
        note(validation.warned, done.result.said)
    summarise(validation, y, judge, seed)
    return validation


def check(y: Array, how: Folds) -> None:
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


def fit(
    pipeline: Any,
    X: Array,
    y: Array,
    grid: Mapping[str, Sequence[Any]],
    seed: int,
    ties: RowTies = FREE,
    judge: Judge | None = None,
) -> tuple[Any, dict[str, Any]]:
    """Fit the pipeline to these rows; parameters are chosen by inner folds of these rows."""
    chosen: dict[str, Any] = {}
    if grid:
        search = searched(pipeline, X, y, grid, seed, ties)
        fitted = search.best_estimator_
        chosen = {name.removeprefix("model__"): v for name, v in search.best_params_.items()}
    else:
        fitted = clone(pipeline).fit(X, y)
    return decided(fitted, X, y, judge, seed, ties), chosen


def searched(
    pipeline: Any, X: Array, y: Array, grid: Mapping[str, Sequence[Any]], seed: int, ties: RowTies = FREE
) -> GridSearchCV:
    folds = splitting.inner(INNER, y, seed, ties)
    if folds is None:
        raise BadTable(
            "A class has one row in a training part: the search has nothing to test on. Leave out --grid."
        )
    names = {f"model__{name}": list(values) for name, values in grid.items()}
    search = GridSearchCV(pipeline, names, scoring="balanced_accuracy", cv=folds, error_score="raise")
    return search.fit(X, y)


@contextmanager
def heard(said: Counter[str]) -> Iterator[None]:
    """Record warnings: count the fits that raised each.

    Warnings that differ in numbers only count as one; the first is quoted.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    note(said, [re.sub(r"np\.str_\((.*?)\)", r"\1", str(w.message).split("\n")[0]) for w in caught])


def note(said: Counter[str], texts: Sequence[str]) -> None:
    """Count one more fit that raised these warnings."""
    known = {alike(text): text for text in said}
    said.update({known.setdefault(alike(text), text) for text in texts})


def alike(text: str) -> str:
    return re.sub(r"\d[\d.e+-]*", "#", text)


def summarise(validation: Validation, y: Array, judge: Judge, seed: int) -> None:
    how, folds = validation.how, validation.folds
    validation.confusion = confusion_of(folds, y, judge.classes) / how.repeats
    validation.wrong, validation.tested = np.zeros(len(y), int), np.zeros(len(y), int)
    for fold in folds:
        validation.wrong[fold.test] += fold.predicted != y[fold.test]
        validation.tested[fold.test] += 1
    if how.leave_one_out:
        order = np.concatenate([fold.test for fold in folds])
        predicted = np.concatenate([fold.predicted for fold in folds])
        scored = all(fold.scores is not None for fold in folds)
        scores = np.concatenate([np.asarray(fold.scores) for fold in folds]) if scored else None
        validation.estimates = pooled(judge, y[order], predicted, scores, seed)
        return
    values = {name: [fold.measures[name] for fold in folds] for name in folds[0].measures}
    used = np.array([len(fold.test) + fold.train_size for fold in folds])
    over_folds = resampled(values, [len(fold.test) for fold in folds], used)
    validation.estimates = widened(over_folds, judge, validation.confusion)


def confusion_of(folds: Sequence[Fold], y: Array, classes: list[str]) -> Array:
    """Confusion counts over all folds: true class (first index) by predicted class."""
    true = np.searchsorted(classes, np.concatenate([y[fold.test] for fold in folds]))
    predicted = np.searchsorted(classes, np.concatenate([fold.predicted for fold in folds]))
    counts = np.zeros((len(classes), len(classes)))
    np.add.at(counts, (true, predicted), 1.0)
    return counts
