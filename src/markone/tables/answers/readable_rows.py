"""Rows of a new table that the model can use, and the reasons for the others."""

from __future__ import annotations

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.numerics.text import format_count
from markone.tables.plan import encoding
from markone.tables.plan.column_plan import ColumnPlan


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
