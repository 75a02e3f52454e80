"""Cross-validation; scaling, search and decision rule see the training part only."""

from __future__ import annotations

import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sklearn.base import clone

from markone.evaluation.cross_validation.fold_table import inner_search
from markone.numerics.arrays import Array
from markone.tables import row_splits
from markone.tables.answers.decision import add_decision_rule
from markone.tables.inspect.model_summary import model_weights
from markone.tables.inspect.row_intervals import widen_intervals
from markone.tables.request import Folds
from markone.tables.row_splits import NO_TIES, RowTies
from markone.tables.running import Progress as Progress
from markone.tables.running import Workers, run_problem
from markone.tables.scoring import (
    ClassScoring,
    Coverage,
    Interval,
    NumberScoring,
    Scoring,
    decision_scores,
    errors_with_gain,
    model_coverage,
    pooled_class_intervals,
    pooled_error_intervals,
    predicted_deviations,
    prediction_margins,
    resampled_intervals,
    residual_coverage,
)

Grid = Mapping[str, Sequence[Any]]
# Largest number of rows used for permutation importance.
MAX_PERMUTED_ROWS = 2000


@dataclass(frozen=True)
class Fold:
    """Test rows and predictions of a fold; `middle` is the mean target of the training rows (numbers).

    `inputs`: relevances or weights (lines, N); `margins`: those of the classes over each other; `needed`:
    permutation importances; `std`: standard deviations predicted by a regressor.
    """

    test: Array
    predicted: Array
    scores: Array | None
    measures: dict[str, float]
    chosen: dict[str, Any]
    train_size: int
    said: list[str] = field(default_factory=list)
    seconds: float = 0.0
    middle: float = 0.0
    inputs: Array | None = None
    margins: Array | None = None
    needed: dict[str, float] = field(default_factory=dict)
    std: Array | None = None


@dataclass(frozen=True)
class FoldFits:
    """The fits of all folds, with everything a worker needs."""

    pipeline: Any
    X: Array
    y: Array
    splits: list[tuple[Array, Array]]
    scoring: Scoring
    grid: Grid
    seed: int
    ties: RowTies = NO_TIES
    columns: Mapping[str, Sequence[int]] = field(default_factory=dict)
    shuffled: int = 0  # folds in which the columns are permuted one by one
    measured: bool = True

    def __len__(self) -> int:
        return len(self.splits)

    def run_piece(self, k: int) -> Fold:
        train, test = self.splits[k]
        X, y, said = self.X[test], self.y[test], Counter[str]()
        with record_warnings(said):
            ties = self.ties.only(train)
            fitted, chosen, _ = fit_with_search(
                self.pipeline, self.X[train], self.y[train], self.grid, self.seed, ties, self.scoring
            )
        columns = self.columns if k < self.shuffled else {}
        seen = _diagnose_fold(fitted, X, y, columns, self.seed + k, self.scoring)
        predicted, scores, measures, middle = fitted.predict(X), None, {}, 0.0
        if isinstance(self.scoring, ClassScoring):
            scores = decision_scores(fitted, X)
            measures = self.scoring.compute_measures(y, predicted, scores) if self.measured else {}
        else:
            middle = float(np.mean(self.y[train]))
            measures = errors_with_gain(y, predicted, np.full(len(y), middle)) if self.measured else {}
        own = (test, predicted, scores, measures, chosen, len(train), list(said))
        return Fold(*own, middle=middle, **seen)


def _diagnose_fold(
    fitted: Any, X: Array, y: Array, columns: Mapping[str, Sequence[int]], seed: int, scoring: Scoring
) -> dict[str, Any]:
    """The fields of a `Fold` that describe its model."""
    needed = _permutation_losses(fitted, X, y, columns, seed, scoring.column_score)
    if isinstance(scoring, NumberScoring):
        return {"needed": needed, "std": predicted_deviations(fitted, X)}
    inputs = _input_values(fitted["model"], len(fitted["scaling"].mean_))
    return {"needed": needed, "inputs": inputs, "margins": prediction_margins(fitted, X)}


