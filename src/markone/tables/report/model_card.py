"""Model card: intended use, limits, and training data."""

from __future__ import annotations

from pathlib import Path

from markone.numerics.text import count, shortened
from markone.show.page import PageTable
from markone.tables.answers.drift import TrainingRange
from markone.tables.fit_result import FitResult
from markone.tables.plan.column_plan import NUMBER, ColumnPlan
from markone.tables.report.headline import headline
from markone.tables.report.sentences import folds
from markone.tables.request import ColumnOptions


def model_card(fitted: FitResult) -> PageTable:
    rows = [
        ["for", purpose(fitted)],
        ["not for", limits(fitted.request.options, any(f.doubts_score for f in fitted.findings))],
        ["how good", headline(fitted)],
        ["judged by", folds(fitted)],
        ["trained on", trained_on(fitted)],
        ["inputs", shortened([c.name for c in fitted.plan.used], 20)],
        ["ranges", ranges(fitted.plan, fitted.training)],
    ]
    return PageTable(["", ""], [row for row in rows if row[1]])


def purpose(fitted: FitResult) -> str:
    classes = shortened(fitted.judge.classes, 12)
    return f"Predicting {fitted.plan.target!r} of rows collected like those of the table: {classes}."


def limits(options: ColumnOptions, doubtful: bool) -> str:
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


def trained_on(fitted: FitResult) -> str:
    words = shortened([f"{label} {n}" for label, n in fitted.class_counts.items()], 12)
    return f"{count(len(fitted.rows), 'row')} ({words}) of {source(fitted.request.data, fitted.data_hash)}."


def source(data: str, data_hash: str) -> str:
    name = Path(data).name
    return f"{name}, SHA-256 {data_hash}" if data_hash else f"the built-in data set {name}"


def ranges(plan: ColumnPlan, training: TrainingRange | None) -> str:
    """Training ranges of the numeric columns."""
    if training is None:
        return ""
    known = training.numbers
    names = [c.name for c in plan.of_kind(NUMBER) if c.name in known]
    return shortened([f"{n} {known[n][0]:.4g} to {known[n][-1]:.4g}" for n in names], 20)
