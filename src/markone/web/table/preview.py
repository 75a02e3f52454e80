"""Preview of a table: its columns as read by `markone fit`, and its first rows."""

from pathlib import Path
from typing import Any

import numpy as np

from markone.data.reading.cell_table import CellTable, TableFile
from markone.data.reading.columns import Column, NumberColumn
from markone.errors import BadTable
from markone.tables.source import read_data

MOST_ROWS, MOST_COLUMNS = 50_000, 500
ELSEWHERE = "`markone fit` on the command line accepts larger ones."
ROWS_SHOWN, COLUMNS_SHOWN, LONGEST_CELL = 6, 60, 40


def read_checked_table(data: str, called: str, header: bool = True) -> CellTable:
    """Read a table and check its size; `called` is its name in messages."""
    path = Path(data)
    try:
        if path.is_file():
            N = len(TableFile(path, header).names)
            if N > MOST_COLUMNS:
                raise BadTable(f"{called} has {N} columns; the limit is {MOST_COLUMNS}. {ELSEWHERE}")
        table = read_data(data, header=header, texts=(), most=None)
    except ValueError as error:
        raise BadTable(name_upload(str(error), data, called)) from None
    if len(table) > MOST_ROWS:
        raise BadTable(f"{called} has {len(table)} rows; the limit is {MOST_ROWS}. {ELSEWHERE}")
    return table


def name_upload(text: str, data: str, called: str) -> str:
    """A message with the name that the user gave to a file, instead of the one under which it is stored."""
    return text.replace(data, called).replace(Path(data).name, called)


def preview_table(table: CellTable) -> dict[str, Any]:
    first = table.only(np.arange(min(ROWS_SHOWN, len(table))))
    shown = list(first.columns)[:COLUMNS_SHOWN]
    cells = [[_shorten_cell(text) for text in first.columns[name].texts()] for name in shown]
    return {
        "rows": len(table),
        "columns": [_describe_column(name, column) for name, column in table.columns.items()],
        "first": [list(row) for row in zip(*cells, strict=True)],
        "target": table.target,
        "notes": table.notes[:12],
    }


def _describe_column(name: str, column: Column) -> dict[str, Any]:
    if isinstance(column, NumberColumn):
        kind, values = "numbers", len(np.unique(column.values[~column.missing]))
    else:
        kind, values = "text", len(column.count_texts())
    return {"name": name, "kind": kind, "missing": int(column.missing.sum()), "values": values}


def _shorten_cell(text: str) -> str:
    return text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…"
