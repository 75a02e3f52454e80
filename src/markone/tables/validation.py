"""Cross-validation: the student never sees the rows it is judged by, nor does the search, nor the scaling."""

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
from sklearn.model_selection import GridSearchCV, LeaveOneOut, RepeatedStratifiedKFold, StratifiedKFold

from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.tables.request import Folds
from markone.tables.running.run import Progress as Progress
from markone.tables.running.run import Workers, run
from markone.tables.scores import Interval, Judge, pooled, resampled, scores_of

INNER = 5


@dataclass(frozen=True)
class Fold:
    test: Array
    predicted: Array
    scores: Array | None
    measures: dict[str, float]
    chosen: dict[str, Any]
    said: list[str] = field(default_factory=list)
    seconds: float = 0.0


@dataclass(frozen=True)
class FoldFits:
    """A fit for each fold; whoever does one has all it needs here."""

    pipeline: Any
    X: Array
    y: Array
    splits: list[tuple[Array, Array]]
    judge: Judge
    grid: Mapping[str, Sequence[Any]]
    seed: int
    measured: bool = True

    def __len__(self) -> int:
        return len(self.splits)

    def do(self, k: int) -> Fold:
        train, test = self.splits[k]
        said: Counter[str] = Counter()
        with heard(said):
            fitted, chosen = fit(self.pipeline, self.X[train], self.y[train], self.grid, self.seed)
        predicted, scores = fitted.predict(self.X[test]), scores_of(fitted, self.X[test])
        measures = self.judge.measure(self.y[test], predicted, scores) if self.measured else {}
        return Fold(test, predicted, scores, measures, chosen, list(said))


@dataclass
class Validation:
    """What came out: fold by fold, and together."""

    how: Folds
    folds: list[Fold] = field(default_factory=list)
    estimates: dict[str, Interval] = field(default_factory=dict)
    confusion: Array = field(default_factory=lambda: np.zeros((0, 0)))
    wrong: Array = field(default_factory=lambda: np.zeros(0, int))
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
    workers: Workers | None = None,
) -> Validation:
    check(y, how)
    validation = Validation(how)
    splits = list(splitter(how, seed).split(X, y))
    fits = FoldFits(pipeline, X, y, splits, judge, grid, seed, measured=not how.leave_one_out)
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
            f"Class {str(rarest)!r} has one row: nothing is left to test on. Remove it or join classes."
        )
    if not how.leave_one_out and rows < how.folds:
        raise BadTable(
            f"Class {str(rarest)!r} has {rows} rows, fewer than the {how.folds} folds. "
            f"Use --cv {how.repeats}x{rows}, --cv loo, or join classes."
        )


def splitter(how: Folds, seed: int) -> Any:
    if how.leave_one_out:
        return LeaveOneOut()
    return RepeatedStratifiedKFold(n_splits=how.folds, n_repeats=how.repeats, random_state=seed)


def fit(
    pipeline: Any, X: Array, y: Array, grid: Mapping[str, Sequence[Any]], seed: int
) -> tuple[Any, dict[str, Any]]:
    """The student of these rows; with a grid, the best of it by folds of these rows alone."""
    if not grid:
        return clone(pipeline).fit(X, y), {}
    search = searched(pipeline, X, y, grid, seed)
    return search.best_estimator_, {
        name.removeprefix("model__"): v for name, v in search.best_params_.items()
    }


def searched(pipeline: Any, X: Array, y: Array, grid: Mapping[str, Sequence[Any]], seed: int) -> GridSearchCV:
    inner = min(INNER, int(np.unique(y, return_counts=True)[1].min()))
    if inner < 2:
        raise BadTable(
            "A class has one row in a training part: the search has nothing to test on. Leave out --grid."
        )
    folds = StratifiedKFold(inner, shuffle=True, random_state=seed)
    names = {f"model__{name}": list(values) for name, values in grid.items()}
    search = GridSearchCV(pipeline, names, scoring="balanced_accuracy", cv=folds, error_score="raise")
    return search.fit(X, y)


@contextmanager
def heard(said: Counter[str]) -> Iterator[None]:
    """Count the fits in which each warning was given, instead of letting them pass by.

    Two that differ in their numbers only are one: the first is quoted.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    note(said, [re.sub(r"np\.str_\((.*?)\)", r"\1", str(w.message).split("\n")[0]) for w in caught])


def note(said: Counter[str], texts: Sequence[str]) -> None:
    """One more fit that has said this."""
    known = {alike(text): text for text in said}
    said.update({known.setdefault(alike(text), text) for text in texts})


def alike(text: str) -> str:
    return re.sub(r"\d[\d.e+-]*", "#", text)


def summarise(validation: Validation, y: Array, judge: Judge, seed: int) -> None:
    how, folds = validation.how, validation.folds
    K, place = len(judge.classes), {label: k for k, label in enumerate(judge.classes)}
    validation.confusion, validation.wrong = np.zeros((K, K)), np.zeros(len(y), int)
    for fold in folds:
        for row, label in zip(fold.test, fold.predicted, strict=True):
            validation.confusion[place[y[row]], place[label]] += 1 / how.repeats
            validation.wrong[row] += label != y[row]
    if how.leave_one_out:
        predicted = np.array([fold.predicted[0] for fold in folds])
        scored = all(fold.scores is not None for fold in folds)
        scores = np.concatenate([np.asarray(fold.scores) for fold in folds]) if scored else None
        validation.estimates = pooled(judge, y, predicted, scores, seed)
        return
    values = {name: [fold.measures[name] for fold in folds] for name in folds[0].measures}
    validation.estimates = resampled(values, [len(fold.test) for fold in folds], len(y))
