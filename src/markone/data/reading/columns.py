"""A column of a table: numbers where every cell is one, else the texts as they were written.

Numbers are parsed a column at a time. A text column keeps each different text once (a level) and for each
row which one it is, so that whatever is asked of its cells is asked of its levels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from markone.numerics.arrays import Array

# What people write where nothing is known; compared in lower case.
MISSING = {"", "na", "n/a", "nan", "null", "none", "?", "#n/a", "<na>"}

ROWS_AT_A_TIME = 2048


def is_missing(text: str) -> bool:
    return text.lower() in MISSING


def number_in(text: str, decimal: str = ".") -> float:
    """The finite number that the text writes, or NaN. Python alone would take 1_000 for one thousand."""
    try:
        value = float(text.replace(",", ".") if decimal == "," else text)
    except ValueError:
        return float("nan")
    return value if abs(value) < float("inf") and "_" not in text else float("nan")


def number_text(value: float) -> str:
    """The shortest text of a number; nothing for one that is missing."""
    if value != value:
        return ""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


@dataclass(frozen=True)
class NumberColumn:
    """Every cell a finite number, or missing (NaN); `marks` has the missing rows by what is written there."""

    values: Array
    marks: dict[str, Array] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def missing(self) -> Array:
        return np.isnan(self.values)

    @property
    def markers(self) -> list[str]:
        """What is written where a value is missing."""
        return [text for text, rows in self.marks.items() if rows.any()]

    def only(self, rows: Array) -> NumberColumn:
        return NumberColumn(self.values[rows], {text: mask[rows] for text, mask in self.marks.items()})

    def kept_in(self, place: Array) -> NumberColumn:
        place[:] = self.values
        return NumberColumn(place, self.marks)

    def as_text(self) -> TextColumn:
        return text_column([number_text(value) for value in self.values.tolist()])

    def texts(self) -> list[str]:
        return self.as_text().texts()


@dataclass(frozen=True)
class TextColumn:
    """`levels[codes[k]]` is the text of row k, without blanks round it."""

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
        """NaN for a level that writes no number."""
        return np.array([number_in(text, self.decimal) for text in self.levels], dtype=float)

    @property
    def missing(self) -> Array:
        return self.level_missing[self.codes]

    @property
    def numbers(self) -> Array:
        return self.level_numbers[self.codes]

    @property
    def wrong(self) -> Array:
        """The rows that say something, but no number."""
        return np.flatnonzero((~self.level_missing & np.isnan(self.level_numbers))[self.codes])

    @property
    def markers(self) -> list[str]:
        return [self.levels[k] for k in self.used if self.level_missing[k]]

    @property
    def used(self) -> Array:
        """The levels that stand in some row: not all need to, where rows were left out."""
        return np.flatnonzero(np.bincount(self.codes, minlength=len(self.levels)))

    def counts(self) -> dict[str, int]:
        """How often each text that is given stands there, in the order in which they first appear."""
        times, first = np.bincount(self.codes, minlength=len(self.levels)), np.zeros(len(self.levels), int)
        # Of several values for one place the last stays: backwards, that is the first row.
        first[self.codes[::-1]] = np.arange(len(self))[::-1]
        given = [k for k in self.used if not self.level_missing[k]]
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


def text_column(texts: Sequence[str], codes: Any = None, decimal: str = ".") -> TextColumn:
    """Of the texts of all rows, or of levels and their codes; equal ones become one level."""
    place: dict[str, int] = {}
    where = np.array([place.setdefault(text.strip(), len(place)) for text in texts], dtype=np.int32)
    return TextColumn(where if codes is None else where[codes], list(place), decimal)


def stacked(columns: Sequence[Array]) -> Array:
    """One array of floats with these columns, filled some rows at a time: they stay in the cache."""
    X = np.empty((len(columns[0]), len(columns)))
    for start in range(0, len(X), ROWS_AT_A_TIME):
        rows = slice(start, start + ROWS_AT_A_TIME)
        for k, values in enumerate(columns):
            X[rows, k] = values[rows]
    return X


def joined(parts: Sequence[Column], values: Array) -> Column:
    """One column of its pieces, either all of numbers, which are in `values` already, or all of texts."""
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
    return text_column(levels, codes, texts[0].decimal)
