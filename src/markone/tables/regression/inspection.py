"""Permutation importance and model card of a regression."""

from __future__ import annotations

from markone.numerics.arrays import Array
from markone.numerics.text import format_count, format_number, format_rounded, shorten_list
from markone.show.page import PageTable
from markone.tables.inspect.importance import importance_over_folds
from markone.tables.regression.fitting import RegressionResult
from markone.tables.regression.regression_text import regression_headline
from markone.tables.regression.scores import estimate_over_folds
from markone.tables.regression.validation import NumberValidation
from markone.tables.report.fit_text import describe_splits
from markone.tables.report.model_card import data_source, training_ranges, usage_limits
from markone.tables.scores import Interval

IMPORTANCE_TITLE = "Increase of the root mean square error when a column is permuted"


def error_importance(validation: NumberValidation) -> dict[str, Interval]:
    """Increase of the error per permuted column; empty if none was permuted."""
    shuffled = [fold for fold in validation.folds if fold.needed]
    sizes = [(len(fold.test), fold.train_size) for fold in shuffled]
    return importance_over_folds([fold.needed for fold in shuffled], sizes, _error_increase_interval)


def _error_increase_interval(losses: list[float], tests: list[int], used: Array) -> Interval:
    return estimate_over_folds([{"gain": loss} for loss in losses], tests, used)["gain"]


def error_importance_table(fitted: RegressionResult) -> PageTable:
    rows = []
    for name, found in error_importance(fitted.validation).items():
        mean, low, high = format_rounded(
            [found.mean, found.low, found.high], (found.high - found.low) / 2 or 1.0
        )
        rows.append([name, mean, f"{low} to {high}"])
    return PageTable(["column", "increase", "95 %"], rows)


def regression_card(fitted: RegressionResult) -> PageTable:
    least, most = format_number(float(fitted.y.min())), format_number(float(fitted.y.max()))
    where = data_source(fitted.request.data, fitted.data_hash)
    rows = [
        ["for", f"Predicting {fitted.plan.target!r} of rows collected like those of the table."],
        ["not for", usage_limits(fitted.request.options, bool(fitted.doubts))],
        ["how good", regression_headline(fitted)],
        ["judged by", describe_splits(fitted.validation.how, fitted.request)],
        ["trained on", f"{format_count(len(fitted.rows), 'row')} (target {least} to {most}) of {where}."],
        ["inputs", shorten_list([c.name for c in fitted.plan.used_columns], 20)],
        ["ranges", training_ranges(fitted.plan, fitted.training)],
    ]
    return PageTable(["", ""], [row for row in rows if row[1]])
