"""Classes or numbers: what the target asks for, if nobody has said it."""

from __future__ import annotations

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.numerics.text import number

CLASSIFICATION, REGRESSION = "classification", "regression"
# Different numbers up to which they may be the names of classes: ten digits, twenty grades.
FEW_FRACTIONS, FEW_WHOLE, MANY = 10, 20, 100
# Rows of the middle class below which numbers are no names of classes.
FEW_ROWS = 5


def task_of(table: CellTable, target: str, asked: str) -> str:
    """The task that was asked for, or what the cells of the target look like."""
    if asked in (CLASSIFICATION, REGRESSION):
        return asked
    if asked != "auto":
        raise ValueError(f"--task must be auto, {CLASSIFICATION} or {REGRESSION}, not {asked!r}.")
    column = table.columns[target].as_text()
    if len(column.wrong):
        return CLASSIFICATION
    return REGRESSION if are_quantities(column.numbers[~column.missing]) else CLASSIFICATION


def are_quantities(values: Array) -> bool:
    """Numbers that measure something, rather than names of classes."""
    different, rows = np.unique(values, return_counts=True)
    if (different != np.rint(different)).any():
        return len(different) > FEW_FRACTIONS
    rare = len(different) > FEW_WHOLE and float(np.median(rows)) < FEW_ROWS
    return rare or len(different) > MANY


def target_numbers(table: CellTable, target: str) -> Array:
    """The target as numbers, or where it is none."""
    column = table.columns[target].as_text()
    for row in column.wrong[:1]:
        raise BadTable(
            f"The target {target!r} must hold numbers for a regression, but row {table.rows[row]} says "
            f"{column.text(row)!r}. Mend it, or predict classes with --task classification."
        )
    y = column.numbers
    if len(y) < 4 or y.min() == y.max():
        raise BadTable(
            f"The target {target!r} has the values {number(float(y.min()))} to {number(float(y.max()))} in "
            f"{len(y)} rows: there is nothing to predict."
        )
    return y


def sentence(table: CellTable, target: str, y: Array, asked: str) -> str:
    """What the target was taken for."""
    low, middle, high = (number(float(v), 6) for v in np.quantile(y, [0, 0.5, 1]))
    how = "" if asked == REGRESSION else " (--task classification would take them for classes)"
    return (
        f"Target {target!r}: {len(np.unique(y))} different numbers, from {low} to {high}, median {middle}: a "
        f"regression{how}."
    )
