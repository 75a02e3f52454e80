"""Classification or regression, decided by the target if not given."""

from __future__ import annotations

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.numerics.text import format_number

CLASSIFICATION, REGRESSION = "classification", "regression"
# Numbers of distinct values up to which they may be class labels: ten digits, twenty grades.
FEW_FRACTIONS, FEW_WHOLE, MANY = 10, 20, 100
# Median rows per value below which numbers are not class labels.
MIN_ROWS_PER_CLASS = 5


def decide_task(table: CellTable, target: str, asked: str) -> str:
    """Return the requested task, or decide by the values of the target."""
    if asked in (CLASSIFICATION, REGRESSION):
        return asked
    if asked != "auto":
        raise ValueError(f"--task must be auto, {CLASSIFICATION} or {REGRESSION}, not {asked!r}.")
    column = table.columns[target].as_text()
    if len(column.wrong):
        return CLASSIFICATION
    return REGRESSION if are_quantities(column.numbers[~column.missing]) else CLASSIFICATION


def are_quantities(values: Array) -> bool:
    """Return whether the numbers are quantities, rather than class labels."""
    different, rows = np.unique(values, return_counts=True)
    if (different != np.rint(different)).any():
        return len(different) > FEW_FRACTIONS
    rare = len(different) > FEW_WHOLE and float(np.median(rows)) < MIN_ROWS_PER_CLASS
    return rare or len(different) > MANY


def target_numbers(table: CellTable, target: str) -> Array:
    """The target as numbers; raise if a cell is not a number."""
    column = table.columns[target].as_text()
    for row in column.wrong[:1]:
        raise BadTable(
            f"The target {target!r} must hold numbers for a regression, but row {table.rows[row]} has "
            f"{column.text(row)!r}. Correct it, or predict classes with --task classification."
        )
    y = column.numbers
    if len(y) < 4 or y.min() == y.max():
        raise BadTable(
            f"The target {target!r} has the values {format_number(float(y.min()))} to "
            f"{format_number(float(y.max()))} in "
            f"{len(y)} rows: there is nothing to predict."
        )
    return y


def number_target_note(table: CellTable, target: str, y: Array, asked: str) -> str:
    """Note on the target of a regression."""
    low, middle, high = (format_number(float(v), 6) for v in np.quantile(y, [0, 0.5, 1]))
    how = "" if asked == REGRESSION else " (--task classification treats them as classes)"
    return (
        f"Target {target!r}: {len(np.unique(y))} different numbers, from {low} to {high}, median {middle}: a "
        f"regression{how}."
    )
