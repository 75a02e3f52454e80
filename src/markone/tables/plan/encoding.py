"""Inputs as numbers by the plan: the same for the table that taught and for one to be predicted."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.data.reading.columns import NumberColumn
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.numerics.text import shortened
from markone.tables.plan.column_plan import MISSING_TEXT, NUMBER, TEXT, YES_NO, ColumnPlan, PlannedColumn
from markone.tables.plan.kinds import YES


def inputs(table: CellTable, plan: ColumnPlan) -> Array:
    """One row per example: numbers first, then 0/1; NaN where a number is missing."""
    X = np.empty((len(table), len(plan.feature_names)))
    for k, values in enumerate(input_columns(table, plan)):
        X[:, k] = values
    return X


def input_columns(table: CellTable, plan: ColumnPlan) -> Iterator[Array]:
    for column in plan.of_kind(NUMBER):
        yield numbers(table, column)
    for column in plan.of_kind(YES_NO):
        yield yes_no(table, column)
    for column in plan.of_kind(TEXT):
        yield from one_hot(table, column)


def numbers(table: CellTable, planned: PlannedColumn) -> Array:
    column = table.columns[planned.name]
    if isinstance(column, NumberColumn):
        return column.values
    for row in column.wrong[:1]:
        raise BadTable(
            f"Column {planned.name!r} must hold numbers, but row {table.rows[row]} says {column.text(row)!r}."
        )
    return column.numbers


def yes_no(table: CellTable, planned: PlannedColumn) -> Array:
    column = table.columns[planned.name].as_text()
    words = [text.lower() for text in column.levels]
    strange = ~column.level_missing & np.array([word not in YES for word in words])
    for row in np.flatnonzero(strange[column.codes])[:1]:
        raise BadTable(
            f"Column {planned.name!r} must say yes or no, but row {table.rows[row]} says "
            f"{column.text(row)!r}."
        )
    return np.array([float(YES.get(word, np.nan)) for word in words])[column.codes]


def one_hot(table: CellTable, planned: PlannedColumn) -> Iterator[Array]:
    column = table.columns[planned.name].as_text()
    texts = [
        MISSING_TEXT if missing else text
        for text, missing in zip(column.levels, column.level_missing, strict=True)
    ]
    known = set(planned.levels)
    unseen = np.flatnonzero(np.array([text not in known for text in texts])[column.codes])
    if len(unseen):
        first = unseen[0]
        more = f" ({len(unseen) - 1} more rows alike)" if len(unseen) > 1 else ""
        raise BadTable(
            f"Column {planned.name!r} says {texts[column.codes[first]]!r} in row {table.rows[first]}{more}, "
            f"which the model has never seen. It knows {shortened(planned.levels)}."
        )
    for level in planned.shown_levels:
        yield np.array([text == level for text in texts])[column.codes]


def labels(table: CellTable, plan: ColumnPlan) -> Array:
    return np.array(table.columns[plan.target].as_text().texts())
