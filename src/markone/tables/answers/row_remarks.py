"""Rows that cannot be read, and remarks on the others: outside the training range, rejected as uncertain."""

from __future__ import annotations

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.numerics.text import format_count
from markone.tables.answers import drift
from markone.tables.inspect.fold_diagnostics import prediction_margins
from markone.tables.model_file import SavedModel
from markone.tables.plan import encoding
from markone.tables.plan.column_plan import CODED, ColumnPlan

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
        for row in np.flatnonzero(encoding.unsupported_missing(table, plan, column)):
            reasons.setdefault(
                int(row),
                f"Column {column.name!r} is missing in row {table.rows[row]}, and the model was fitted "
                "without missing values. Fit it with --missing median, or leave the row out.",
            )
        for row in np.flatnonzero(encoding.unreadable_rows(table, column)):
            reasons.setdefault(int(row), encoding.unreadable_message(table, column, int(row)))
    if len(reasons) == len(table):
        raise BadTable(f"No row of {table.source} can be read. {reasons[0]}")
    return np.array([row for row in range(len(table)) if row not in reasons], dtype=int), reasons


def note_unreadable_rows(reasons: dict[int, str]) -> list[str]:
    """A note with the number of unreadable rows and the first reason."""
    if not reasons:
        return []
    first = reasons[min(reasons)]
    return [f"Not readable, without a label: {format_count(len(reasons), 'row')}. {first}"]
