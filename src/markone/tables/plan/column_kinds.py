"""Kind of a column: numbers, yes or no, text, or left out."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.data.reading.columns import Column, NumberColumn, TextColumn, format_cell_number
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.numerics.text import shorten_list
from markone.tables.plan.column_plan import CODED, LEFT_OUT, NUMBER, TEXT, YES_NO, PlannedColumn
from markone.tables.plan.notations import DATE, FEW_LEVELS, apply_notation, find_notation

PAIRS = [("true", "false"), ("yes", "no"), ("y", "n"), ("t", "f")]
YES = {word: yes for pair in PAIRS for word, yes in zip(pair, (True, False), strict=True)}
MOST_LEVELS = 50
# From this share of numbers on, a text is treated as an error rather than as a category.
MIN_NUMBER_SHARE = 0.5


def decide_kind(
    table: CellTable, name: str, *, as_text: bool = False, keep: bool = False, strict: bool = True
) -> PlannedColumn:
    """Decide the kind of one column; `as_text`, `keep` and `strict` are set by the user."""
    column = table.columns[name]
    column = column.as_text() if as_text else column
    absent = column.missing
    if absent.all():
        return PlannedColumn(name, LEFT_OUT, reason="it is empty")
    if isinstance(column, NumberColumn):
        return _plan_numbers(name, column, keep)
    given = column.count_texts()
    if len(given) == 1:
        return _constant_column(name, next(iter(given)), bool(absent.any()))
    if as_text:
        return _plan_words(name, TEXT, given)
    if any({text.lower() for text in given} == set(pair) for pair in PAIRS):
        return PlannedColumn(name, YES_NO)
    wrong = column.wrong
    if not len(wrong):
        # Numbers in a notation that only Python parses.
        return _plan_numbers(name, NumberColumn(column.numbers), keep)
    notation = find_notation(column)
    if notation and not strict:
        read = apply_notation(column, notation)
        return replace(decide_kind(replace(table, columns={name: read}), name, keep=True), notation=notation)
    categories = not strict and len(given) <= min(FEW_LEVELS, len(table) / 3)
    if 1 - len(wrong) / sum(given.values()) >= MIN_NUMBER_SHARE and not categories:
        raise _invalid_number_error(table, name, column)
    if notation.get("kind") == "number":
        raise _number_as_text_error(table, name, column, notation)
    return _plan_texts(name, given, len(table), keep, strict)


def _plan_words(name: str, kind: str, given: dict[str, int]) -> PlannedColumn:
    return PlannedColumn(name, kind, levels=sorted(given), usual=max(given, key=lambda word: given[word]))


def _constant_column(name: str, text: str, missing: bool) -> PlannedColumn:
    where = " where it is given" if missing else ""
    return PlannedColumn(name, LEFT_OUT, reason=f"it is constant{where} ({text!r})")


def _plan_numbers(name: str, column: NumberColumn, keep: bool) -> PlannedColumn:
    """Plan a numeric column; left out if constant or a row counter (a leak in sorted tables)."""
    values = column.values[~column.missing]
    first, last = format_cell_number(float(values[0])), format_cell_number(float(values[-1]))
    if values.min() == values.max():
        return _constant_column(name, first, len(values) < len(column))
    if len(values) > 2 and not keep and (values[1:] == values[:-1] + 1).all():
        reason = f"it counts the rows from {first} to {last} (--keep {shell_quote(name)} uses it)"
        return PlannedColumn(name, LEFT_OUT, reason=reason, identity=True)
    if not keep and _is_identifier(name, values):
        reason = f"it identifies the rows by whole numbers (--keep {shell_quote(name)} uses it)"
        return PlannedColumn(name, LEFT_OUT, reason=reason, identity=True)
    return PlannedColumn(name, NUMBER)


# Names of row identifiers, and the share of different values from which on whole numbers identify rows.
IDENTIFIER_NAME = re.compile(
    r"(^|[\s_.-])(id|nr|no|key|index|number|code|num)([\s_.-]|$)|(?<=[a-z])(ID|Id)$", re.IGNORECASE
)
MOSTLY_DIFFERENT, MIN_IDENTIFIERS = 0.9, 20


def _is_identifier(name: str, values: Array) -> bool:
    different = len(np.unique(values)) >= max(MOSTLY_DIFFERENT * len(values), MIN_IDENTIFIERS)
    return bool(IDENTIFIER_NAME.search(name)) and different and bool((values == np.rint(values)).all())


def _invalid_number_error(table: CellTable, name: str, column: TextColumn) -> BadTable:
    first, others = column.wrong[0], len(column.wrong) - 1
    more = f", and {others} more like it" if others else ""
    return BadTable(
        f"Column {name!r} holds numbers, but row {table.rows[first]} has "
        f"{column.text(first)!r}{more}. Correct it (leave the cell empty if the value is unknown), "
        f"leave the column out with --drop {shell_quote(name)}, or treat its values as categories with "
        f"--categorical {shell_quote(name)}."
    )


def _number_as_text_error(
    table: CellTable, name: str, column: TextColumn, notation: dict[str, str]
) -> BadTable:
    """Numbers with a thousands separator or a unit are useless as categories."""
    first, unit = column.wrong[0], notation["unit"]
    what = f"with the unit {unit!r}" if unit else "with a thousands separator"
    return BadTable(
        f"Column {name!r} writes numbers {what}: row {table.rows[first]} has {column.text(first)!r}. Write "
        f"plain numbers, or treat them as categories with --categorical {shell_quote(name)}."
    )


def _plan_texts(name: str, given: dict[str, int], rows: int, keep: bool, strict: bool) -> PlannedColumn:
    if all(DATE.fullmatch(text) for text in given):
        reason = "it holds dates; turn it into numbers (days since an event, month) if they matter"
        return PlannedColumn(name, LEFT_OUT, reason=reason)
    different, cells, found = len(given), sum(given.values()), sorted(given)
    if different == cells and different > 2 and not keep:
        reason = (
            f"all its texts differ ({shorten_list(list(given), 2)}), so it looks like a name or an identifier"
        )
        return PlannedColumn(name, LEFT_OUT, reason=reason, identity=True)
    if different > max(min(MOST_LEVELS, rows / 3), FEW_LEVELS):
        if not strict:
            return _plan_words(name, CODED, given)
        raise BadTable(
            f"Column {name!r} holds {different} different texts in {rows} rows "
            f"({shorten_list(found, 3)}): too "
            f"many for one input each. Leave it out with --drop {shell_quote(name)}, or keep it with "
            f"--categorical {shell_quote(name)}. If it identifies repeated measurements, folds that separate "
            "its rows give optimistic scores."
        )
    return _plan_words(name, TEXT, given)


def contains_dates(column: Column) -> bool:
    given = [] if isinstance(column, NumberColumn) else list(column.count_texts())
    return bool(given) and all(DATE.fullmatch(text) for text in given)


def shell_quote(name: str) -> str:
    """Quote a name for the shell."""
    return name if re.fullmatch(r"[\w.-]+", name) else f'"{name}"'
