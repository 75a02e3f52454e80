"""Results of a folder as sentences, tables and a dictionary."""

from __future__ import annotations

from typing import Any

from markone.numerics.text import format_number, format_rounded, shorten_list
from markone.show.page import PageTable
from markone.tables.inspect.per_class import ClassScores, scores_per_class
from markone.tables.partitions.folder_fit import FolderResult
from markone.tables.regression.scores import ERROR_NAMES as OF_NUMBERS
from markone.tables.report.inspection import table_of_classes
from markone.tables.report.to_dict import as_plain_dict, to_plain
from markone.tables.scores import NAMES, ClassScoring


def folder_headline(found: FolderResult) -> str:
    scores = found.scores
    where = f"{scores.rows} rows in {scores.folds} folds"
    if found.task == "regression":
        error, share = scores.estimates["rmse"], scores.estimates["r2"]
        return (
            f"On rows it has not seen, {found.model} is off by "
            f"{format_number(error.mean)} (root mean square), "
            f"compared with {format_number(scores.trivial['rmse'])} of always predicting "
            "the mean; it explains "
            f"{100 * share.mean:.0f} % of the variance ({where})."
        )
    right = scores.estimates["accuracy"]
    mean, low, high, trivial = (
        f"{100 * v:.1f}" for v in (right.mean, right.low, right.high, scores.trivial["accuracy"])
    )
    worst = min(_folder_class_scores(found), key=lambda c: c.recall.mean)
    return (
        f"Of rows it has not seen, {found.model} gets {mean} % right (95 %: {low} to {high}), compared "
        f"with {trivial} % of always predicting the most frequent class; of {worst.label!r} it finds "
        f"{100 * worst.recall.mean:.1f} % ({where})."
    )


def _folder_class_scores(found: FolderResult) -> list[ClassScores]:
    assert found.scores.confusion is not None
    return scores_per_class(folder_scoring(found), found.scores.confusion)


def folder_scoring(found: FolderResult) -> ClassScoring:
    """Scoring of the classes; the rarer of two is positive, the last one if equal."""
    labels = sorted(found.known.classes)
    if not labels:
        return ClassScoring([], "")
    return ClassScoring(labels, min(reversed(labels), key=lambda label: found.known.classes[label]))


def folder_score_table(found: FolderResult) -> PageTable:
    rows = []
    for measure, value in found.scores.estimates.items():
        mean, low, high = format_rounded(
            [value.mean, value.low, value.high], max(value.high - value.low, 1e-6) / 2
        )
        trivial = found.scores.trivial
        constant = f"{trivial[measure]:.4g}" if measure in trivial else ""
        rows.append([(NAMES | OF_NUMBERS)[measure], mean, f"{low} to {high}", constant])
    return PageTable(["measure", "left-out rows", "95 % interval", "constant"], rows)


def folder_class_table(found: FolderResult) -> PageTable:
    return table_of_classes(_folder_class_scores(found)) if found.known.classes else PageTable([], [])


def column_quantile_table(found: FolderResult) -> PageTable:
    """Missing values and quartiles of every column."""
    known = found.known
    rows = [
        [name, str(int(missing)), *(format_number(float(value)) for value in values)]
        for name, missing, values in zip(known.names, known.missing, known.quantiles.T, strict=True)
    ]
    return PageTable(["column", "missing", "minimum", "25 %", "median", "75 %", "maximum"], rows)


def note_missing_values(found: FolderResult) -> str:
    absent = {c: int(n) for c, n in zip(found.known.names, found.known.missing, strict=True) if n}
    words = shorten_list([f"{column} {n}" for column, n in absent.items()], 8)
    return f"Missing values, by column: {words}." if absent else ""


def folder_to_dict(found: FolderResult) -> dict[str, Any]:
    known, scores = found.known, found.scores
    content = {
        "data": found.request.data,
        "target": found.request.options.target,
        "task": found.task,
        "model": found.model,
        "rows": scores.rows,
        "folds": scores.folds,
        "headline": folder_headline(found),
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
