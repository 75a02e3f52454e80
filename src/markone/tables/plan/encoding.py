"""Encode a table as inputs by the plan, for training and prediction."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.data.reading.columns import NumberColumn, TextColumn, stack_columns
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.numerics.text import shorten_list
from markone.tables.plan.build_plan import ROW_KEEPING
from markone.tables.plan.column_kinds import YES
from markone.tables.plan.column_plan import (
    CODED,
    MISSING_TEXT,
    NUMBER,
    TEXT,
    YES_NO,
    ColumnPlan,
    PlannedColumn,
)


def encode_inputs(table: CellTable, plan: ColumnPlan) -> Array:
    """Input matrix: numbers first, then 0/1; NaN where a number or a yes or no is missing."""
    return stack_columns(list(_encode_columns(table, plan)))


def _encode_columns(table: CellTable, plan: ColumnPlan) -> Iterator[Array]:
    for column in plan.used_columns:
        _check_readable(table, column)
    for column in plan.columns_of_kind(NUMBER):
        cells = table.columns[column.name]
        yield cells.values if isinstance(cells, NumberColumn) else cells.numbers
    for column in plan.columns_of_kind(YES_NO):
        text = table.columns[column.name].as_text()
        yield np.array([float(YES.get(word.lower(), np.nan)) for word in text.levels])[text.codes]
    for column in plan.columns_of_kind(TEXT):
        yield from _one_hot_columns(table.columns[column.name].as_text(), column)
    for name in plan.indicators:
        yield table.columns[name].missing
    for column in plan.columns_of_kind(CODED):
        text, place = table.columns[column.name].as_text(), {word: k for k, word in enumerate(column.levels)}
        yield np.array([place.get(word, -1.0) for word in _category_names(text, column)])[text.codes]


def _check_readable(table: CellTable, planned: PlannedColumn) -> None:
    rows = np.flatnonzero(unreadable_rows(table, planned))
    if len(rows):
        more = f" ({len(rows) - 1} more such rows)" if len(rows) > 1 else ""
        raise BadTable(unreadable_message(table, planned, int(rows[0])) + more)


def unreadable_rows(table: CellTable, planned: PlannedColumn) -> Array:
    """Mask of the rows whose cell does not fit the plan."""
    column = table.columns[planned.name]
    if planned.kind == NUMBER:
        invalid = np.zeros(len(table), dtype=bool)
        invalid[[] if isinstance(column, NumberColumn) else column.wrong] = True
        return invalid
    text = column.as_text()
    if planned.kind == CODED:
        return np.zeros(len(table), dtype=bool)
    if planned.kind == YES_NO:
        levels = ~text.level_missing & np.array([word.lower() not in YES for word in text.levels])
    else:
        levels = np.array([word not in set(planned.levels) for word in _category_names(text, planned)])
    return np.asarray(levels[text.codes])


def unreadable_message(table: CellTable, planned: PlannedColumn, row: int) -> str:
    """Message for an unreadable row."""
    name, number, text = planned.name, table.rows[row], table.columns[planned.name].as_text()
    if planned.kind == NUMBER:
        return f"Column {name!r} must hold numbers, but row {number} has {text.text(row)!r}."
    if planned.kind == YES_NO:
        return f"Column {name!r} must be yes or no, but row {number} has {text.text(row)!r}."
    return (
        f"Column {name!r} has {_category_names(text, planned)[text.codes[row]]!r} in row {number}, "
        "a category not seen in "
        f"training ({shorten_list(planned.levels)})."
    )


def _category_names(column: TextColumn, planned: PlannedColumn) -> list[str]:
    """The levels, with the category name of a missing one: its own, or the usual level."""
    own = not planned.usual or MISSING_TEXT in planned.levels
    return [
        (MISSING_TEXT if own else planned.usual) if missing else text
        for text, missing in zip(column.levels, column.level_missing, strict=True)
    ]


def _one_hot_columns(column: TextColumn, planned: PlannedColumn) -> Iterator[Array]:
    texts = _category_names(column, planned)
    for level in planned.shown_levels:
        yield np.array([text == level for text in texts])[column.codes]


def unsupported_missing(table: CellTable, plan: ColumnPlan, planned: PlannedColumn) -> Array:
    """Mask of the rows with a missing value that the model cannot handle."""
    missing = np.asarray(table.columns[planned.name].missing)
    return np.zeros_like(missing) if plan.missing in ROW_KEEPING else missing


def target_labels(table: CellTable, plan: ColumnPlan) -> Array:
    return np.array(table.columns[plan.target].as_text().texts())
