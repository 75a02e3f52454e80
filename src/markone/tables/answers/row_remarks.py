"""Remarks on predicted rows: outside the training range, or rejected as uncertain."""

from __future__ import annotations

from markone.data.reading.cell_table import CellTable
from markone.numerics.arrays import Array
from markone.numerics.text import format_count
from markone.tables.answers import drift
from markone.tables.inspect.fold_diagnostics import prediction_certainty
from markone.tables.model_file import SavedModel

REJECTED = "rejected: uncertain"


def remarks_per_row(
    model: SavedModel, table: CellTable, rows: Array, X: Array, reasons: dict[int, str], notes: list[str]
) -> list[str]:
    """Remark of each row of the table; `rows` are those with the inputs X, `reasons` explain the others."""
    known = table.only(rows)
    seen = _range_remarks(model, known, notes)
    sure = None if model.reject is None else prediction_certainty(model.pipeline, X)
    if model.reject is not None and sure is not None:
        near = sure < model.reject
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
    seen = drift.find_outside_rows(table, model.training)
    outside = sum(map(bool, seen))
    if outside:
        rows = format_count(outside, "row")
        notes.append(f"Outside the training range, where predictions extrapolate: {rows}.")
    return seen
