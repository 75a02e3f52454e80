"""Model card: intended use, limits, and training data."""

from __future__ import annotations

from pathlib import Path

from markone.numerics.text import format_count, shorten_list
from markone.show.page import PageTable
from markone.tables.answers.drift import TrainingRange
from markone.tables.fit_result import FitResult
from markone.tables.plan.column_plan import NUMBER, ColumnPlan
from markone.tables.report.fit_text import describe_folds
from markone.tables.report.headline import class_headline
from markone.tables.request import ColumnOptions


def classifier_card(fitted: FitResult) -> PageTable:
    rows = [
        ["for", _intended_use(fitted)],
        ["not for", usage_limits(fitted.request.options, any(f.doubts_score for f in fitted.findings))],
        ["how good", class_headline(fitted)],
        ["judged by", describe_folds(fitted)],
        ["trained on", _training_data_sentence(fitted)],
        ["inputs", shorten_list([c.name for c in fitted.plan.used_columns], 20)],
        ["ranges", training_ranges(fitted.plan, fitted.training)],
    ]
    return PageTable(["", ""], [row for row in rows if row[1]])


def _intended_use(fitted: FitResult) -> str:
    classes = shorten_list(fitted.judge.classes, 12)
    return f"Predicting {fitted.plan.target!r} of rows collected like those of the table: {classes}."


def usage_limits(options: ColumnOptions, doubtful: bool) -> str:
    texts = [
        "Rows from other sites, times or measurement procedures, unless tested there.",
        "Causal statements: weights and relevances describe the prediction only.",
    ]
    if not options.group:
        texts.append("New members of a group (patients, devices) if the table has several rows of each.")
    if not options.time:
        texts.append("The future, if conditions change: the folds ignore time.")
    if doubtful:
        texts.append("Any use before the doubts above are resolved.")
    return " ".join(texts)


def _training_data_sentence(fitted: FitResult) -> str:
    words = shorten_list([f"{label} {n}" for label, n in fitted.class_counts.items()], 12)
    return (
        f"{format_count(len(fitted.rows), 'row')} ({words}) of "
        f"{data_source(fitted.request.data, fitted.data_hash)}."
    )


def data_source(data: str, data_hash: str) -> str:
    name = Path(data).name
    return f"{name}, SHA-256 {data_hash}" if data_hash else f"the built-in data set {name}"


def training_ranges(plan: ColumnPlan, training: TrainingRange | None) -> str:
    """Training ranges of the numeric columns."""
    if training is None:
        return ""
    known = training.numbers
    names = [c.name for c in plan.columns_of_kind(NUMBER) if c.name in known]
    return shorten_list([f"{n} {known[n][0]:.4g} to {known[n][-1]:.4g}" for n in names], 20)
