"""Tables and sentences of a regression, for the terminal and the report."""

from __future__ import annotations

from math import isfinite

import numpy as np

from markone.numerics.text import format_count, format_number, format_rounded
from markone.show.page import PageTable
from markone.tables.regression.fitting import RegressionResult
from markone.tables.regression.scores import ERROR_NAMES, INTERVAL_LEVEL
from markone.tables.report.fit_text import describe_splits
from markone.tables.scores import RESAMPLED, Interval

BOOTSTRAP = (
    "Intervals: 95 %, bootstrap over the rows; they ignore the variation of the model with other training "
    "rows."
)


def regression_headline(fitted: RegressionResult) -> str:
    """Summary sentence: error, baseline, doubts."""
    found, trivial = fitted.validation.estimates, _mean_prediction_error(fitted)
    error, share = found["rmse"], found["r2"]
    verdict = "less than" if found["gain"].low > 0 else "not clearly less than"
    mean, low, high = format_rounded([error.mean, error.low, error.high], _rounding_width(error))
    base = format_rounded([trivial], _rounding_width(error))[0]
    explained = f"{100 * share.mean:.0f} % of the variance"
    if share.mean <= 0:
        explained = f"nothing of the variance (R2 {share.mean:.2f})"
    reasons = len(fitted.doubts)
    doubt = f" This may be misleading, for {format_count(reasons, 'reason')} given below." if reasons else ""
    return (
        f"On rows it has not seen, {fitted.model} is off by {mean} (root mean square; 95 %: {low} to "
        f"{high}), {verdict} the {base} of always predicting the mean; it explains {explained}.{doubt}"
    )


def _mean_prediction_error(fitted: RegressionResult) -> float:
    return fitted.validation.estimates["rmse"].mean + fitted.validation.estimates["gain"].mean


def _rounding_width(found: Interval) -> float:
    half = (found.high - found.low) / 2
    return half if isfinite(half) and half > 0 else abs(found.mean) / 100


def error_table(fitted: RegressionResult) -> PageTable:
    estimates = fitted.validation.estimates
    trivial = {"rmse": _mean_prediction_error(fitted), "mae": estimates["trivial_mae"].mean, "r2": 0.0}
    rows = []
    for name, title in ERROR_NAMES.items():
        found = estimates[name]
        mean, low, high, base = format_rounded(
            [found.mean, found.low, found.high, trivial[name]], _rounding_width(found)
        )
        rows.append([title, mean, f"{low} to {high}" if isfinite(found.low) else "–", base])
    return PageTable(["measure", "left-out rows", "95 % interval", "mean"], rows)


def error_footnotes(fitted: RegressionResult) -> list[str]:
    how = fitted.validation.how
    texts = [f"Cross-validation: {describe_splits(how, fitted.request)}"]
    texts.append(BOOTSTRAP if how.leave_one_out else RESAMPLED)
    texts.append(
        "R2 is 1 - squared error / squared error of always predicting the mean of the training rows."
    )
    return texts


def coverage_sentences(fitted: RegressionResult) -> list[str]:
    """Sentences on the coverage of the prediction intervals on left-out rows."""
    texts = [
        f"{100 * found.at():.1f} % of the left-out rows lie in {found.name} (nominal: "
        f"{100 * INTERVAL_LEVEL:.0f} %)."
        for found in fitted.validation.coverage
    ]
    return [*texts, f"The band of the residuals is the prediction +- {format_number(fitted.width)}."]


def coverage_table(fitted: RegressionResult) -> PageTable:
    found = fitted.validation.coverage
    rows = [
        [f"{100 * level:.0f} %", *(f"{100 * c.shares[k]:.1f} %" for c in found)]
        for k, level in enumerate(found[0].levels)
    ]
    return PageTable(["nominal", *(c.name for c in found)], rows)


def weight_table(fitted: RegressionResult) -> PageTable:
    if fitted.weights is None:
        return PageTable([], [])
    columns = np.asarray(fitted.weights.values).T
    rows = [
        [name, *(format_number(float(v)) for v in line)]
        for name, line in zip(fitted.weights.features, columns, strict=True)
    ]
    return PageTable(["input", *fitted.weights.lines], rows)


def regressor_settings(fitted: RegressionResult) -> PageTable:
    found = fitted.regressor.get_params(deep=False)
    return PageTable(["", ""], [[name, format_number(value)] for name, value in found.items()])


def largest_error_table(fitted: RegressionResult, most: int = 10) -> PageTable:
    """Table of the rows with the largest mean error over the repeats."""
    total, times = np.zeros(len(fitted.y)), np.zeros(len(fitted.y))
    for fold in fitted.validation.folds:
        total[fold.test] += fold.predicted
        times[fold.test] += 1
    predicted = total / np.maximum(times, 1)
    order = np.argsort(-np.abs(fitted.y - predicted), kind="stable")[:most]
    numbers = np.stack([fitted.y, predicted, fitted.y - predicted], axis=1)
    rows = [[str(fitted.rows[k]), *(format_number(float(v)) for v in numbers[k])] for k in order]
    return PageTable(["row", "true", "predicted when left out", "difference"], rows)
