"""Other tables than text and Parquet files: data frames, arrays, JSON lines, Feather, Excel, gzip."""

from __future__ import annotations

import gzip
import shutil
import tempfile
from collections.abc import Collection
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from markone.data.reading.arrow import column_from_arrow, import_pyarrow
from markone.data.reading.cell_table import CellTable, TableFile, read_cell_table
from markone.data.reading.columns import Column, NumberColumn, make_text_column
from markone.data.reading.dialect import make_names_distinct
from markone.errors import BadTable

SUFFIXES = (".gz", ".jsonl", ".ndjson", ".feather", ".arrow", ".xlsx")


def is_other_format(path: Path) -> bool:
    return path.suffix.lower() in SUFFIXES


def read_other_file(path: Path, header: bool, texts: Collection[str] | None) -> CellTable:
    """Read all rows of a file of the SUFFIXES; number columns in `texts` (None: all) are kept as text."""
    if path.suffix.lower() == ".gz":
        return _read_compressed(path, header, texts)
    if path.suffix.lower() == ".xlsx":
        return _read_excel(path, texts)
    arrow = import_pyarrow()
    try:
        if path.suffix.lower() in (".jsonl", ".ndjson"):
            table = import_module("pyarrow.json").read_json(path)
        else:
            table = import_module("pyarrow.feather").read_table(path)
    except arrow.ArrowException as error:
        raise BadTable(f"{path.name} cannot be read: {error}") from error
    return _table_from_arrow(table, path.name, texts)


def _read_compressed(path: Path, header: bool, texts: Collection[str] | None) -> CellTable:
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder, path.stem)
        try:
            with gzip.open(path) as packed, plain.open("wb") as out:
                shutil.copyfileobj(packed, out)
        except (OSError, EOFError) as error:
            raise BadTable(f"{path.name} is not a gzip file, or damaged: {error}") from error
        if is_other_format(plain):
            return read_other_file(plain, header, texts)
        return read_cell_table(TableFile(plain, header), texts)


def _read_excel(path: Path, texts: Collection[str] | None) -> CellTable:
    """The first sheet; its first row has the names."""
    try:
        import openpyxl
    except ImportError as error:
        raise ImportError(
            f"{path.name}: Excel files are read by openpyxl, which is not installed: pip install openpyxl, "
            "or save the sheet as CSV."
        ) from error
    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    rows = [row for row in book.worksheets[0].iter_rows(values_only=True) if any(v is not None for v in row)]
    book.close()
    if len(rows) < 2:
        raise BadTable(f"{path.name} has no rows below its header.")
    cells = zip(*rows[1:], strict=True)
    text = import_pyarrow().string()
    columns = [
        import_pyarrow().array([None if v is None else str(v) for v in column], text) for column in cells
    ]
    return _named_table(["" if n is None else str(n) for n in rows[0]], columns, path.name, texts)


def _table_from_arrow(table: Any, source: str, texts: Collection[str] | None = ()) -> CellTable:
    """A pyarrow table as named columns."""
    columns = [column.combine_chunks() for column in table.columns]
    return _named_table([str(name) for name in table.column_names], columns, source, texts)


def _named_table(names: list[str], cells: list[Any], source: str, texts: Collection[str] | None) -> CellTable:
    notes: list[str] = []
    names = make_names_distinct(names, notes)
    if not cells or not len(cells[0]):
        raise BadTable(f"{source} has no rows.")
    kept = set(names if texts is None else texts)
    columns = {n: column_from_arrow(c, as_text=n in kept) for n, c in zip(names, cells, strict=True)}
    return CellTable(source, columns, notes)


def table_from_object(data: Any, texts: Collection[str] = ()) -> CellTable:
    """A data frame (pandas, or any Arrow stream: polars, pyarrow, DuckDB), a dict of columns, a 2-d array."""
    source, arrow = f"<{type(data).__name__}>", import_pyarrow()
    if isinstance(data, CellTable):
        return data
    if type(data).__module__.partition(".")[0] == "pandas":
        return _table_from_arrow(arrow.Table.from_pandas(data, preserve_index=False), source, texts)
    if hasattr(data, "__arrow_c_stream__"):
        return _table_from_arrow(arrow.table(data), source, texts)
    if isinstance(data, dict):
        columns = {str(name): _column_of_values(np.asarray(values)) for name, values in data.items()}
        if len({len(column) for column in columns.values()}) != 1:
            raise BadTable("The columns of the table have different lengths, or there are none.")
        return CellTable(source, columns)
    values = np.asarray(data)
    if values.ndim != 2 or not values.size:
        raise BadTable(
            f"{source} is no table: give a file name, a data frame, a dictionary of columns or a 2-d array."
        )
    return CellTable(source, {f"x{k}": _column_of_values(values[:, k]) for k in range(values.shape[1])})


def _column_of_values(values: Any) -> Column:
    """Numbers (NaN is missing), or the texts of the values."""
    if values.ndim != 1:
        raise BadTable(f"A column has {values.ndim} dimensions instead of one.")
    if values.dtype.kind in "iuf" and not np.isinf(values.astype(float)).any():
        return NumberColumn(values.astype(float))
    return make_text_column(["" if v is None or v != v else str(v) for v in values.tolist()])
