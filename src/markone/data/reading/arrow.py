"""From arrays of pyarrow to our columns: numbers at the speed of its parser, texts once for each level."""

from __future__ import annotations

from typing import Any

import numpy as np

from markone.data.reading.columns import MISSING, Column, NumberColumn, TextColumn, text_column
from markone.errors import BadTable
from markone.numerics.arrays import Array

TRIED = 50


def pyarrow(extra: str = "tables") -> Any:
    """The library, with its parts; who lacks it is told what to install."""
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


def column_of(cells: Any, decimal: str = ".", as_text: bool = False) -> Column:
    """The column of a pyarrow array of any type; `as_text` keeps what was written though it be numbers."""
    types = pyarrow().types
    if types.is_dictionary(cells.type):
        cells = cells.cast(cells.type.value_type)
    if types.is_string(cells.type) or types.is_large_string(cells.type):
        found = None if as_text else numbers_of_texts(cells, decimal)
        return found or levels_of(cells, decimal)
    if types.is_integer(cells.type) or types.is_floating(cells.type):
        found = None if as_text else numbers_of_numbers(cells)
        return found or levels_of(cells)
    return levels_of(cells)


def numbers_of_texts(cells: Any, decimal: str) -> NumberColumn | None:
    """None if some cell is neither a finite number nor missing."""
    compute = pyarrow().compute
    # Most columns are nothing but numbers, and then this is all.
    values = parsed(cells, decimal)
    if values is not None and np.isfinite(values).all():
        return NumberColumn(values)
    cells = compute.utf8_trim_whitespace(compute.fill_null(cells, ""))
    missing = compute.is_in(compute.utf8_lower(cells), value_set=pyarrow().array(sorted(MISSING)))
    values = parsed(compute.if_else(missing, None, cells), decimal)
    absent = missing.to_numpy(zero_copy_only=False)
    if values is None or not np.isfinite(values[~absent]).all():
        return None
    written = levels_of(cells.filter(missing))
    marks = {}
    for k, text in enumerate(written.levels):
        marks[text] = np.zeros(len(cells), dtype=bool)
        marks[text][absent] = written.codes == k
    return NumberColumn(values, marks)


def parsed(cells: Any, decimal: str) -> Array | None:
    """float64 with NaN for null; None if some text is no number. Rounded exactly, as Python's own."""
    arrow = pyarrow()
    if decimal == ",":
        cells = arrow.compute.replace_substring(cells, ",", ".")
    try:
        # pyarrow makes an error of each text that is no number, which takes long: some are tried first.
        cells.slice(0, TRIED).cast(arrow.float64())
        return cells.cast(arrow.float64()).to_numpy(zero_copy_only=False)
    except arrow.ArrowInvalid:
        return None


def numbers_of_numbers(cells: Any) -> NumberColumn | None:
    values = cells.to_numpy(zero_copy_only=False).astype(float)
    missing = np.isnan(values)
    if not np.isfinite(values[~missing]).all():
        return None
    return NumberColumn(values, {"": missing} if missing.any() else {})


def levels_of(cells: Any, decimal: str = ".") -> TextColumn:
    types = pyarrow().types
    if types.is_nested(cells.type) or types.is_binary(cells.type) or types.is_large_binary(cells.type):
        value = next((v for v in cells.to_pylist() if v is not None), None)
        raise BadTable(
            f"A cell holds {value!r:.60}: a table has numbers and texts in its cells, nothing nested."
        )
    if types.is_null(cells.type):
        return text_column([""] * len(cells))
    encoded = cells.dictionary_encode(null_encoding="encode")
    levels = [written(value) for value in encoded.dictionary.to_pylist()]
    return text_column(levels, encoded.indices.to_numpy(), decimal)


def written(value: Any) -> str:
    """As a CSV file would have it."""
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value.isoformat()) if hasattr(value, "isoformat") else str(value)
