"""Report of a regression."""

from __future__ import annotations

from math import isfinite, nan

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.text import format_number, format_rounded
from markone.show.page import PageTable
from markone.tables.findings.evidence import doubt_sentence
from markone.tables.fit_result import FolderResult, RegressionResult
from markone.tables.report.blocks import PAGE, Block, Items, Report, ReportPicture, Section, Table, Text
from markone.tables.report.formats import (
    describe_splits,
    format_interval,
    importance_picture,
    inputs_picture,
    more_rows_section,
    settings_table,
    students_section,
)
from markone.tables.report.headline import build_fit_report
from markone.tables.scoring import INTERVAL_LEVEL, MEASURE_NAMES, RESAMPLED, Interval

BOOTSTRAP = (
    "Intervals: 95 %, bootstrap over the rows; they ignore the variation of the model with other training "
    "rows."
)
# Rows listed with the largest errors, and points drawn.
MOST_FURTHEST, MAX_POINTS = 10, 3000


def build_number_report(fitted: RegressionResult) -> Report:
    splits = describe_splits(fitted.validation.how, fitted.request)
    return build_fit_report(fitted, regression_headline(fitted), splits, _sections(fitted))


def _sections(fitted: RegressionResult) -> list[Section]:
    scores: list[Block] = [Table(error_table(fitted), "numbers scores")]
    scores += [Text(text, small=True) for text in error_footnotes(fitted)]
    summary, settings = fitted.summary, settings_table(fitted.regressor)
    return [
        Section("Scores", [*scores, _prediction_pictures(fitted)]),
        students_section(fitted.students),
        Section("Prediction intervals", [Items(_coverage_sentences(fitted)), _coverage_picture(fitted)]),
        Section(
            "Feature importance",
            [
                inputs_picture(summary.bars),
                importance_picture(fitted.validation, "Increase of the root mean square error", 0),
            ],
        ),
        Section(
            f"The model of all rows: {fitted.model}",
            [
                Items(summary.sentences),
                Table(settings, "plain", folded=f"All settings of {fitted.model}", where=[PAGE]),
            ],
        ),
        Section("Largest errors on left-out rows", [Table(_largest_error_table(fitted), most=5)]),
        more_rows_section(fitted),
    ]


def regression_headline(fitted: RegressionResult | FolderResult) -> str:
    """Summary sentence: error, baseline, doubts."""
    found, trivial = fitted.validation.estimates, _mean_prediction_error(fitted)
    error, share = found["rmse"], found["r2"]
    verdict = "less than" if found["gain"].low > 0 else "not clearly less than"
    mean, interval, base = _format_beside(error, trivial)
    explained = f"{100 * share.mean:.0f} % of the variance"
    if share.mean <= 0:
        explained = f"nothing of the variance (R2 {share.mean:.2f})"
    apart = fitted.apart.headline_part("rmse", error) if fitted.apart else ""
    return (
        f"On rows it has not seen, {fitted.model} is off by {mean} (root mean square; 95 %: {interval}), "
        f"{verdict} the {base} of always predicting the mean; it explains {explained}.{apart}"
        f"{doubt_sentence(fitted.findings)}"
    )


def _mean_prediction_error(fitted: RegressionResult | FolderResult) -> float:
    return fitted.validation.estimates["rmse"].mean + fitted.validation.estimates["gain"].mean


def _format_beside(found: Interval, base: float) -> list[str]:
    """A score with its interval, and that of a constant prediction with as many digits."""
    half = (found.high - found.low) / 2
    width = half if isfinite(half) and half > 0 else abs(found.mean) / 100
    return [*format_interval(found, 0), format_rounded([base], width)[0] if isfinite(base) else "–"]


def error_table(fitted: RegressionResult | FolderResult) -> PageTable:
    estimates = fitted.validation.estimates
    mae = estimates["trivial_mae"].mean if "trivial_mae" in estimates else nan
    trivial = {"rmse": _mean_prediction_error(fitted), "mae": mae, "r2": 0.0}
    rows = [[MEASURE_NAMES[name], *_format_beside(estimates[name], base)] for name, base in trivial.items()]
    return PageTable(["measure", "left-out rows", "95 % interval", "mean"], rows)


def error_footnotes(fitted: RegressionResult) -> list[str]:
    how = fitted.validation.how
    return [
        f"Cross-validation: {describe_splits(how, fitted.request)}",
        *([fitted.apart.sentence("rmse")] if fitted.apart else []),
        BOOTSTRAP if how.leave_one_out else RESAMPLED,
        "R2 is 1 - squared error / squared error of always predicting the mean of the training rows.",
    ]


def _coverage_sentences(fitted: RegressionResult) -> list[str]:
    """Sentences on the coverage of the prediction intervals on left-out rows."""
    texts = [
        f"{100 * found.coverage_at():.1f} % of the left-out rows lie in {found.name} "
        f"(nominal: {100 * INTERVAL_LEVEL:.0f} %)."
        for found in fitted.validation.coverage
    ]
    return [*texts, f"The band of the residuals is the prediction +- {format_number(fitted.width)}."]


def _largest_error_table(fitted: RegressionResult, most: int = MOST_FURTHEST) -> PageTable:
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


def _prediction_pictures(fitted: RegressionResult) -> list[ReportPicture]:
    shown = min(len(fitted.y), MAX_POINTS)
    points = f"{shown} of {len(fitted.y)} rows" if shown < len(fitted.y) else "Each row once"
    band = "Lines: the interval that contains 95 % of the left-out rows."
    y, predicted = _left_out_predictions(fitted)
    return [
        ReportPicture("truth", f"{points}, predicted when left out.", (y, predicted, fitted.plan.target)),
        ReportPicture("residuals", f"Residuals. {band}", (y, predicted, fitted.width)),
    ]


def _left_out_predictions(fitted: RegressionResult) -> tuple[Array, Array]:
    """True and predicted values of the first repeat: each row once, or a sample."""
    folds = fitted.validation.first_repeat
    rows = np.concatenate([fold.test for fold in folds])
    predicted = np.concatenate([fold.predicted for fold in folds])
    if len(rows) > MAX_POINTS:
        chosen = np.random.default_rng(0).choice(len(rows), MAX_POINTS, replace=False)
        rows, predicted = rows[chosen], predicted[chosen]
    return fitted.y[rows], predicted


def _coverage_picture(fitted: RegressionResult) -> ReportPicture:
    found = fitted.validation.coverage
    rows = [
        [f"{100 * level:.0f} %", *(f"{100 * c.shares[k]:.1f} %" for c in found)]
        for k, level in enumerate(found[0].levels)
    ]
    table = PageTable(["nominal", *(c.name for c in found)], rows)
    caption = "Coverage of the prediction intervals: correct on the dotted line, too narrow below it."
    return ReportPicture("calibration", caption, (found,), table)
