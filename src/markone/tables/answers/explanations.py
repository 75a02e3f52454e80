"""Explanations of single predictions: deciding columns, nearest prototype and row, smallest change."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from sklearn.neighbors import NearestNeighbors

from markone.data.reading.cell_table import CellTable
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.numerics.text import format_count
from markone.tables.answers import drift
from markone.tables.answers.decision import label_shares
from markone.tables.inspect.row_changes import (
    CandidateColumn,
    Predict,
    column_effects,
    format_input_value,
    plausible_columns,
    smallest_change,
)
from markone.tables.model_file import SavedModel
from markone.tables.plan import column_plan
from markone.tables.plan.column_plan import CODED, ColumnPlan
from markone.tables.scoring import prediction_margins
from markone.tables.source import unknown_column_error

# Columns named, and the least effect, as a share of the largest, that is worth it.
MOST_NAMED, LEAST_EFFECT = 3, 0.05


def explain_rows(
    model: SavedModel, X: Array, rows: Array, keep: Collection[str] = ()
) -> dict[str, list[str]]:
    """Columns of texts that explain the predictions of X; `rows` are the row numbers in the table.

    Columns in `keep` are not changed in the smallest change.
    """
    if model.training is None or (model.task != "regression" and model.calibration is None):
        raise ValueError("A model of a folder explains no rows: leave out --explain.")
    columns = plausible_columns(model.plan, model.training)
    for name in keep:
        if name not in {column.name for column in columns}:
            raise unknown_column_error(name, [column.name for column in columns], "the model")
    labels = model.pipeline.predict
    if model.calibration is None:
        return {"because": [_name_effects(model, labels, x, columns) for x in X]}
    share_of = label_shares(model.pipeline, model.calibration, model.judge.classes)
    now = [str(label) for label in labels(X)]
    shares = [share_of[label] for label in now]
    found = {"because": [_name_effects(model, share, x, columns) for share, x in zip(shares, X, strict=True)]}
    prototypes = _nearest_prototypes(model, X)
    if prototypes:
        found["prototype"] = prototypes
    found["nearest other"] = _nearest_others(model, X, np.array(now), rows)
    found["change"] = [
        str(smallest_change(labels, share, model.plan, x, columns, keep))
        for share, x in zip(shares, X, strict=True)
    ]
    return found


def _name_effects(model: SavedModel, share: Predict, x: Array, columns: list[CandidateColumn]) -> str:
    """The columns of largest effect: name, value, and what it adds to the prediction or its probability."""
    effects = column_effects(share, x, columns)
    order = np.argsort(-np.abs(effects), kind="stable")[:MOST_NAMED]
    least = LEAST_EFFECT * np.abs(effects).max(initial=0.0)
    texts = [
        f"{columns[k].name} {format_input_value(model.plan, columns[k].name, x[columns[k].inputs])} "
        f"({effects[k]:+.2g})"
        for k in order
        if abs(effects[k]) > least
    ]
    return ", ".join(texts)


def _nearest_prototypes(model: SavedModel, X: Array) -> list[str]:
    """Label and number of the nearest prototype of each row; empty for models without."""
    last = model.pipeline["model"]
    if not hasattr(last, "prototype_labels_") or not hasattr(last, "distances"):
        return []
    nearest = last.distances(model.pipeline["scaling"].transform(X)).argmin(axis=1)
    return [f"{last.prototype_labels_[k]} ({k + 1} of {len(last.prototype_labels_)})" for k in nearest]


def _nearest_others(model: SavedModel, X: Array, labels: Array, rows: Array) -> list[str]:
    """The number and label of the nearest row of this table with another prediction, in scaled inputs."""
    Z = np.nan_to_num(model.pipeline["scaling"].transform(X))
    found = np.full(len(X), "", dtype=object)
    for label in np.unique(labels):
        own, others = np.flatnonzero(labels == label), np.flatnonzero(labels != label)
        if len(others):
            near = NearestNeighbors(n_neighbors=1).fit(Z[others]).kneighbors(Z[own], return_distance=False)
            found[own] = [f"row {rows[k]} ({labels[k]})" for k in others[near[:, 0]]]
    return found.tolist()


REJECTED = "rejected: uncertain"


def remarks_per_row(
    model: SavedModel, table: CellTable, rows: Array, X: Array, reasons: dict[int, str], notes: list[str]
) -> list[str]:
    """Remark of each row of the table; `rows` are those with the inputs X, `reasons` explain the others."""
    known = table.only(rows)
    seen = _range_remarks(model, known, notes)
    margins = None if model.reject is None else prediction_margins(model.pipeline, X)
    if model.reject is not None and margins is not None:
        near = margins.max(axis=1) < model.reject
        seen = [f"{REJECTED}; {s}".rstrip("; ") if n else s for n, s in zip(near, seen, strict=True)]
        rejected = format_count(int(near.sum()), "row")
        notes.append(f"Rejected as uncertain, without a label: {rejected} of {len(rows)}.")
    remarks = dict(zip((int(row) for row in rows), seen, strict=True)) | reasons
    return [remarks[row] for row in range(len(table))]


def _range_remarks(model: SavedModel, table: CellTable, notes: list[str]) -> list[str]:
    """Remark of each row outside the training range; notes on drifted columns are appended."""
    if model.training is None:
        return [""] * len(table)
    notes += drift.find_drifted_columns(table, model.plan, model.training)
    coded = [column.name for column in model.plan.columns_of_kind(CODED)]
    seen = drift.find_outside_rows(table, model.training, coded)
    outside = sum(map(bool, seen))
    if outside:
        rows = format_count(outside, "row")
        notes.append(f"Outside the training range, where predictions extrapolate: {rows}.")
    return seen


def split_readable_rows(table: CellTable, plan: ColumnPlan) -> tuple[Array, dict[int, str]]:
    """Return the indices of the readable rows and a reason for each other row; raise if none is readable."""
    reasons: dict[int, str] = {}
    for column in plan.used_columns:
        for row in np.flatnonzero(column_plan.unsupported_missing(table, plan, column)):
            reasons.setdefault(
                int(row),
                f"Column {column.name!r} is missing in row {table.rows[row]}, and the model was fitted "
                "without missing values. Fit it with --missing median, or leave the row out.",
            )
        for row in np.flatnonzero(column_plan.unreadable_rows(table, column)):
            reasons.setdefault(int(row), column_plan.unreadable_message(table, column, int(row)))
    if len(reasons) == len(table):
        raise BadTable(f"No row of {table.source} can be read. {reasons[0]}")
    return np.array([row for row in range(len(table)) if row not in reasons], dtype=int), reasons


def note_unreadable_rows(reasons: dict[int, str]) -> list[str]:
    """A note with the number of unreadable rows and the first reason."""
    if not reasons:
        return []
    first = reasons[min(reasons)]
    return [f"Not readable, without a label: {format_count(len(reasons), 'row')}. {first}"]
