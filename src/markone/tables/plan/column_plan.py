"""The plan: which columns are inputs, and the inputs they become."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.data.reading.columns import NumberColumn, TextColumn, stack_columns
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.numerics.text import shorten_list

NUMBER, YES_NO, TEXT, LEFT_OUT = "number", "yes or no", "text", "left out"
# Text with very many values: one input, the mean of the target for each value.
CODED = "text of many values"
MISSING_TEXT = "(missing)"
PAIRS = [("true", "false"), ("yes", "no"), ("y", "n"), ("t", "f")]
YES = {word: yes for pair in PAIRS for word, yes in zip(pair, (True, False), strict=True)}


@dataclass(frozen=True)
class PlannedColumn:
    """A column of the table: its kind, the levels of a text, the reason if it is left out.

    `identity`: it identifies the rows, so predictions repeat it. `usual`: the most frequent level, used for a
    missing cell if training had none. `notation`: how texts are read as numbers, see `column_kinds`.
    """

    name: str
    kind: str
    levels: list[str] = field(default_factory=list)
    reason: str = ""
    identity: bool = False
    usual: str = ""
    notation: dict[str, str] = field(default_factory=dict)

    @property
    def shown_levels(self) -> list[str]:
        """The levels with an input: all, or one of two."""
        return self.levels[1:] if len(self.levels) == 2 else self.levels


@dataclass(frozen=True)
class ColumnPlan:
    """Use of all columns; `indicators` are columns with an extra input, 1 where the value is missing."""

    target: str
    columns: list[PlannedColumn]
    missing: str = "refuse"
    indicators: list[str] = field(default_factory=list)
    missing_words: list[str] = field(default_factory=list)

    def columns_of_kind(self, *kinds: str) -> list[PlannedColumn]:
        return [column for column in self.columns if column.kind in kinds]

    @property
    def used_columns(self) -> list[PlannedColumn]:
        return self.columns_of_kind(NUMBER, YES_NO, TEXT, CODED)

    @property
    def text_columns(self) -> list[str]:
        """Columns whose cells are kept as text, even if numeric."""
        return [self.target, *(c.name for c in self.columns if c.kind in (YES_NO, TEXT, CODED) or c.identity)]

    @property
    def n_numbers(self) -> int:
        """Number of numeric inputs, which come first; only they are scaled."""
        return len(self.columns_of_kind(NUMBER))

    @property
    def n_coded(self) -> int:
        """Number of inputs that hold codes of texts, which come last; they are encoded in each fold."""
        return len(self.columns_of_kind(CODED))

    @property
    def _inputs(self) -> list[tuple[str, str]]:
        """Column and name of each input: numbers, yes or no, texts, missing indicators, codes of texts."""
        found = [(c.name, c.name) for kind in (NUMBER, YES_NO) for c in self.columns_of_kind(kind)]
        found += [
            (c.name, f"{c.name} = {word}") for c in self.columns_of_kind(TEXT) for word in c.shown_levels
        ]
        found += [(name, f"{name} is missing") for name in self.indicators]
        return found + [(c.name, c.name) for c in self.columns_of_kind(CODED)]

    @property
    def feature_names(self) -> list[str]:
        return [name for _, name in self._inputs]

    @property
    def inputs_by_column(self) -> dict[str, list[int]]:
        """Indices of the inputs of each column."""
        found: dict[str, list[int]] = {}
        for k, (column, _) in enumerate(self._inputs):
            found.setdefault(column, []).append(k)
        return found

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> ColumnPlan:
        columns = [PlannedColumn(**c) for c in content["columns"]]
        return cls(**content | {"columns": columns})


def encode_inputs(table: CellTable, plan: ColumnPlan) -> Array:
    """Input matrix: numbers first, then 0/1; NaN where a number or a yes or no is missing."""
    return stack_columns(list(_encode_columns(table, plan)))


def _encode_columns(table: CellTable, plan: ColumnPlan) -> Iterator[Array]:
    for column in plan.used_columns:
        rows = np.flatnonzero(unreadable_rows(table, column))
        if len(rows):
            more = f" ({len(rows) - 1} more such rows)" if len(rows) > 1 else ""
            raise BadTable(unreadable_message(table, column, int(rows[0])) + more)
    for column in plan.columns_of_kind(NUMBER):
        yield table.columns[column.name].numbers
    for column in plan.columns_of_kind(YES_NO):
        text = table.columns[column.name].as_text()
        yield np.array([float(YES.get(word.lower(), np.nan)) for word in text.levels])[text.codes]
    for column in plan.columns_of_kind(TEXT):
        text = table.columns[column.name].as_text()
        names = np.array(_category_names(text, column))
        yield from ((names == level)[text.codes] for level in column.shown_levels)
    for name in plan.indicators:
        yield table.columns[name].missing
    for column in plan.columns_of_kind(CODED):
        text, place = table.columns[column.name].as_text(), {word: k for k, word in enumerate(column.levels)}
        yield np.array([place.get(word, -1.0) for word in _category_names(text, column)])[text.codes]


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
        f"Column {name!r} has {_category_names(text, planned)[text.codes[row]]!r} in row {number}, a "
        f"category not seen in training ({shorten_list(planned.levels)})."
    )


def _category_names(column: TextColumn, planned: PlannedColumn) -> list[str]:
    """The levels, with the category name of a missing one: its own, or the usual level."""
    own = not planned.usual or MISSING_TEXT in planned.levels
    return [
        (MISSING_TEXT if own else planned.usual) if missing else text
        for text, missing in zip(column.levels, column.level_missing, strict=True)
    ]


def unsupported_missing(table: CellTable, plan: ColumnPlan, planned: PlannedColumn) -> Array:
    """Mask of the rows with a missing value that the model cannot handle."""
    missing = np.asarray(table.columns[planned.name].missing)
    return missing if plan.missing in ("refuse", "drop") else np.zeros_like(missing)


def target_labels(table: CellTable, plan: ColumnPlan) -> Array:
    return np.array(table.columns[plan.target].as_text().texts())
