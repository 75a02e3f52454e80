"""Tables of inputs and labels from columns of cells, for `load` and `chunks`."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.data.reading.columns import Column, NumberColumn, TextColumn, parse_number, stack_columns
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.numerics.text import format_names


@dataclass(frozen=True)
class Table:
    """Inputs X, labels y, their names, their source and notes about them.

    X is an array of floats, or a pandas frame where some columns hold text (these are categories for the
    user to encode). Missing values are NaN in either. `notes` lists everything that was found in the data or
    done to them. Returned by `load`.

    Parameters
    ----------
    name : str
        Name of the set.
    X : array (P, N) or pandas.DataFrame
        The inputs.
    y : array (P,)
        The labels.
    feature_names : list of str
        One name a column of X.
    class_names : list of str
        Names of the classes.
    source : str
        Where the data come from.
    notes : list of str
        What was found and done.
    """

    name: str
    X: Any
    y: Array
    feature_names: list[str]
    class_names: list[str]
    source: str
    notes: list[str] = field(default_factory=list)

    @property
    def text_columns(self) -> list[str]:
        """The columns of X that hold text."""
        if isinstance(self.X, np.ndarray):
            return []
        return [name for name in self.feature_names if self.X[name].dtype.kind not in "fiub"]

    def __str__(self) -> str:
        P, N = self.X.shape
        head = f"{self.name}: {P} examples, {N} columns, {len(self.class_names)} classes"
        return "\n".join([head, f"source: {self.source}", *self.notes])


BOOLEAN_TEXTS = {"true", "false"}


@dataclass
class TableBuilder:
    """Builds tables from pieces of one file; stores which columns hold text.

    `said` are notes about the file itself, added to the first table.
    """

    path: Path
    target: str
    said: list[str]
    text: list[str] | None = None
    notes: list[str] = field(default_factory=list)

    def whole(self, cells: CellTable) -> Table:
        cells = self._drop_missing_targets(cells)
        table = self._build_table(cells)
        if len(np.unique(table.y)) < 2:
            raise BadTable(
                f"The target {self.target!r} is {str(table.y[0])!r} in all {len(table.y)} rows: "
                "two classes at least are needed to learn from."
            )
        same = [
            name for name, column in cells.columns.items() if name != self.target and _is_constant(column)
        ]
        if same:
            table.notes.append(f"One value only in {format_names(same)}: nothing to learn from there.")
        labels, counts = np.unique(table.y, return_counts=True)
        if (counts < 2).any():
            table.notes.append(
                f"One example only of {format_names(labels[counts < 2])}: it cannot be validated."
            )
        return table

    def build_piece(self, cells: CellTable) -> Table:
        return self._build_table(self._drop_missing_targets(cells))

    def _build_table(self, cells: CellTable) -> Table:
        y = self._extract_labels(cells.columns[self.target])
        names = [name for name in cells.columns if name != self.target]
        X = self._extract_inputs({name: cells.columns[name] for name in names}, cells.rows)
        classes = [str(label) for label in np.unique(y)]
        return Table(self.path.stem, X, y, names, classes, str(self.path), list(self.notes))

    def _drop_missing_targets(self, cells: CellTable) -> CellTable:
        """Drop rows without a target; starts the notes of a new table."""
        self.notes, self.said = list(self.said), []
        absent = cells.columns[self.target].missing
        if not absent.any():
            return cells
        first = cells.rows[absent][0]
        lost = f"{absent.sum()} of {len(cells)} rows have no target (first: row {first})"
        if absent.all():
            raise BadTable(f"In {self.path} {lost}: nothing is left.")
        self.notes.append(f"{lost}: dropped.")
        return cells.only(np.flatnonzero(~absent))

    def _extract_labels(self, column: Column) -> Array:
        """Labels: numbers and Boolean values unchanged, all else as text."""
        if isinstance(column, TextColumn):
            return _boolean_values(column).astype(bool) if _is_boolean(column) else np.array(column.texts())
        values = column.values
        if (values == np.rint(values)).all():
            return values.astype(int)
        self.notes.append(
            f"The target holds {len(np.unique(values))} different numbers, not whole ones: "
            "this is rarely intended for classes; bin them into classes first."
        )
        return values

    def _extract_inputs(self, columns: dict[str, Column], rows: Array) -> Any:
        """Inputs: numbers as floats; text unchanged and listed in a note."""
        numbers = {name: self._column_numbers(name, column, rows) for name, column in columns.items()}
        truth = [name for name, c in columns.items() if isinstance(c, TextColumn) and _is_boolean(c)]
        truth = [name for name in truth if numbers[name] is not None]
        if truth:
            self.notes.append(f"Truth values in {format_names(truth)}: taken as 0 and 1.")
        if self.text is None:
            self.text = [name for name, values in numbers.items() if values is None]
        if self.text:
            self.notes.append(f"Text in {format_names(self.text)}: kept as categories, to be encoded.")
        absent = {name: int(c.missing.sum()) for name, c in columns.items() if c.missing.any()}
        if absent:
            each = ", ".join(f"{name!r}: {n}" for name, n in list(absent.items())[:8])
            more = ", ..." if len(absent) > 8 else ""
            self.notes.append(
                f"{sum(absent.values())} values are missing ({each}{more}): left as NaN, to be filled or "
                "masked."
            )
        given = {name: values for name, values in numbers.items() if values is not None}
        if not self.text:
            return stack_columns(list(given.values()))
        for name in self.text:
            column = columns[name].as_text()
            levels = np.array(column.levels, dtype=object)
            levels[column.level_missing] = np.nan
            given[name] = levels[column.codes]
        return _make_frame({name: given[name] for name in columns})

    def _column_numbers(self, name: str, column: Column, rows: Array) -> Array | None:
        """The column as floats, or None for a text column."""
        if self.text is not None and name in self.text:
            return None
        if isinstance(column, NumberColumn):
            return column.values
        if _is_boolean(column):
            return _boolean_values(column)
        wrong = column.wrong
        # A column counts as text if more than half of its cells are not numbers.
        if self.text is None and len(wrong) > (len(column) - column.missing.sum()) / 2:
            return None
        if len(wrong):
            raise self._wrong_cell_error(name, column.text(wrong[0]), rows[wrong[0]], len(wrong))
        return column.numbers

    def _wrong_cell_error(self, name: str, text: str, row: int, times: int) -> BadTable:
        also = f" and {times - 1} more" if times > 1 else ""
        value = text if text.lower().lstrip("+-") in ("inf", "infinity") else repr(text)
        comma = " Write decimals with a point." if parse_number(text, ",") == parse_number(text, ",") else ""
        return BadTable(
            f"Column {name!r} of {self.path} holds numbers, but row {row} (counted from 1 below the names) "
            f"has {value}{also}. Correct it, or leave the field empty if it is missing.{comma}"
        )


def _is_constant(column: Column) -> bool:
    """Whether there are fewer than two distinct values, missing ones not counted."""
    if isinstance(column, TextColumn):
        return len(column.count_texts()) < 2
    values = column.values[~column.missing] if column.marks else column.values
    return len(values) == 0 or bool(values.min() == values.max())


def _is_boolean(column: TextColumn) -> bool:
    return {text.lower() for text in column.count_texts()} <= BOOLEAN_TEXTS and not column.missing.all()


def _boolean_values(column: TextColumn) -> Array:
    """1, 0, or NaN where it is missing."""
    levels = [np.nan if missing else float(text.lower() == "true")
              for text, missing in zip(column.levels, column.level_missing, strict=True)]  # fmt: skip
    return np.array(levels)[column.codes]


def _make_frame(columns: dict[str, Array]) -> Any:
    try:
        import pandas
    except ImportError as error:
        raise ImportError(
            'A table with text columns needs pandas, which is not installed: pip install "markone[tables]".'
        ) from error
    # Texts as objects, not as a string dtype of pandas.
    return pandas.DataFrame(
        {name: pandas.Series(values, dtype=values.dtype) for name, values in columns.items()}
    )