def _input_values(model: Any, N: int) -> Array | None:
    """Relevances (mean over local ones) or weights of the inputs; None if the model has none."""
    if hasattr(model, "relevance_"):
        return np.asarray(np.atleast_2d(model.relevance_).mean(axis=0)[None])
    if hasattr(model, "coef_") and np.shape(model.coef_)[-1] == N:
        return model_weights(model)
    return None


def _permutation_losses(
    fitted: Any,
    X: Array,
    y: Array,
    columns: Mapping[str, Sequence[int]],
    seed: int,
    score: Callable[[Array, Array], float],
) -> dict[str, float]:
    """Permutation importance: decrease of the score when the values of a column are permuted."""
    if not columns:
        return {}
    rng = np.random.default_rng(seed)
    X, y = X[:MAX_PERMUTED_ROWS], y[:MAX_PERMUTED_ROWS]
    before = score(y, fitted.predict(X))
    lost = {}
    for name, inputs in columns.items():
        other = X.copy()
        other[:, list(inputs)] = X[rng.permutation(len(X))][:, list(inputs)]
        lost[name] = before - score(y, fitted.predict(other))
    return lost


@dataclass
class Validation:
    """Results of each fold and of all folds together: `confusion` of classes, `coverage` of numbers."""

    how: Folds
    folds: list[Fold] = field(default_factory=list)
    estimates: dict[str, Interval] = field(default_factory=dict)
    confusion: Array = field(default_factory=lambda: np.zeros((0, 0)))
    wrong: Array = field(default_factory=lambda: np.zeros(0, int))
    tested: Array = field(default_factory=lambda: np.zeros(0, int))
    coverage: list[Coverage] = field(default_factory=list)
    residuals: Array = field(default_factory=lambda: np.zeros(0))
    warned: Counter[str] = field(default_factory=Counter)

    @property
    def first_repeat(self) -> list[Fold]:
        """The folds of the first repeat: each row is in one test part."""
        return self.folds[: len(self.folds) // self.how.repeats]


def cross_validate(
    pipeline: Any,
    X: Array,
    y: Array,
    how: Folds,
    scoring: Scoring,
    grid: Grid,
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
    validation = Validation(how)
    splits = row_splits.make_splits(how, y, seed, ties, scoring.task)
    shuffled = 0 if how.leave_one_out else len(splits) // how.repeats
    measured = not how.leave_one_out
    fits = FoldFits(pipeline, X, y, splits, scoring, grid, seed, ties, columns or {}, shuffled, measured)
    for done in run_problem(fits, workers, progress):
        validation.folds.append(replace(done.result, seconds=done.seconds))
        _add_warnings(validation.warned, done.result.said)
    if isinstance(scoring, ClassScoring):
        _summarise_classes(validation, y, scoring, seed)
    else:
        _summarise_numbers(validation, y, seed)
    return validation


def fit_with_search(
    pipeline: Any, X: Array, y: Array, grid: Grid, seed: int, ties: RowTies, scoring: Scoring
) -> tuple[Any, dict[str, Any], dict[str, Any]]:
    """The pipeline fitted to these rows, the parameters chosen by their inner folds, and the scores of these.

    The inner folds keep groups together; the last two are empty without a grid.
    """
    if not grid:
        return add_decision_rule(clone(pipeline).fit(X, y), X, y, scoring, seed, ties), {}, {}
    search = search_parameters(pipeline, X, y, grid, seed, ties, scoring)
    fitted = add_decision_rule(search.best_estimator_, X, y, scoring, seed, ties)
    results = search.cv_results_
    # The score of numbers is the negative error.
    mean = results["mean_test_score"] * (1 if isinstance(scoring, ClassScoring) else -1)
    tried = [_without_prefix(parameters, scoring) for parameters in results["params"]]
    curve = {"tried": tried, "mean": mean, "sd": results["std_test_score"]}
    return fitted, _without_prefix(search.best_params_, scoring), curve


def search_parameters(
    pipeline: Any, X: Array, y: Array, grid: Grid, seed: int, ties: RowTies, scoring: Scoring
) -> Any:
    """Grid search with inner folds that keep groups together."""
    names = {f"{scoring.parameter_prefix}{name}": list(values) for name, values in grid.items()}
    folds = row_splits.search_splits(y, seed, ties, scoring.task)
    return inner_search(pipeline, names, folds, scoring.search_measure).fit(X, y)


def _without_prefix(parameters: Mapping[str, Any], scoring: Scoring) -> dict[str, Any]:
    return {name.removeprefix(scoring.parameter_prefix): v for name, v in parameters.items()}


@contextmanager
def record_warnings(said: Counter[str]) -> Iterator[None]:
    """Record warnings: count the fits that raised each.

    Warnings that differ in numbers only count as one; the first is quoted.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    _add_warnings(said, [re.sub(r"np\.str_\((.*?)\)", r"\1", str(w.message).split("\n")[0]) for w in caught])


def _add_warnings(said: Counter[str], texts: Sequence[str]) -> None:
    """Count one more fit that raised these warnings."""
    known = {_without_numbers(text): text for text in said}
    said.update({known.setdefault(_without_numbers(text), text) for text in texts})


def _without_numbers(text: str) -> str:
    return re.sub(r"\d[\d.e+-]*", "#", text)


def estimate_over_folds(folds: Sequence[Fold]) -> dict[str, Interval]:
    used = np.array([len(fold.test) + fold.train_size for fold in folds])
    return resampled_intervals([fold.measures for fold in folds], [len(fold.test) for fold in folds], used)


def _summarise_classes(validation: Validation, y: Array, scoring: ClassScoring, seed: int) -> None:
    how, folds = validation.how, validation.folds
    validation.confusion = confusion_of_folds(folds, y, scoring.classes) / how.repeats
    validation.wrong, validation.tested = np.zeros(len(y), int), np.zeros(len(y), int)
    for fold in folds:
        validation.wrong[fold.test] += fold.predicted != y[fold.test]
        validation.tested[fold.test] += 1
    if how.leave_one_out:
        order = np.concatenate([fold.test for fold in folds])
        predicted = np.concatenate([fold.predicted for fold in folds])
        scored = all(fold.scores is not None for fold in folds)
        scores = np.concatenate([np.asarray(fold.scores) for fold in folds]) if scored else None
        validation.estimates = pooled_class_intervals(scoring, y[order], predicted, scores, seed)
        return
    validation.estimates = widen_intervals(estimate_over_folds(folds), scoring, validation.confusion)


def confusion_of_folds(folds: Sequence[Fold], y: Array, classes: list[str]) -> Array:
    """Confusion counts over all folds: true class (first index) by predicted class."""
    true = np.searchsorted(classes, np.concatenate([y[fold.test] for fold in folds]))
    predicted = np.searchsorted(classes, np.concatenate([fold.predicted for fold in folds]))
    counts = np.zeros((len(classes), len(classes)))
    np.add.at(counts, (true, predicted), 1.0)
    return counts


def _summarise_numbers(validation: Validation, y: Array, seed: int) -> None:
    how, folds = validation.how, validation.folds
    residuals = [y[fold.test] - fold.predicted for fold in folds]
    validation.residuals = np.concatenate(residuals)
    if how.leave_one_out:
        tests, predicted = (
            np.concatenate([getattr(f, name) for f in folds]) for name in ("test", "predicted")
        )
        middles = np.concatenate([np.full(len(fold.test), fold.middle) for fold in folds])
        validation.estimates = pooled_error_intervals(y[tests], predicted, middles, seed)
    else:
        validation.estimates = estimate_over_folds(folds)
    if all(fold.std is not None for fold in folds):
        std = np.concatenate([np.asarray(fold.std) for fold in folds])
        validation.coverage.append(model_coverage(validation.residuals, std))
    size = len(folds) // how.repeats
    parts = [residuals[k : k + size] for k in range(0, len(folds), size)]
    validation.coverage.append(residual_coverage(parts))
