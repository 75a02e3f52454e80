"""How many more rows: the measured learning curve on nested parts of the table, and its forecast.

The forecast is the posterior of power laws e(n) = e(P) (r + (1 - r) (n / P)^-c) with all asymptotes r in
[0, 1] and exponents c in [1/4, 3/2] equally likely; the level is integrated out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.tables import row_splits
from markone.tables.answers.decision import UNBALANCED
from markone.tables.row_splits import RowTies, Split
from markone.tables.running import Workers, run_problem
from markone.tables.scoring import Scoring
from markone.tables.validation import FoldFits, Grid, Validation

# Parts of the rows: halves of halves, as long as each class has so many rows.
MOST_HALVINGS, LEAST_CLASS_ROWS, LEAST_ROWS = 5, 4, 12
EXPONENTS, ASYMPTOTES = np.linspace(0.25, 1.5, 26), np.linspace(0.0, 1.0, 26)
# Probability of the band, times the rows of the table up to which it is drawn, and values drawn.
BAND, MOST_TIMES, DRAWS = 0.9, 10, 4000
REACHED = (0.7, 0.8, 0.9, 0.95, 0.98, 0.99)


@dataclass(frozen=True)
class LearningCurve:
    """Error on the test rows of each fold (first index), by the rows of the training part (`sizes`).

    `measure` is the score whose complement is the error, or "rmse"; `tested` counts the test rows of all
    folds, `standard_error` is that of the error of the whole training part, by the folds.
    """

    measure: str
    sizes: Array
    errors: Array
    tested: int
    standard_error: float

    @cached_property
    def forecast(self) -> RowForecast:
        return forecast_errors(self)

    @property
    def means(self) -> Array:
        """Mean error at each size; shares as with half an error more, so that none is 0."""
        found: Array = self.errors.mean(axis=0)
        if self.measure != "rmse":
            found = (found * self.tested + 0.5) / (self.tested + 1)
        return found

    @property
    def level_error(self) -> float:
        """Relative standard error of the level, common to all sizes: they are tested on the same rows."""
        e = float(self.means[-1])
        by_rows = 0.5 / self.tested if self.measure == "rmse" else (1 - e) / (e * self.tested)
        by_folds = self.standard_error / e if np.isfinite(self.standard_error) else 0.0
        return float(max(by_folds, np.sqrt(by_rows)))

    @property
    def shape_errors(self) -> Array:
        """Relative standard error at each size beside that of the level, from the spread over the folds."""
        J, means = len(self.errors), self.means
        own = self.errors - self.errors.mean(axis=1, keepdims=True)
        # As many folds share the training rows of the largest part: the correction of Nadeau and Bengio.
        spread = own.std(axis=0, ddof=1) * np.sqrt(1 / J + 1 / (J - 1)) / means
        return np.asarray(np.maximum(spread, 0.3 * self.level_error))


@dataclass(frozen=True)
class RowForecast:
    """Drawn learning curves: level, asymptote and exponent of each, for n in units of `rows`."""

    rows: float
    levels: Array
    asymptotes: Array
    exponents: Array

    def errors_at(self, n: float) -> Array:
        """Error of each drawn curve with n training rows."""
        r, c = self.asymptotes, self.exponents
        found: Array = self.levels * (r + (1 - r) * (n / self.rows) ** -c)
        return found

    def band_at(self, n: float) -> tuple[float, float, float]:
        """Median and ends of the band of the error with n training rows."""
        low, middle, high = np.quantile(self.errors_at(n), [(1 - BAND) / 2, 0.5, (1 + BAND) / 2])
        return float(middle), float(low), float(high)

    def rows_to_reach(self, error: float) -> tuple[float, float, float]:
        """Ends of the band of the rows needed, inf if never, and the probability of reaching it at all."""
        share = (error / self.levels - self.asymptotes) / np.maximum(1 - self.asymptotes, 1e-12)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            needed = np.where(share > 0, self.rows * share ** (-1 / self.exponents), np.inf)
        low, high = np.quantile(needed, [(1 - BAND) / 2, (1 + BAND) / 2], method="nearest")
        return float(low), float(high), float(np.isfinite(needed).mean())


def nested_parts(train: Array, y: Array, ties: RowTies, rng: Any) -> list[Array]:
    """Halves, quarters ... of the training rows, each inside the next, with the shares of the classes.

    Rows of one group are taken together.
    """
    groups = np.arange(len(y)) if ties.groups is None else ties.groups
    order = np.empty(len(train))
    is_class = y.dtype.kind != "f"
    for label in np.unique(y[train]) if is_class else [None]:
        own = np.flatnonzero(y[train] == label) if is_class else np.arange(len(train))
        units, of = np.unique(groups[train[own]], return_inverse=True)
        order[own] = ((rng.permutation(len(units)) + rng.random()) / len(units))[of.ravel()]
    parts: list[Array] = []
    for k in range(1, MOST_HALVINGS + 1):
        part = train[order < 0.5**k]
        counts = np.unique(y[part], return_counts=True)[1] if is_class else np.array([len(part)])
        if len(part) < LEAST_ROWS or (is_class and len(counts) < len(np.unique(y[train]))):
            break
        if is_class and counts.min() < LEAST_CLASS_ROWS:
            break
        parts.append(part)
    return parts


def measure_curve(
    pipeline: Any,
    X: Array,
    y: Array,
    validation: Validation,
    scoring: Scoring,
    grid: Grid,
    seed: int,
    ties: RowTies,
    workers: Workers,
) -> LearningCurve:
    """Fit parts of each training part of the first repeat, and score them on its test rows."""
    if validation.how.leave_one_out or ties.times is not None:
        raise ValueError("--more needs folds of exchangeable rows: leave out --time, or use --cv 5x10.")
    splits = row_splits.make_splits(replace(validation.how, repeats=1), y, seed, ties, scoring.task)
    rng = np.random.default_rng(seed)
    parts = [nested_parts(train, y, ties, rng) for train, _ in splits]
    halvings = min(map(len, parts))
    if halvings < 2:
        raise BadTable("--more: the table has too few rows for a learning curve of its quarters.")
    nested: list[Split] = [
        (part[k], test)
        for part, (_, test) in zip(parts, splits, strict=True)
        for k in reversed(range(halvings))
    ]
    done = run_problem(FoldFits(pipeline, X, y, nested, scoring, grid, seed, ties), workers)
    measure = _curve_measure(y)
    whole = [fold.measures[measure] for fold in validation.first_repeat]
    scores = np.array([each.result.measures[measure] for each in done]).reshape(len(splits), halvings)
    scores = np.column_stack([scores, whole])
    sizes = np.array([len(part) for part, _ in nested[:halvings]] + [len(splits[0][0])], dtype=float)
    errors = scores if measure == "rmse" else 1 - scores
    return LearningCurve(measure, sizes, errors, len(y), validation.estimates[measure].error)


def _curve_measure(y: Array) -> str:
    """Accuracy; balanced accuracy where the classes are weighted in training."""
    if y.dtype.kind == "f":
        return "rmse"
    counts = np.unique(y, return_counts=True)[1]
    return "balanced_accuracy" if counts.max() > UNBALANCED * len(y) else "accuracy"


def forecast_errors(curve: LearningCurve, seed: int = 0) -> RowForecast:
    """Draw power laws from their posterior, given the measured curve."""
    n, m = curve.sizes, np.log(curve.means)
    weight = 1 / curve.shape_errors**2
    c, r = (grid.ravel() for grid in np.meshgrid(EXPONENTS, ASYMPTOTES))
    shape = np.log(r[:, None] + (1 - r[:, None]) * (n / n[-1]) ** -c[:, None])
    level = ((m - shape) @ weight) / weight.sum()
    misfit = ((m - shape - level[:, None]) ** 2) @ weight
    likely = np.exp(-0.5 * (misfit - misfit.min()))
    # The rows are part of the larger table: the two errors share a quarter of the variance of the level.
    rng = np.random.default_rng(seed)
    drawn = rng.choice(len(c), DRAWS, p=likely / likely.sum())
    spread = np.sqrt(1 / weight.sum() + 0.75 * curve.level_error**2)
    levels = np.exp(level[drawn] + spread * rng.standard_normal(DRAWS))
    return RowForecast(float(n[-1]), levels, r[drawn], c[drawn])
