"""`markone predict`: apply a saved model to a new table."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.data.reading.columns import is_missing
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.numerics.files import escape_formula
from markone.numerics.intervals import student_factor
from markone.numerics.text import format_count, shorten_list
from markone.tables import source
from markone.tables.answers.decision import scores_or_labels
from markone.tables.answers.explanations import (
    explain_rows,
    note_unreadable_rows,
    remarks_per_row,
    split_readable_rows,
)
from markone.tables.model_file import SavedModel
from markone.tables.plan import column_plan
from markone.tables.plan.column_kinds import (
    apply_notation,
    apply_notations,
    find_notation,
    mark_missing_words,
)
from markone.tables.plan.column_plan import ColumnPlan
from markone.tables.scoring import (
    INTERVAL_LEVEL,
    decision_scores,
    error_measures,
    predicted_deviations,
    prediction_margins,
)
from markone.tables.source import unknown_column_error


@dataclass(frozen=True)
class Predictions:
    """One row of `cells` per row of the table: number, identifiers, label, `numbers`, remark.

    Rows that could not be read or were rejected have no label, and the remark gives the reason; `measures`
    are the scores, if the table contains the target.
    """

    header: list[str]
    cells: list[list[str]]
    notes: list[str]
    labels: Array
    scores: Array | None
    numbers: dict[str, Array]
    remarks: list[str]
    measures: dict[str, float]


def read_new_table(model: SavedModel, data: str, header: bool = True) -> CellTable:
    """Read the table to be predicted; columns that the plan treats as text are kept as written."""
    table = source.read_data(data, header=header, texts=model.plan.text_columns, most=None)
    return mark_missing_words(table, model.plan.missing_words)


def predict(
    model: SavedModel, table: CellTable, proba: bool = False, explain: bool = False, keep: Sequence[str] = ()
) -> Predictions:
    """Predict the rows of a table with the columns of the fit.

    Parameters
    ----------
    model : SavedModel
        As returned by `load_model`.
    table : CellTable
        As returned by `markone.tables.table_prediction.read_new_table`.
    proba : bool, default=False
        Return probabilities instead of scores.
    explain : bool, default=False
        Add columns of texts: the columns that decided, nearest prototype, nearest row of another label, and
        the smallest change that gives another label.
    keep : list of str
        Columns that this change leaves as they are.

    Returns
    -------
    Predictions
        The `labels`, and the rows as they are written to a file.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from markone.tables import FitRequest, fit, load_model, predict, save_model
    >>> from markone.tables.table_prediction import read_new_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "iris.skops")
    ...     save_model(fit(FitRequest("iris", model="hebb", cv="3")), path)
    ...     model = load_model(path)
    >>> predict(model, read_new_table(model, "iris")).labels.shape
    (150,)
    """
    notes = [*table.notes, *_check_columns(table, model.plan)]
    table = apply_notations(table, model.plan.columns)
    rows, reasons = split_readable_rows(table, model.plan)
    notes += note_unreadable_rows(reasons)
    X = column_plan.encode_inputs(table.only(rows), model.plan)
    regression = model.task == "regression"
    given = model.pipeline.predict(X)
    scores = None if regression else decision_scores(model.pipeline, X)
    remarks = remarks_per_row(model, table, rows, X, reasons, notes)
    if regression:
        numbers = _prediction_intervals(model, X, given, proba)
        labels = _scatter_to_rows(np.asarray(given, dtype=np.float64), rows, len(table), np.nan)
    else:
        numbers = _probability_columns(model, X) if proba else _score_columns(model, scores)
        labels = _scatter_to_rows(np.asarray(given, dtype=object), rows, len(table), "")
        labels[[k for k, remark in enumerate(remarks) if remark.startswith("rejected")]] = ""
    numbers = {name: _scatter_to_rows(values, rows, len(table), np.nan) for name, values in numbers.items()}
    header, columns = _identifier_columns(model, table)
    columns.append([_format_prediction(v) if regression else str(v) for v in labels])
    columns += [[_format_prediction(v) for v in values] for values in numbers.values()]
    header = [*header, "prediction" if regression else "label", *numbers]
    if model.sets is not None:
        header.append("set")
        columns.append(_scatter_texts(_set_texts(model, X), rows, len(table)))
    if explain or keep:
        texts = explain_rows(model, X, table.rows[rows], keep)
        header += texts
        columns += [_scatter_texts(each, rows, len(table)) for each in texts.values()]
    header.append("remark")
    cells = [list(row) for row in zip(*columns, remarks, strict=True)]
    every = None if scores is None else _scatter_to_rows(scores, rows, len(table), np.nan)
    measures = (_score_numbers if regression else _score_predictions)(model, table, labels, every, notes)
    return Predictions(header, cells, notes, labels, every, numbers, remarks, measures)


def _scatter_to_rows(values: Array, rows: Array, P: int, else_value: object) -> Array:
    """Put the values at their rows, and `else_value` in all others."""
    found = np.full((P, *values.shape[1:]), else_value, dtype=values.dtype)
    found[rows] = values
    return found


def _scatter_texts(texts: list[str], rows: Array, P: int) -> list[str]:
    found: list[str] = _scatter_to_rows(np.array(texts, dtype=object), rows, P, "").tolist()
    return found


def _set_texts(model: SavedModel, X: Array) -> list[str]:
    """The prediction set of each row: its classes, joined by " | "; empty if no class is plausible."""
    margins = prediction_margins(model.pipeline, X)
    inside = np.asarray(margins) >= np.asarray(model.sets)
    classes = np.array(model.judge.classes, dtype=object)
    return [" | ".join(classes[row]) for row in inside]


def _format_prediction(value: float) -> str:
    return "" if value != value else repr(float(value))


def _identifier_columns(model: SavedModel, table: CellTable) -> tuple[list[str], list[list[str]]]:
    """Return header and columns with row number and identifiers."""
    header, columns = ["row"], [[str(row) for row in table.rows]]
    for column in (c for c in model.plan.columns if c.identity and c.name in table.columns):
        header.append(column.name)
        columns.append(table.columns[column.name].texts())
    return header, columns


def _check_columns(table: CellTable, plan: ColumnPlan) -> list[str]:
    """Raise if a column is missing; return a note on ignored columns."""
    needed = [column.name for column in plan.used_columns]
    absent = [name for name in needed if name not in table.columns]
    if len(absent) == 1:
        raise unknown_column_error(
            absent[0], [name for name in table.columns if name not in needed], table.source
        )
    if absent:
        raise BadTable(
            f"{table.source} lacks {len(absent)} columns that the model needs: {shorten_list(absent)}."
        )
    known = {column.name for column in plan.columns} | {plan.target, table.target}
    extra = [name for name in table.columns if name not in known]
    return [f"Ignored, since the model was fitted without them: {shorten_list(extra)}."] if extra else []


def _score_columns(model: SavedModel, scores: Array | None) -> dict[str, Array]:
    """Scores by name: one for two classes, large for the positive one; else one per class."""
    if scores is None:
        return {}
    if scores.ndim == 1:
        classes = model.judge.classes
        return {f"score {model.judge.positive}": scores if model.judge.positive == classes[1] else -scores}
    return {f"score {label}": scores[:, k] for k, label in enumerate(model.judge.classes)}


def _probability_columns(model: SavedModel, X: Array) -> dict[str, Array]:
    if model.calibration is None:
        raise ValueError("A model of a folder has no calibrated probabilities: leave out --proba.")
    classes = model.judge.classes
    found = model.calibration.probabilities(scores_or_labels(model.pipeline, X, classes), classes)
    return {f"probability {label}": found[:, k] for k, label in enumerate(model.judge.classes)}


def _score_predictions(
    model: SavedModel, table: CellTable, labels: Array, scores: Array | None, notes: list[str]
) -> dict[str, float]:
    """Return the scores, if the table contains the target."""
    target = table.target or model.plan.target
    if target not in table.columns:
        return {}
    y = np.array(table.columns[target].texts())
    answered = np.array([bool(label) for label in labels])
    y, labels = y[answered], labels[answered].astype(str)
    scores = None if scores is None else scores[answered]
    known = np.isin(y, model.judge.classes)
    if not known.all():
        unknown = sorted({str(label) for label in y[~known] if not is_missing(label)})
        what = f"a class unknown to the model ({shorten_list(unknown, 5)})" if unknown else "no class"
        notes.append(
            f"{format_count(int((~known).sum()), 'row')} of {target!r} have {what}; the "
            "scores are of the others."
        )
    if not known.any():
        return {}
    return model.judge.compute_measures(y[known], labels[known], None if scores is None else scores[known])


def _prediction_intervals(model: SavedModel, X: Array, predicted: Array, proba: bool) -> dict[str, Array]:
    """Prediction interval: the model's own, or that of the residuals on left-out rows."""
    if proba:
        raise ValueError("--proba is for classes; this model predicts numbers, always with their interval.")
    std = predicted_deviations(model.pipeline, X)
    half = model.facts["band"]["half_width"] if std is None else student_factor(inf, INTERVAL_LEVEL) * std
    level = f"{100 * INTERVAL_LEVEL:.0f} %"
    return {f"low {level}": predicted - half, f"high {level}": predicted + half}


def _score_numbers(
    model: SavedModel, table: CellTable, predicted: Array, scored: Array | None, notes: list[str]
) -> dict[str, float]:
    """Return the errors, if the table contains the target."""
    target = table.target or model.plan.target
    if target not in table.columns:
        return {}
    column = table.columns[target].as_text()
    y = apply_notation(column, find_notation(column) if len(column.wrong) else {}).numbers
    known = np.isfinite(y)
    if not known.all():
        absent = format_count(int((~known).sum()), "row")
        notes.append(f"{absent} of {target!r} have no number; the scores are of the others.")
    # Rows that could not be read have no prediction.
    known &= np.isfinite(predicted)
    if not known.any():
        return {}
    return error_measures(y[known], predicted[known], float(model.pipeline["model"].mean_))


def to_safe_csv(header: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    """CSV that is safe to open in a spreadsheet: cells that look like formulas are quoted."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([escape_formula(name) for name in header])
    writer.writerows([escape_formula(cell) for cell in row] for row in cells)
    return text.getvalue()
