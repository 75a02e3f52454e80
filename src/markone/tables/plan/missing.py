"""Missing values: counted, reported and treated as requested; refused by default."""

from __future__ import annotations

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.numerics.text import shorten_list
from markone.tables.plan.column_plan import TEXT, ColumnPlan

TREATMENTS = ("refuse", "drop", "median", "mean", "indicator", "mask")
# Treatments that keep every row.
ROW_KEEPING = ("median", "mean", "indicator", "mask")


def treat_missing_rows(table: CellTable, plan: ColumnPlan, notes: list[str]) -> CellTable:
    """Return the rows that remain with the chosen treatment; raise with "refuse"."""
    absent: dict[str, Array] = {}
    for column in plan.used_columns:
        rows = table.columns[column.name].missing
        if rows.any():
            absent[column.name] = rows
    if not absent:
        return table
    counts = shorten_list([f"{name} {rows.sum()}" for name, rows in absent.items()], 8)
    markers = sorted({text for name in absent for text in table.columns[name].missing_markers})
    written = " or ".join("an empty cell" if text == "" else repr(text) for text in markers)
    if plan.missing == "refuse":
        raise BadTable(
            f"Values are missing (written as {written}), by column: {counts}. Choose with --missing: drop "
            "(leave out the rows), median or mean (of the training part of each fold), indicator (the "
            "median, and an extra 0/1 input), or mask (for models whose distance can skip a value)."
        )
    notes.append(f"Missing values (written as {written}), by column: {counts}.")
    if plan.missing != "drop":
        notes.append(_missing_treatment_note(plan, absent))
        return table
    gone = np.logical_or.reduce(list(absent.values()))
    if gone.all():
        raise BadTable(
            f"Every row has a missing value ({counts}): --missing drop leaves none. Try --missing median."
        )
    notes.append(f"{gone.sum()} of {len(table)} rows with a missing value were left out.")
    return table.only(np.flatnonzero(~gone))


def _missing_treatment_note(plan: ColumnPlan, absent: dict[str, Array]) -> str:
    filled = {
        "median": "Missing numbers are replaced by the median of the training part of each fold.",
        "mean": "Missing numbers are replaced by the mean of the training part of each fold.",
        "indicator": "Missing numbers are replaced by the median of the training part of each fold, with "
        "an extra 0/1 input per such column.",
        "mask": "Missing numbers are skipped in the model's distance.",
    }[plan.missing]
    texts = [c.name for c in plan.columns_of_kind(TEXT) if c.name in absent]
    return filled + (f" A missing text is a category of its own ({shorten_list(texts)})." if texts else "")
