"""Errors of one fold, their means with intervals, and the coverage of prediction intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from markone.evaluation import FoldTable
from markone.numerics.arrays import Array
from markone.tables.scores import Interval

ERROR_NAMES = {"rmse": "root mean square error", "mae": "mean absolute error", "r2": "R2"}
COVERAGE_LEVELS = np.array([0.05, *np.arange(0.1, 0.91, 0.1), 0.95, 0.99])
INTERVAL_LEVEL = 0.95
RESAMPLES = 2000


def error_measures(y: Array, predicted: Array, middle: float) -> dict[str, float]:
    """Errors of one fold; `middle` is the mean of the training rows, the reference of R2."""
    residual, trivial = y - predicted, y - middle
    squares, most = float(np.mean(residual**2)), float(np.mean(trivial**2))
    return {
        "rmse": float(np.sqrt(squares)),
        "mae": float(np.mean(np.abs(residual))),
        "r2": 1 - squares / most if most > 0 else float("nan"),
    }


def estimate_over_folds(
    folds: Sequence[dict[str, float]], tests: Sequence[int], P: int | Array
) -> dict[str, Interval]:
    """Means over folds that share training rows (Nadeau and Bengio); errors are bounded by zero.

    P is the number of rows, or for each fold the number of training and test rows.
    """
    sizes = np.array(tests)
    table = FoldTable({name: np.array([f[name] for f in folds]) for name in folds[0]}, P - sizes, sizes)
    found = {}
    for row in table.rows():
        low = row.low if row.measure in ("r2", "gain") else float(np.maximum(row.low, 0.0))
        high = float(np.minimum(row.high, 1.0)) if row.measure == "r2" else row.high
        found[row.measure] = Interval(row.mean, low, high, table.corrected_error(row.measure))
    return found


def estimate_over_rows(y: Array, predicted: Array, middles: Array, seed: int) -> dict[str, Interval]:
    """Estimates of leave-one-out: all rows pooled, with bootstrap intervals over rows."""
    rng, found = np.random.default_rng(seed), {}
    values = errors_with_gain(y, predicted, middles)
    draws = [
        errors_with_gain(y[r], predicted[r], middles[r]) for r in rng.integers(0, len(y), (RESAMPLES, len(y)))
    ]
    for name, value in values.items():
        low, high = np.nanquantile([draw[name] for draw in draws], [0.025, 0.975])
        found[name] = Interval(value, float(low), float(high), float("nan"))
    return found


def errors_with_gain(y: Array, predicted: Array, middles: Array) -> dict[str, float]:
    """Errors, with `gain` (decrease of the RMSE against predicting the mean) and `trivial_mae`."""
    found = error_measures(y, predicted, 0.0)
    trivial = float(np.sqrt(np.mean((y - middles) ** 2)))
    ratio = found["rmse"] / trivial if trivial > 0 else float("nan")
    beside = {"gain": trivial - found["rmse"], "trivial_mae": float(np.mean(np.abs(y - middles)))}
    return found | {"r2": 1 - ratio**2} | beside


@dataclass(frozen=True)
class Coverage:
    """Share of left-out rows inside prediction intervals of nominal coverage `levels`."""

    name: str
    levels: Array
    shares: Array

    def at(self, level: float = INTERVAL_LEVEL) -> float:
        return float(self.shares[int(np.argmin(np.abs(self.levels - level)))])


def model_coverage(residuals: Array, deviations: Array) -> Coverage:
    """Coverage of the Gaussian intervals given by the model."""
    inside = [
        float(np.mean(np.abs(residuals) <= half_width_factor(level) * deviations))
        for level in COVERAGE_LEVELS
    ]
    return Coverage("the model's own band", COVERAGE_LEVELS, np.array(inside))


def half_width_factor(level: float) -> float:
    """Half width of a central Gaussian interval, in standard deviations."""
    return float(norm.ppf((1 + level) / 2))


def residual_coverage(parts: Sequence[Sequence[Array]]) -> Coverage:
    """Coverage of intervals from the residuals of the other folds of the same repeat.

    `parts` contains the residuals of each fold of each repeat.
    """
    inside, rows = np.zeros(len(COVERAGE_LEVELS)), 0
    for folds in parts:
        for k, own in enumerate(folds):
            others = np.concatenate([np.abs(fold) for j, fold in enumerate(folds) if j != k])
            widths = conformal_widths(others, COVERAGE_LEVELS)
            inside += (np.abs(own)[:, None] <= widths).sum(axis=0)
            rows += len(own)
    return Coverage("the band of the residuals", COVERAGE_LEVELS, inside / rows)


def conformal_widths(sizes: Array, levels: Array) -> Array:
    """Conformal quantiles: the ceil((n + 1) level)-th of n sizes; infinite if there are too few."""
    ordered = np.append(np.sort(sizes), np.inf)
    places = np.ceil((len(sizes) + 1) * levels - 1e-9).astype(int) - 1
    found: Array = ordered[np.clip(places, 0, len(sizes))]
    return found
