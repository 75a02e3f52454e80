"""Conversion of pyarrow arrays to columns: numbers by its parser, texts once per level."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from markone.data.reading.columns import MISSING, Column, NumberColumn, TextColumn, make_text_column
from markone.errors import BadTable
from markone.numerics.arrays import Array

TRIED = 50


def import_pyarrow(extra: str = "tables") -> Any:
    """Import pyarrow with its submodules; the ImportError says what to install."""
    try:
        import pyarrow
        import pyarrow.compute
        import pyarrow.csv
        import pyarrow.parquet
    except ImportError as error:
        what = "Parquet files" if extra == "parquet" else "Tables"
        raise ImportError(
            f'{what} are read by pyarrow, which is not installed: pip install "markone[{extra}]".'
        ) from error
    return pyarrow


def column_from_arrow(cells: Any, decimal: str = ".", as_text: bool = False) -> Column:
    """Convert a pyarrow array of any type to a column; `as_text` keeps numbers as they were written."""
    types = import_pyarrow().types
    if types.is_dictionary(cells.type):
        cells = cells.cast(cells.type.value_type)
    if types.is_string(cells.type) or types.is_large_string(cells.type):
        found = None if as_text else _parse_number_column(cells, decimal)
        return found or _encode_levels(cells, decimal)
    if types.is_integer(cells.type) or types.is_floating(cells.type):
        found = None if as_text else _numeric_column(cells)
        return found or _encode_levels(cells)
    return _encode_levels(cells)


def _parse_number_column(cells: Any, decimal: str) -> NumberColumn | None:
    """The column of numbers, or None if some cell is neither a finite number nor missing."""
    compute = import_pyarrow().compute
    # Fast path: most columns hold only numbers.
    values = _parse_floats(cells, decimal)
    if values is not None and np.isfinite(values).all():
        return NumberColumn(values)
    cells = compute.utf8_trim_whitespace(compute.fill_null(cells, ""))
    missing = compute.is_in(compute.utf8_lower(cells), value_set=import_pyarrow().array(sorted(MISSING)))
    values = _parse_floats(compute.if_else(missing, None, cells), decimal)
    absent = missing.to_numpy(zero_copy_only=False)
    if values is None or not np.isfinite(values[~absent]).all():
        return None
    written = _encode_levels(cells.filter(missing))
    marks = {}
    for k, text in enumerate(written.levels):
        marks[text] = np.zeros(len(cells), dtype=bool)
        marks[text][absent] = written.codes == k
    return NumberColumn(values, marks)


def _parse_floats(cells: Any, decimal: str) -> Array | None:
    """float64 with NaN for null; None if some text is not a number. Rounded correctly, as by Python."""
    arrow = import_pyarrow()
    if decimal == ",":
        cells = arrow.compute.replace_substring(cells, ",", ".")
    try:
        # A failing conversion is slow in pyarrow: a few cells are tried first.
        cells.slice(0, TRIED).cast(arrow.float64())
        return cells.cast(arrow.float64()).to_numpy(zero_copy_only=False)
    except arrow.ArrowInvalid:
        return None


def _numeric_column(cells: Any) -> NumberColumn | None:
    values = cells.to_numpy(zero_copy_only=False).astype(float)
    missing = np.isnan(values)
    if not np.isfinite(values[~missing]).all():
        return None
    return NumberColumn(values, {"": missing} if missing.any() else {})


def _encode_levels(cells: Any, decimal: str = ".") -> TextColumn:
    types = import_pyarrow().types
    if types.is_nested(cells.type) or types.is_binary(cells.type) or types.is_large_binary(cells.type):
        value = next((v for v in cells.to_pylist() if v is not None), None)
        raise BadTable(f"A cell holds {value!r:.60}: cells must hold numbers or texts, nothing nested.")
    if types.is_null(cells.type):
        return make_text_column([""] * len(cells))
    encoded = cells.dictionary_encode(null_encoding="encode")
    levels = [_cell_text(value) for value in encoded.dictionary.to_pylist()]
    return make_text_column(levels, encoded.indices.to_numpy(), decimal)


def _cell_text(value: Any) -> str:
    """The text of a value as written to a CSV file."""
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value.isoformat()) if hasattr(value, "isoformat") else str(value)


SUFFIXES = (".parquet", ".pq")
ROWS = 65_536


def is_parquet(path: Path) -> bool:
    return path.suffix.lower() in SUFFIXES


def find_parquet_files(folder: Path) -> list[Path]:
    """All Parquet files in a folder and below it, sorted by name."""
    found = sorted(p for p in folder.rglob("*") if is_parquet(p))
    if not found:
        raise BadTable(f"There is no Parquet file in {folder}: they end in {', '.join(SUFFIXES)}.")
    return found


@contextmanager
def open_parquet(path: Path) -> Iterator[Any]:
    """Open a Parquet file; errors of pyarrow, also while reading, become BadTable."""
    arrow = import_pyarrow("parquet")
    try:
        with arrow.parquet.ParquetFile(path) as file:
            yield file
    except (arrow.ArrowException, OSError) as error:
        if getattr(error, "errno", None):  # an error of the system, not of the file's content
            raise
        raise BadTable(f"{path.name} is not a Parquet file: {error}") from error


def read_parquet_batches(path: Path, only: list[int] | None = None) -> Iterator[Any]:
    with open_parquet(path) as file:
        for batch in file.iter_batches(batch_size=ROWS):
            yield batch if only is None else batch.select(only)
