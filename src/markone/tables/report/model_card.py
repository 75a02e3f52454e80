"""Model card: intended use, limits, and training data."""

from __future__ import annotations

from pathlib import Path

from markone.numerics.text import format_count, format_number, shorten_list
from markone.show.page import PageTable
from markone.tables.fit_result import FitResult, RegressionResult
from markone.tables.plan.column_plan import NUMBER


def model_card(fitted: FitResult | RegressionResult, headline: str, splits: str) -> PageTable:
    rows = [
        ["for", _intended_use(fitted)],
        ["not for", _usage_limits(fitted)],
        ["how good", headline],
        ["judged by", splits],
        [
            "trained on",
            f"{format_count(len(fitted.rows), 'row')} ({_target_range(fitted)}) of {_data_source(fitted)}.",
        ],
        ["inputs", shorten_list([c.name for c in fitted.plan.used_columns], 20)],
        ["ranges", _training_ranges(fitted)],
    ]
    return PageTable(["", ""], [row for row in rows if row[1]])


def _intended_use(fitted: FitResult | RegressionResult) -> str:
    text = f"Predicting {fitted.plan.target!r} of rows collected like those of the table"
    return (
        f"{text}: {shorten_list(fitted.judge.classes, 12)}." if isinstance(fitted, FitResult) else f"{text}."
    )


def _usage_limits(fitted: FitResult | RegressionResult) -> str:
    options = fitted.request.options
    texts = [
        "Rows from other sites, times or measurement procedures, unless tested there.",
        "Causal statements: weights and relevances describe the prediction only.",
    ]
    if not options.group:
        texts.append("New members of a group (patients, devices) if the table has several rows of each.")
    if not options.time:
        texts.append("The future, if conditions change: the folds ignore time.")
    if fitted.doubts:
        texts.append("Any use before the doubts above are resolved.")
    return " ".join(texts)


def _target_range(fitted: FitResult | RegressionResult) -> str:
    if isinstance(fitted, FitResult):
        return shorten_list([f"{label} {n}" for label, n in fitted.class_counts.items()], 12)
    return f"target {format_number(float(fitted.y.min()))} to {format_number(float(fitted.y.max()))}"


def _data_source(fitted: FitResult | RegressionResult) -> str:
    name = Path(fitted.request.data).name
    if fitted.request.table is not None:
        return "a table in memory"
    return f"{name}, SHA-256 {fitted.data_hash}" if fitted.data_hash else f"the built-in data set {name}"


def _training_ranges(fitted: FitResult | RegressionResult) -> str:
    """Training ranges of the numeric columns."""
    if fitted.training is None:
        return ""
    known = fitted.training.numbers
    names = [c.name for c in fitted.plan.columns_of_kind(NUMBER) if c.name in known]
    return shorten_list([f"{n} {known[n][0]:.4g} to {known[n][-1]:.4g}" for n in names], 20)
