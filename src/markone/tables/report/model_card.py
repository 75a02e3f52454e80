"""The model card: what this student is for, what it is not for, and where it comes from."""

from __future__ import annotations

from pathlib import Path

from markone.numerics.text import count, shortened
from markone.show.page import PageTable
from markone.tables.fitting import FitResult
from markone.tables.plan.column_plan import NUMBER
from markone.tables.report.headline import headline
from markone.tables.report.sentences import folds


def model_card(fitted: FitResult) -> PageTable:
    rows = [
        ["for", purpose(fitted)],
        ["not for", limits(fitted)],
        ["how good", headline(fitted)],
        ["judged by", folds(fitted)],
        ["trained on", trained_on(fitted)],
        ["inputs", shortened([c.name for c in fitted.plan.used], 20)],
        ["ranges", ranges(fitted)],
    ]
    return PageTable(["", ""], [row for row in rows if row[1]])


def purpose(fitted: FitResult) -> str:
    classes = shortened(fitted.judge.classes, 12)
    return f"Naming the {fitted.plan.target!r} of rows collected like those of the table: {classes}."


def limits(fitted: FitResult) -> str:
    texts = [
        "Rows from other places, times or ways of measuring, unless it was tested there.",
        "Saying what causes what: weights and relevances say what the answer follows.",
    ]
    if not fitted.request.options.group:
        texts.append("New members of a group (patients, devices) if the table has several rows of each.")
    if not fitted.request.options.time:
        texts.append("The future, if the world changes: the folds were drawn without regard to time.")
    if any(finding.doubts_score for finding in fitted.findings):
        texts.append("Any use before the doubts above are settled.")
    return " ".join(texts)


def trained_on(fitted: FitResult) -> str:
    words = shortened([f"{label} {n}" for label, n in fitted.class_counts.items()], 12)
    name = Path(fitted.request.data).name
    where = f"{name}, SHA-256 {fitted.data_hash}" if fitted.data_hash else f"the known set {name}"
    return f"{count(len(fitted.rows), 'row')} ({words}) of {where}."


def ranges(fitted: FitResult) -> str:
    """Where the numbers lay; outside, the answers are guesses."""
    if fitted.training is None:
        return ""
    known = fitted.training.numbers
    names = [c.name for c in fitted.plan.of_kind(NUMBER) if c.name in known]
    return shortened([f"{n} {known[n][0]:.4g} to {known[n][-1]:.4g}" for n in names], 20)
