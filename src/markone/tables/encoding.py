"""Inputs as numbers by the plan: the same for the table that taught and for one to be predicted."""

from __future__ import annotations

import numpy as np

from markone.data.dialect import BadTable, is_missing
from markone.numerics.arrays import Array
from markone.tables.columns import NUMBER, TEXT, YES, YES_NO, Column, finite
from markone.tables.plan import MISSING_TEXT, ColumnPlan, shown_levels
from markone.tables.source import Raw, short


def inputs(raw: Raw, plan: ColumnPlan) -> Array:
    """One row per example: numbers first, then 0/1; NaN where a number is missing."""
    parts = [numbers(raw, column)[:, None] for column in plan.of_kind(NUMBER)]
    parts += [yes_no(raw, column)[:, None] for column in plan.of_kind(YES_NO)]
    parts += [one_hot(raw, column) for column in plan.of_kind(TEXT)]
    return np.hstack(parts)


def numbers(raw: Raw, column: Column) -> Array:
    cells = raw.columns[column.name]
    for row, cell in zip(raw.numbers, cells, strict=True):
        if not is_missing(cell) and not finite(raw.number(cell)):
            raise BadTable(f"Column {column.name!r} must hold numbers, but row {row} says {cell!r}.")
    return np.array([np.nan if is_missing(cell) else float(raw.number(cell)) for cell in cells])


def yes_no(raw: Raw, column: Column) -> Array:
    cells = raw.columns[column.name]
    for row, cell in zip(raw.numbers, cells, strict=True):
        if not is_missing(cell) and cell.lower() not in YES:
            raise BadTable(f"Column {column.name!r} must say yes or no, but row {row} says {cell!r}.")
    return np.array([np.nan if is_missing(cell) else float(YES[cell.lower()]) for cell in cells])


def one_hot(raw: Raw, column: Column) -> Array:
    known = set(column.levels)
    cells = [MISSING_TEXT if is_missing(cell) else cell for cell in raw.columns[column.name]]
    unseen = [k for k, cell in enumerate(cells) if cell not in known]
    if unseen:
        first = unseen[0]
        more = f" ({len(unseen) - 1} more rows alike)" if len(unseen) > 1 else ""
        raise BadTable(
            f"Column {column.name!r} says {cells[first]!r} in row {raw.numbers[first]}{more}, which the "
            f"model has never seen. It knows {short(column.levels)}."
        )
    values = np.array(cells)
    return np.column_stack([values == level for level in shown_levels(column)]).astype(float)


def labels(raw: Raw, plan: ColumnPlan) -> Array:
    return np.array(raw.columns[plan.target])
