"""The rows of a new table that the model can read, and why it cannot read the others."""

from __future__ import annotations

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.numerics.text import count
from markone.tables.plan import encoding
from markone.tables.plan.column_plan import ColumnPlan


def readable(table: CellTable, plan: ColumnPlan) -> tuple[Array, dict[int, str]]:
    """Places of the rows that can be read, and a sentence for each other; refused if there is none to
    read."""
    why: dict[int, str] = {}
    for column in plan.used:
        for row in np.flatnonzero(encoding.not_taught(table, plan, column)):
            why.setdefault(
                int(row),
                f"Column {column.name!r} is missing in row {table.rows[row]}, and the model was not taught "
                "to fill it. Fit it with --missing median, or leave the row out.",
            )
        for row in np.flatnonzero(encoding.unreadable(table, column)):
            why.setdefault(int(row), encoding.said(table, column, int(row)))
    if len(why) == len(table):
        raise BadTable(f"No row of {table.source} can be read. {why[0]}")
    return np.array([row for row in range(len(table)) if row not in why], dtype=int), why


def told(why: dict[int, str]) -> list[str]:
    """The first reason, and how many rows have one."""
    if not why:
        return []
    first = why[min(why)]
    return [f"Not read, and left without a label: {count(len(why), 'row')}. {first}"]
