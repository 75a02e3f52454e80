"""A table of named columns from a file, read whole or in pieces."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from markone.data.reading import arrow, text
from markone.data.reading.arrow import column_from_arrow, import_pyarrow
from markone.data.reading.columns import Column, NumberColumn, TextColumn, join_columns
from markone.data.reading.dialect import Dialect, detect_dialect, header_names, make_names_distinct
from markone.errors import BadTable
from markone.numerics.arrays import Array


@dataclass
class CellTable:
    """A table of named columns.

    `rows` are row numbers below the header, from 1; `target` is set for some built-in sets. `padded` lists
    columns written with leading zeros, which are codes rather than quantities.
    """

    source: str
    columns: dict[str, Column]
    notes: list[str] = field(default_factory=list)
    rows: Array = field(default_factory=lambda: np.zeros(0, dtype=int))
    target: str | None = None
    padded: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not len(self.rows):
            self.rows = np.arange(1, len(self) + 1)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), []))

    def only(self, rows: Array) -> CellTable:
        columns = {name: column.only(rows) for name, column in self.columns.items()}
        return CellTable(self.source, columns, list(self.notes), self.rows[rows], self.target, self.padded)


class TableFile:
    """A table file: the names of its columns, notes about it, and its batches."""

    def __init__(self, path: Path, header: bool = True) -> None:
        self.path, self.header = path, header
        self.notes: list[str] = []
        self.dialect: Dialect | None = None
        self.padded: tuple[str, ...] = ()
        if arrow.is_parquet(path):
            with arrow.open_parquet(path) as file:
                self.names = make_names_distinct([str(name) for name in file.schema_arrow.names], self.notes)
                self.most_rows = int(file.metadata.num_rows)
            return
        self.dialect = detect_dialect(path)
        self.notes += self.dialect.notes
        self.names = header_names(self.dialect.first, header, path.name, self.notes)
        self.padded = tuple(self.names[k] for k in self.dialect.padded)
        # An upper bound: empty lines and line breaks inside quotes are counted, too.
        self.most_rows = self.dialect.lines - header

    def read_batches(self, only: list[int] | None = None) -> Iterator[Any]:
        if self.dialect is None:
            return arrow.read_parquet_batches(self.path, only)
        return text.read_text_batches(self.path, self.dialect, self.header, only)

    def to_column(self, cells: Any, as_text: bool) -> Column:
        return column_from_arrow(cells, self.dialect.decimal if self.dialect else ".", as_text)

    def no_rows_error(self) -> BadTable:
        return BadTable(
            f"{self.path.name} has a header but no rows: only the names of {len(self.names)} columns."
        )


def read_cell_table(file: TableFile, texts: Collection[str] | None = None) -> CellTable:
    """Read all rows. Number columns named in `texts` (all, if None) keep their original texts."""
    as_text = set(file.names if texts is None else texts)
    parts: dict[str, list[Column]] = {name: [] for name in file.names}
    # One array per column, filled batch by batch: joining pieces later would need twice the memory.
    values = {name: np.empty(file.most_rows) for name in file.names}
    done = 0
    for batch in file.read_batches():
        for name, cells in zip(file.names, batch.columns, strict=True):
            found = file.to_column(cells, name in as_text)
            if isinstance(found, TextColumn):
                as_text.add(name)
            else:
                found = found.copy_into(values[name][done : done + len(batch)])
            parts[name].append(found)
        done += len(batch)
    if not done:
        raise file.no_rows_error()
    # If a text appears after batches of numbers, the original texts of these numbers are read again.
    late = [n for n in file.names if n in as_text and isinstance(parts[n][0], NumberColumn)]
    parts |= {name: [] for name in late}
    for batch in file.read_batches([file.names.index(name) for name in late]) if late else ():
        for name, cells in zip(late, batch.columns, strict=True):
            parts[name].append(file.to_column(cells, as_text=True))
    columns = {name: join_columns(parts.pop(name), values.pop(name)[:done]) for name in file.names}
    return CellTable(file.path.name, columns, file.notes, padded=file.padded)


def read_cell_pieces(file: TableFile, rows: int, texts: Collection[str] = ()) -> Iterator[CellTable]:
    """Yield tables of `rows` rows (the last may be shorter), never all in memory. `texts`: as in `read`."""
    before = 0
    for batch in _rebatch_rows(file.read_batches(), rows):
        columns = {
            name: file.to_column(cells.combine_chunks(), as_text=name in texts)
            for name, cells in zip(file.names, batch.columns, strict=True)
        }
        numbers = np.arange(before + 1, before + len(batch) + 1)
        before += len(batch)
        yield CellTable(file.path.name, columns, rows=numbers)
    if not before:
        raise file.no_rows_error()


def _rebatch_rows(batches: Iterator[Any], rows: int) -> Iterator[Any]:
    """The same rows in tables of `rows` rows."""
    waiting: list[Any] = []
    for batch in batches:
        waiting.append(batch)
        while sum(map(len, waiting)) >= rows:
            table = import_pyarrow().Table.from_batches(waiting)
            yield table.slice(0, rows)
            waiting = table.slice(rows).to_batches()
    if sum(map(len, waiting)):
        yield import_pyarrow().Table.from_batches(waiting)
