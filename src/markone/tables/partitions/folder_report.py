"""Report of a folder of files, its results as a dictionary, and its model file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from markone.numerics.text import format_count, format_number, shorten_list
from markone.show.page import PageTable
from markone.tables.answers.drift import TrainingRange
from markone.tables.fit_result import FolderResult
from markone.tables.inspect.row_intervals import scores_per_class
from markone.tables.model_file import SavedModel, write_model_file
from markone.tables.plan.column_plan import NUMBER, ColumnPlan, PlannedColumn
from markone.tables.report.blocks import NO_TABLE, PAGE, Items, Report, Section, Table, Text, make_report
from markone.tables.report.class_report import SHARES, score_table, table_of_classes
from markone.tables.report.formats import inputs_picture, table_of_prototypes
from markone.tables.report.headline import class_headline
from markone.tables.report.number_report import error_table, regression_headline
from markone.tables.report.to_dict import to_plain
from markone.tables.scoring import RESAMPLED


def build_folder_report(found: FolderResult) -> Report:
    known, summary, classes = found.known, found.summary, NO_TABLE
    P, k = known.rows, found.validation.how.folds
    folds = f"Cross-validation: {P} rows in {k} folds, seed {found.request.seed}. {RESAMPLED}"
    if known.classes:
        classes = table_of_classes(scores_per_class(found.judge, found.validation.confusion))
    scores = score_table(found) if known.classes else error_table(found)
    sections = [
        Section("Scores", [Table(scores, "numbers scores"), Text(folds, small=True)]),
        Section(
            "Each class", [Table(classes, most=100), Text(SHARES, True, [PAGE]) if classes.rows else None]
        ),
    ]
    if summary is not None:
        blocks = [
            Items(summary.sentences),
            inputs_picture(summary.bars),
            Table(table_of_prototypes(summary, known.names), heading="Prototypes", where=[PAGE]),
        ]
        sections.append(Section(f"The student of all rows: {found.model}", blocks))
    sections.append(Section("Columns", [Table(_column_table(found), where=[PAGE])]))
    absent = {c: int(n) for c, n in zip(known.names, known.missing, strict=True) if n}
    words = shorten_list([f"{column} {n}" for column, n in absent.items()], 8)
    return make_report(
        found.request,
        found.model,
        (P, len(known.names)),
        f"target {found.request.options.target!r}",
        found.findings,
        [["fits", f"{format_count(k + 1, 'student')}, {found.seconds:.1f} s"]],
        headline=_folder_headline(found),
        notes=[f"Missing values, by column: {words}."] if absent else [],
        sections=sections,
    )


def _folder_headline(found: FolderResult) -> str:
    return class_headline(found) if found.known.classes else regression_headline(found)


def _column_table(found: FolderResult) -> PageTable:
    """Missing values and quartiles of every column."""
    known = found.known
    rows = [
        [name, str(int(missing)), *(format_number(float(value)) for value in values)]
        for name, missing, values in zip(known.names, known.missing, known.quantiles.T, strict=True)
    ]
    return PageTable(["column", "missing", "minimum", "25 %", "median", "75 %", "maximum"], rows)


def folder_to_dict(found: FolderResult) -> dict[str, Any]:
    known, validation = found.known, found.validation
    content = {
        "data": found.request.data,
        "target": found.request.options.target,
        "task": found.task,
        "model": found.model,
        "rows": known.rows,
        "folds": validation.how.folds,
        "headline": _folder_headline(found),
        "findings": known.findings,
        "inputs": known.names,
        "missing": dict(zip(known.names, known.missing.tolist(), strict=True)),
        "levels": known.levels,
        "quantiles": dict(zip(known.names, known.quantiles.T.tolist(), strict=True)),
        "classes": known.classes,
        "scores": validation.estimates,
        "trivial": found.baseline,
        "per_class": scores_per_class(found.judge, validation.confusion) if known.classes else [],
        "seed": found.request.seed,
        "seconds": found.seconds,
    }
    return dict(to_plain(content))


def save_folder_model(found: FolderResult, path: Path) -> None:
    """Save the final model, its columns and their training ranges."""
    known, options = found.known, found.request.options
    plan = ColumnPlan(
        str(options.target), [PlannedColumn(name, NUMBER) for name in known.names], options.missing
    )
    percentiles = dict(zip(known.names, np.asarray(found.percentiles).T.tolist(), strict=True))
    shares = {name: float(n / known.rows) for name, n in zip(known.names, known.missing, strict=True)}
    training = TrainingRange(known.rows, percentiles, missing=shares)
    model = SavedModel(plan, found.pipeline, found.judge, folder_to_dict(found), training)
    write_model_file(model, path)
