"""The target: classification or regression, rows without a label, classes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.data.reading.columns import TextColumn
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.numerics.text import format_count, format_number, shorten_list
from markone.tables.plan.column_kinds import apply_notation, describe_notation, find_notation
from markone.tables.request import ColumnOptions
from markone.tables.source import unknown_column_error

CLASSIFICATION, REGRESSION = "classification", "regression"
# Numbers of distinct values up to which they may be class labels: ten digits, twenty grades.
FEW_FRACTIONS, FEW_WHOLE, MANY = 10, 20, 100
# Rows below which a class is left out.
FEWEST_ROWS = 3
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


def read_target_numbers(table: CellTable, options: ColumnOptions, asked: str) -> CellTable:
    """The table with a target of quantities as plain numbers, if it writes them in another notation."""
    target = find_target(table, options)
    column = table.columns[target].as_text()
    notation = find_notation(column) if len(column.wrong) and asked != CLASSIFICATION else {}
    if notation.get("kind") not in ("number", "gap", "limit"):
        return table
    read = apply_notation(column, notation)
    if asked == "auto" and not are_quantities(read.numbers[~read.missing]):
        return table
    notes = [*table.notes, f"The target {target!r} holds {describe_notation(notation)}."]
    return replace(table, columns=table.columns | {target: read}, notes=notes)


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
            f"{format_number(float(y.max()))} in {len(y)} rows: there is nothing to predict."
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


MAX_CLASSES = 100


def find_target(table: CellTable, options: ColumnOptions) -> str:
    names = list(table.columns)
    ties = [name for name in (options.group, options.time) if name is not None]
    for name in [*options.drop, *options.categorical, *options.keep, *options.orders, *ties]:
        if name not in table.columns:
            raise unknown_column_error(name, names, table.source)
    target = options.target or table.target
    if target is None:
        raise BadTable(f"Which column is to be predicted? Give --target, one of: {shorten_list(names)}.")
    if target not in table.columns:
        raise unknown_column_error(target, names, table.source)
    if f"{target} (2)" in table.columns:
        raise BadTable(
            f"The name {target!r} occurs twice in the header of {table.source}: which is the target?"
        )
    if target in options.drop:
        raise BadTable(f"{target!r} is the target and cannot be left out.")
    if target in ties:
        raise BadTable(f"{target!r} is the target: it cannot be --group or --time as well.")
    return target


def drop_rare_classes(table: CellTable, target: str, notes: list[str]) -> CellTable:
    """Drop the rows of classes with too few rows for any folds, if two classes remain."""
    column = table.columns[target].as_text()
    counts = column.count_texts()
    rare = {label: n for label, n in counts.items() if n < FEWEST_ROWS}
    if not rare or len(counts) - len(rare) < 2:
        return table
    words = shorten_list([f"{label} {n}" for label, n in rare.items()])
    notes.append(
        f"Rows of classes with fewer than {FEWEST_ROWS} rows were left out ({words}): too few to train and "
        "to test. Merge them with other classes to keep them (--strict stops here)."
    )
    gone = np.array([label in rare for label in column.levels])[column.codes]
    return table.only(np.flatnonzero(~gone))


def drop_unlabelled(table: CellTable, target: str, missing: str, notes: list[str]) -> CellTable:
    """Drop rows without a label; raise with "refuse"."""
    absent = table.columns[target].missing
    if not absent.any():
        return table
    where = f"{format_count(int(absent.sum()), 'row')} (the first: row {table.rows[absent][0]})"
    if absent.all():
        raise BadTable(f"The target {target!r} is missing in every row.")
    if missing == "refuse":
        raise BadTable(
            f"The target {target!r} is missing in {where}. Leave such rows out with --missing drop, or with "
            "--missing median if other columns have gaps to be filled."
        )
    notes.append(f"The target {target!r} is missing in {where}; left out.")
    return table.only(np.flatnonzero(~absent))


def count_classes(table: CellTable, target: str) -> dict[str, int]:
    """Rows of each class, most frequent first; raise if the target cannot be classified."""
    column, rows = table.columns[target].as_text(), len(table)
    counts = column.count_texts()
    found = dict(sorted(counts.items(), key=lambda pair: -pair[1]))
    if len(found) < 2:
        raise BadTable(
            f"The target {target!r} has only one class, {next(iter(found))!r}, in "
            f"{format_count(rows, 'row')}: there is nothing to classify."
        )
    _check_label_spelling(column, target)
    values = column.level_numbers[column.used_levels]
    fractions = np.isfinite(values).all() and (values != np.rint(values)).any()
    if (
        len(found) > MAX_CLASSES
        or (len(found) > 20 and len(found) > rows / 2)
        or (fractions and len(found) > 10)
    ):
        raise BadTable(
            f"The target {target!r} has {len(found)} different values in {rows} rows "
            f"({shorten_list(list(found), 4)}): these are not classes. Numbers are predicted with --task "
            "regression."
        )
    return found


def _check_label_spelling(column: TextColumn, target: str) -> None:
    """Raise if two classes are the same number, as 1 and 1.0."""
    seen: dict[float, str] = {}
    for k in column.used_levels:
        value, label = float(column.level_numbers[k]), column.levels[k]
        first = seen.setdefault(value, label) if value == value else label
        if first != label:
            raise BadTable(
                f"The target {target!r} has the same number in two spellings ({first!r} and {label!r}), "
                "which would be two classes. Use one."
            )
