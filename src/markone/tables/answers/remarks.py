"""What is to be said about a row beside its label: unlike those that taught, or too uncertain to be
answered."""

from __future__ import annotations

from markone.data.reading.cell_table import CellTable
from markone.numerics.arrays import Array
from markone.numerics.text import count
from markone.tables.answers import drift
from markone.tables.inspect.fold_look import certainty_of
from markone.tables.model_file import SavedModel

REJECTED = "rejected: uncertain"


def remarked(
    model: SavedModel, table: CellTable, rows: Array, X: Array, why: dict[int, str], notes: list[str]
) -> list[str]:
    """Of each row of the table why it has no label, or why it deserves a look; `rows` have the inputs X."""
    known = table.only(rows)
    seen = unlike(model, known, notes)
    sure = None if model.reject is None else certainty_of(model.pipeline, X)
    if model.reject is not None and sure is not None:
        near = sure < model.reject
        seen = [f"{REJECTED}; {s}".rstrip("; ") if n else s for n, s in zip(near, seen, strict=True)]
        rejected = count(int(near.sum()), "row")
        notes.append(f"Rejected as uncertain, and left without a label: {rejected} of {len(rows)}.")
    remarks = dict(zip((int(row) for row in rows), seen, strict=True)) | why
    return [remarks[row] for row in range(len(table))]


def unlike(model: SavedModel, table: CellTable, notes: list[str]) -> list[str]:
    """Of each row what lies outside the rows that taught; columns that have drifted go to the notes."""
    if model.training is None:
        return [""] * len(table)
    notes += drift.drifted(table, model.plan, model.training)
    seen = drift.outside(table, model.training)
    outside = sum(map(bool, seen))
    if outside:
        rows = count(outside, "row")
        notes.append(f"Outside the rows that taught, where answers are guesses: {rows}.")
    return seen
