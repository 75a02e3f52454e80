"""Parquet files, turned into the same texts as CSV: one way to go from there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from markone.data.dialect import BadTable
from markone.data.formats import parquet_file
from markone.tables.source import Raw, too_many


def read(path: Path, header: bool = True, most: int | None = None) -> Raw:
    file = parquet_file(path)
    if most is not None and file.metadata.num_rows > most:
        raise too_many(path.name, file.metadata.num_rows, most)
    table = file.read()
    columns = {}
    for name in dict.fromkeys(table.column_names):
        columns[name] = [written(value) for value in table.column(name).to_pylist()]
    return Raw(path.name, columns)


def written(value: Any) -> str:
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if hasattr(value, "isoformat"):
        return str(value.isoformat())
    if isinstance(value, list | dict | bytes):
        raise BadTable(
            f"A cell holds {value!r:.60}: a table has numbers and texts in its cells, nothing nested."
        )
    return str(value)
