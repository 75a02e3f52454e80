"""Constraints between rows: copies, groups (--group) and times (--time)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from markone.data.reading.cell_table import CellTable
from markone.data.reading.columns import NumberColumn
from markone.errors import BadTable
from markone.numerics.arrays import Array

# Unambiguous date formats besides ISO: 31.3.2024.
EUROPEAN_DATES = ("%d.%m.%Y", "%d.%m.%Y %H:%M", "%d.%m.%Y %H:%M:%S")


@dataclass(frozen=True)
class RowTies:
    """Rows of one group are never on both sides of a split; with times, later rows are tested."""

    groups: Array | None = None
    times: Array | None = None

    def only(self, rows: Array) -> RowTies:
        return RowTies(*(None if part is None else part[rows] for part in (self.groups, self.times)))


def join_groups(one: Array | None, other: Array | None) -> Array | None:
    """Join two groupings: rows together in either are together in the result."""
    if one is None or other is None:
        return one if other is None else other
    _, a = np.unique(one, return_inverse=True)
    _, b = np.unique(other, return_inverse=True)
    edges = (np.ones(len(a)), (a.ravel(), a.max() + 1 + b.ravel()))
    size = int(a.max() + b.max()) + 2
    _, part = connected_components(coo_array(edges, shape=(size, size)), directed=False)
    return np.asarray(part)[a.ravel()]


def row_groups(table: CellTable, name: str) -> Array:
    """Group number of each row by the value of the column; each missing value is its own group."""
    column = table.columns[name].as_text()
    alone = len(column.levels) + np.arange(len(column))
    return np.where(column.missing, alone, column.codes)


def row_times(table: CellTable, name: str) -> Array:
    """Times as numbers; raise if a row has none."""
    column = table.columns[name]
    for row in np.flatnonzero(column.missing)[:1]:
        raise BadTable(
            f"--time {name!r} is missing in row {table.rows[row]}: the order of the row is "
            "unknown. Fill it in, or leave the row out."
        )
    if isinstance(column, NumberColumn):
        return column.values
    if not len(column.wrong):
        return column.numbers
    seconds = np.array([parse_time(text) for text in column.levels])[column.codes]
    for row in np.flatnonzero(np.isnan(seconds))[:1]:
        raise BadTable(
            f"--time {name!r}: row {table.rows[row]} has {column.text(row)!r}, which is neither a number "
            "nor an unambiguous date. Write dates as 2024-03-31 or 31.3.2024."
        )
    return seconds


def parse_time(text: str) -> float:
    """Seconds since 1970, in UTC without a time zone; NaN if not a date."""
    for form in ("", *EUROPEAN_DATES):
        try:
            found = datetime.strptime(text, form) if form else datetime.fromisoformat(text)
        except ValueError:
            continue
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    return float("nan")
