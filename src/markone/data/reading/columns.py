"""A column of a table: numbers if every cell is one, else the original texts.

Numbers are parsed a column at a time. A text column stores each distinct text once (a level) and the index of
the level for each row, so that properties of cells are computed once per level.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from markone.numerics.arrays import Array

# Texts for missing values; compared in lower case.
MISSING = {"", "na", "n/a", "nan", "null", "?", "#n/a", "<na>"}

ROWS_AT_A_TIME = 2048


def is_missing(text: str) -> bool:
    return text.lower() in MISSING


def parse_number(text: str, decimal: str = ".") -> float:
    """Parse a finite number, or NaN. Unlike Python, 1_000 is not a number."""
    try:
        value = float(text.replace(",", ".") if decimal == "," else text)
    except ValueError:
        return float("nan")
    return value if abs(value) < float("inf") and "_" not in text else float("nan")


def format_cell_number(value: float) -> str:
    """The shortest text of a number; empty for NaN."""
    if value != value:
        return ""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


@dataclass(frozen=True)
class NumberColumn:
    """Finite numbers, NaN for missing cells; `marks` has a mask of rows for each text of missing cells."""

    values: Array
    marks: dict[str, Array] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def missing(self) -> Array:
        return np.isnan(self.values)

    @property
    def numbers(self) -> Array:
        return self.values

    @property
    def missing_markers(self) -> list[str]:
        """Texts of the missing cells."""
        return [text for text, rows in self.marks.items() if rows.any()]

    def only(self, rows: Array) -> NumberColumn:
        return NumberColumn(self.values[rows], {text: mask[rows] for text, mask in self.marks.items()})

    def copy_into(self, place: Array) -> NumberColumn:
        place[:] = self.values
        return NumberColumn(place, self.marks)

    def as_text(self) -> TextColumn:
        return make_text_column([format_cell_number(value) for value in self.values.tolist()])

    def texts(self) -> list[str]:
        return self.as_text().texts()


@dataclass(frozen=True)
class TextColumn:
    """`levels[codes[k]]` is the text of row k, stripped of blanks."""

    codes: Array
    levels: list[str]
    decimal: str = "."

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def level_missing(self) -> Array:
        return np.array([is_missing(text) for text in self.levels], dtype=bool)

    @cached_property
    def level_numbers(self) -> Array:
        """The number of each level; NaN if it is not a number."""
        return np.array([parse_number(text, self.decimal) for text in self.levels], dtype=float)

    @property
    def missing(self) -> Array:
        return self.level_missing[self.codes]

    @property
    def numbers(self) -> Array:
        return self.level_numbers[self.codes]

    @property
    def wrong(self) -> Array:
        """The rows that are neither missing nor a number."""
        return np.flatnonzero((~self.level_missing & np.isnan(self.level_numbers))[self.codes])

    @property
    def missing_markers(self) -> list[str]:
        return [self.levels[k] for k in self.used_levels if self.level_missing[k]]

    @property
    def used_levels(self) -> Array:
        """Indices of the levels that occur in some row."""
        return np.flatnonzero(np.bincount(self.codes, minlength=len(self.levels)))

    def count_texts(self) -> dict[str, int]:
        """Number of rows of each text that is not missing, in the order of first appearance."""
        times, first = np.bincount(self.codes, minlength=len(self.levels)), np.zeros(len(self.levels), int)
        # With repeated indices the last assignment wins: in reverse order, that is the first row.
        first[self.codes[::-1]] = np.arange(len(self))[::-1]
        given = [k for k in self.used_levels if not self.level_missing[k]]
        return {self.levels[k]: int(times[k]) for k in sorted(given, key=lambda k: int(first[k]))}

    def only(self, rows: Array) -> TextColumn:
        return TextColumn(self.codes[rows], self.levels, self.decimal)

    def as_text(self) -> TextColumn:
        return self

    def text(self, row: int) -> str:
        return self.levels[self.codes[row]]

    def texts(self) -> list[str]:
        return np.array(self.levels, dtype=object)[self.codes].tolist()


Column = NumberColumn | TextColumn


def make_text_column(texts: Sequence[str], codes: Any = None, decimal: str = ".") -> TextColumn:
    """Make a column from the texts of all rows, or from levels and codes; equal texts become one level."""
    place: dict[str, int] = {}
    where = np.array([place.setdefault(text.strip(), len(place)) for text in texts], dtype=np.int32)
    return TextColumn(where if codes is None else where[codes], list(place), decimal)


def stack_columns(columns: Sequence[Array]) -> Array:
    """One array of floats with these columns, filled in blocks of rows that fit into the cache."""
    X = np.empty((len(columns[0]), len(columns)))
    for start in range(0, len(X), ROWS_AT_A_TIME):
        rows = slice(start, start + ROWS_AT_A_TIME)
        for k, values in enumerate(columns):
            X[rows, k] = values[rows]
    return X


def join_columns(parts: Sequence[Column], values: Array) -> Column:
    """Join pieces of a column, all of numbers (which are in `values` already) or all of texts."""
    if len(parts) == 1:
        return parts[0]
    numbers = [part for part in parts if isinstance(part, NumberColumn)]
    texts = [part for part in parts if isinstance(part, TextColumn)]
    if numbers:
        markers = dict.fromkeys(text for part in numbers for text in part.marks)
        none = [np.zeros(len(part), dtype=bool) for part in numbers] if markers else []
        marks = {
            text: np.concatenate([p.marks.get(text, z) for p, z in zip(numbers, none, strict=True)])
            for text in markers
        }
        return NumberColumn(values, marks)
    levels = [text for part in texts for text in part.levels]
    starts = np.cumsum([0, *(len(part.levels) for part in texts[:-1])])
    codes = np.concatenate([part.codes + start for part, start in zip(texts, starts, strict=True)])
    return make_text_column(levels, codes, texts[0].decimal)
