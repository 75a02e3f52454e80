"""What a frame of a person's own table holds: numbers, text, missing values, the target."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from markone.data.names import is_number, listed
from markone.data.table import Table
from markone.numerics.arrays import Array


@dataclass
class Reader:
    """Turns frames of one file into tables; remembers which columns hold text and how many rows went by.

    `said` is what is to be known about the file itself: the first table says it.
    """

    path: Path
    target: str
    text: list[str] | None = None
    before: int = 0
    said: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def whole(self, frame: Any) -> Table:
        table = self.piece(frame)
        if len(np.unique(table.y)) < 2:
            raise ValueError(
                f"The target {self.target!r} is {str(table.y[0])!r} in all {len(table.y)} rows: "
                "two classes at least are needed to learn from."
            )
        self._constant(table)
        self._rare(table)
        return table

    def piece(self, frame: Any) -> Table:
        self.notes, self.said = list(self.said), []
        if not len(frame):
            raise ValueError(f"{self.path} holds no rows below the names of its columns: nothing to read.")
        frame.columns = [str(name).strip() for name in frame.columns]
        rows = np.arange(len(frame)) + self.before + 1
        self.before += len(frame)
        known = frame[self.target].notna().to_numpy()
        if not known.all():
            lost = f"{(~known).sum()} of {len(frame)} rows have no target (first: row {rows[~known][0]})"
            if not known.any():
                raise ValueError(f"In {self.path} {lost}: nothing is left.")
            self.notes.append(f"{lost}: left out.")
            frame, rows = frame[known], rows[known]
        y = self._labels(frame[self.target])
        X = self._inputs(frame.drop(columns=self.target), rows)
        names = [str(name) for name in X.columns]
        inputs = X if self.text else np.ascontiguousarray(X.to_numpy(dtype=float))
        classes = [str(label) for label in np.unique(y)]
        return Table(self.path.stem, inputs, y, names, classes, str(self.path), list(self.notes))

    def _labels(self, column: Any) -> Array:
        """Numbers and truth values as they are, all else as text."""
        from pandas.api.types import infer_dtype

        kind = getattr(column.dtype, "kind", "O")
        if kind == "b" or infer_dtype(column) == "boolean":
            return column.to_numpy(dtype=bool)
        if kind in "iuf":
            values = column.to_numpy(dtype=float)
            if (values == np.rint(values)).all():
                return values.astype(int)
            self.notes.append(
                f"The target holds {len(np.unique(values))} different numbers, not whole ones: "
                "as classes that is rarely meant; sort them into classes first."
            )
            return values
        return np.array([str(value).strip() for value in column])

    def _inputs(self, X: Any, rows: Array) -> Any:
        """Numbers as floats; text as it is, named in a note."""
        numbers = {name: self._numbers(X[name], rows) for name in X.columns}
        truths = [name for name in X.columns if X[name].dtype.kind == "b"]
        if truths:
            self.notes.append(f"Truth values in {listed(truths)}: taken as 0 and 1.")
        text = [name for name, values in numbers.items() if values is None]
        if self.text is None:
            self.text = text
        X = X.assign(**{name: values for name, values in numbers.items() if values is not None})
        for name in self.text:
            X[name] = X[name].astype(object)
        if self.text:
            self.notes.append(f"Text in {listed(self.text)}: kept as categories, to be encoded.")
        self._missing(X)
        return X

    def _numbers(self, column: Any, rows: Array) -> Array | None:
        """The column as floats, or None if it is one of text."""
        if self.text is not None and column.name in self.text:
            return None
        from pandas import to_numeric

        if column.dtype.kind in "iufb":
            values = column.to_numpy(dtype=float, na_value=np.nan)
        else:
            found = to_numeric(column.astype(object), errors="coerce")
            values = found.to_numpy(dtype=float, na_value=np.nan)
            given = column.notna().to_numpy()
            wrong = given & np.isnan(values)
            # Mostly numbers is a column of numbers; hardly any is a column of text.
            if self.text is None and wrong.sum() > given.sum() / 2:
                return None
            if wrong.any():
                self._refuse(column.name, column.to_numpy()[wrong][0], rows[wrong][0], int(wrong.sum()))
        if np.isinf(values).any():
            self._refuse(column.name, np.inf, rows[np.isinf(values)][0], int(np.isinf(values).sum()))
        return values

    def _refuse(self, name: str, value: Any, row: int, times: int) -> None:
        also = f" and {times - 1} more" if times > 1 else ""
        comma = " Write decimals with a point." if is_number(str(value).replace(",", ".")) else ""
        raise ValueError(
            f"Column {name!r} of {self.path} holds numbers, but row {row} (counted from 1 below the names) "
            f"has {value!r}{also}. Correct it, or leave the field empty if it is missing.{comma}"
        )

    def _missing(self, X: Any) -> None:
        counts = X.isna().sum()
        counts = counts[counts > 0]
        if len(counts):
            each = ", ".join(f"{name!r}: {n}" for name, n in list(counts.items())[:8])
            more = ", ..." if len(counts) > 8 else ""
            self.notes.append(
                f"{int(counts.sum())} values are missing ({each}{more}): left as NaN, to be filled or masked."
            )

    def _constant(self, table: Table) -> None:
        if self.text:
            same = table.X.nunique().to_numpy() < 2
        else:
            # All that is missing has no two values either.
            filled = np.isnan(table.X)
            low, high = np.where(filled, np.inf, table.X).min(0), np.where(filled, -np.inf, table.X).max(0)
            same = low >= high
        if same.any():
            names = [name for name, one in zip(table.feature_names, same, strict=True) if one]
            table.notes.append(f"One value only in {listed(names)}: nothing to learn from there.")

    def _rare(self, table: Table) -> None:
        labels, counts = np.unique(table.y, return_counts=True)
        if (counts < 2).any():
            table.notes.append(f"One example only of {listed(labels[counts < 2])}: it cannot be validated.")
