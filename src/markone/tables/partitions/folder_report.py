"""Report of a folder of files, its results as a dictionary, and its model file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from markone.numerics.text import format_count, format_number, format_rounded, shorten_list
from markone.show.page import PageTable
from markone.tables.answers.drift import TrainingRange
from markone.tables.model_file import SavedModel, write_model_file
from markone.tables.partitions.folder_fit import FolderResult
from markone.tables.plan.column_plan import NUMBER, ColumnPlan, PlannedColumn
from markone.tables.report.blocks import NO_TABLE, PAGE, Items, Report, Section, Table, Text
from markone.tables.report.class_report import SHARES, table_of_classes
from markone.tables.report.formats import inputs_picture
from markone.tables.report.to_dict import as_plain_dict, to_plain
from markone.tables.row_intervals import ClassScores, scores_per_class
from markone.tables.scoring import MEASURE_NAMES, RESAMPLED, ClassScoring


def build_folder_report(found: FolderResult) -> Report:
    known, summary = found.known, found.summary
    classes = table_of_classes(_folder_class_scores(found)) if known.classes else NO_TABLE
    sections = [
        Section("Scores", [Table(_score_table(found), "numbers scores"), Text(RESAMPLED, small=True)]),
        Section(
            "Each class", [Table(classes, most=100), Text(SHARES, True, [PAGE]) if classes.rows else None]
        ),
    ]
    if summary is not None:
        blocks = [
            Items(summary.sentences),
            inputs_picture(summary.bars),
            Table(_prototype_table(found), heading="Prototypes", where=[PAGE]),
        ]
        sections.append(Section(f"The student of all rows: {found.model}", blocks))
    sections.append(Section("Columns", [Table(_column_table(found), where=[PAGE])]))
    fits = f"{format_count(found.scores.folds + 1, 'student')}, {found.seconds:.1f} s"
    return Report(
        title=f"{found.model} on {Path(found.request.data).name}",
        subtitle=f"{format_count(known.rows, 'row')}, {format_count(len(known.names), 'input')}, target "
        f"{found.request.options.target!r}",
        headline=_folder_headline(found),
        doubts=[str(finding) for finding in known.findings if finding.doubts_score],
        findings=[str(finding) for finding in known.findings if not finding.doubts_score],
        notes=_missing_notes(found),
        sections=sections,
        provenance=[["seed", str(found.request.seed)], ["fits", fits]],
    )


def _folder_headline(found: FolderResult) -> str:
    scores, reasons = found.scores, sum(finding.doubts_score for finding in found.known.findings)
    where = f"{scores.rows} rows in {scores.folds} folds"
    doubt = f" This may be misleading, for {format_count(reasons, 'reason')} given below." if reasons else ""
    if found.task == "regression":
        error, share = scores.estimates["rmse"], scores.estimates["r2"]
        return (
            f"On rows it has not seen, {found.model} is off by {format_number(error.mean)} (root mean "
            f"square), compared with {format_number(scores.trivial['rmse'])} of always predicting the "
            f"mean; it explains {100 * share.mean:.0f} % of the variance ({where}).{doubt}"
        )
    right = scores.estimates["accuracy"]
    mean, low, high, trivial = (
        f"{100 * v:.1f}" for v in (right.mean, right.low, right.high, scores.trivial["accuracy"])
    )
    worst = min(_folder_class_scores(found), key=lambda c: c.recall.mean)
    return (
        f"Of rows it has not seen, {found.model} gets {mean} % right (95 %: {low} to {high}), compared with "
        f"{trivial} % of always predicting the most frequent class; of {worst.label!r} it finds "
        f"{100 * worst.recall.mean:.1f} % ({where}).{doubt}"
    )


def _folder_class_scores(found: FolderResult) -> list[ClassScores]:
    assert found.scores.confusion is not None
    return scores_per_class(_class_scoring(found), found.scores.confusion)


def _class_scoring(found: FolderResult) -> ClassScoring:
    """Scoring of the classes; the rarer of two is positive, the last one if equal."""
    labels = sorted(found.known.classes)
    if not labels:
        return ClassScoring([], "")
    return ClassScoring(labels, min(reversed(labels), key=lambda label: found.known.classes[label]))


def _score_table(found: FolderResult) -> PageTable:
    rows = []
    for measure, value in found.scores.estimates.items():
        width = max(value.high - value.low, 1e-6) / 2
        mean, low, high = format_rounded([value.mean, value.low, value.high], width)
        trivial = found.scores.trivial
        constant = f"{trivial[measure]:.4g}" if measure in trivial else ""
        rows.append([MEASURE_NAMES[measure], mean, f"{low} to {high}", constant])
    return PageTable(["measure", "left-out rows", "95 % interval", "constant"], rows)


def _column_table(found: FolderResult) -> PageTable:
    """Missing values and quartiles of every column."""
    known = found.known
    rows = [
        [name, str(int(missing)), *(format_number(float(value)) for value in values)]
        for name, missing, values in zip(known.names, known.missing, known.quantiles.T, strict=True)
    ]
    return PageTable(["column", "missing", "minimum", "25 %", "median", "75 %", "maximum"], rows)


def _prototype_table(found: FolderResult) -> PageTable:
    if found.summary is None or found.summary.prototypes is None:
        return NO_TABLE
    labels, values = found.summary.prototypes
    rows = [
        [name, *(format_number(float(v)) for v in column)]
        for name, column in zip(found.known.names, values.T, strict=True)
    ]
    return PageTable(["column", *labels], rows)


def _missing_notes(found: FolderResult) -> list[str]:
    absent = {c: int(n) for c, n in zip(found.known.names, found.known.missing, strict=True) if n}
    words = shorten_list([f"{column} {n}" for column, n in absent.items()], 8)
    return [f"Missing values, by column: {words}."] if absent else []


def folder_to_dict(found: FolderResult) -> dict[str, Any]:
    known, scores = found.known, found.scores
    content = {
        "data": found.request.data,
        "target": found.request.options.target,
        "task": found.task,
        "model": found.model,
        "rows": scores.rows,
        "folds": scores.folds,
        "headline": _folder_headline(found),
        "findings": [vars(finding) | {"numbers": dict(finding.numbers)} for finding in known.findings],
        "inputs": known.names,
        "missing": dict(zip(known.names, known.missing.tolist(), strict=True)),
        "levels": known.levels,
        "quantiles": dict(zip(known.names, known.quantiles.T.tolist(), strict=True)),
        "classes": known.classes,
        "scores": {measure: vars(value) for measure, value in scores.estimates.items()},
        "trivial": scores.trivial,
        "per_class": [as_plain_dict(each) for each in _folder_class_scores(found)] if known.classes else [],
        "seed": found.request.seed,
        "seconds": found.seconds,
    }
    made: dict[str, Any] = to_plain(content)
    return made


def save_folder_model(found: FolderResult, path: Path) -> None:
    """Save the final model, its columns and their training ranges."""
    known, options = found.known, found.request.options
    plan = ColumnPlan(
        str(options.target), [PlannedColumn(name, NUMBER) for name in known.names], options.missing
    )
    percentiles = dict(zip(known.names, found.percentiles.T.tolist(), strict=True))
    shares = {name: float(n / known.rows) for name, n in zip(known.names, known.missing, strict=True)}
    training = TrainingRange(known.rows, percentiles, missing=shares)
    model = SavedModel(plan, found.pipeline, _class_scoring(found), folder_to_dict(found), training)
    write_model_file(model, path)
