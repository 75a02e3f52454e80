"""The two formats of tables, CSV (by pandas) and Parquet (by pyarrow): names, number of rows, frames."""

import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from markone.data.dialect import BLOCK, BadTable, dialect, spellings

PARQUET = (".parquet", ".pq")


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as error:
        raise ImportError(
            'Tables are read by pandas, which is not installed: pip install "markone[tables]".'
        ) from error
    return pandas


def is_parquet(path: Path) -> bool:
    return path.suffix.lower() in PARQUET


def first_line(path: Path) -> tuple[list[str], list[str]]:
    """The names as they stand in the file, before pandas tells duplicates apart; and how it is written."""
    if is_parquet(path):
        return [str(name) for name in parquet_file(path).schema_arrow.names], []
    found = dialect(path)
    return found.first, found.notes


def count_rows(path: Path) -> int:
    """Rows below the names. In a CSV file lines are counted: an upper bound if text holds line breaks."""
    if is_parquet(path):
        return int(parquet_file(path).metadata.num_rows)
    lines, last = 0, b"\n"
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            lines, last = lines + block.count(b"\n"), block[-1:]
    return max(0, lines + (last != b"\n") - 1)


def parquet_file(path: Path) -> Any:
    try:
        from pyarrow import ArrowInvalid
        from pyarrow.parquet import ParquetFile
    except ImportError as error:
        raise ImportError(
            'Parquet files need pyarrow, which is not installed: pip install "markone[parquet]".'
        ) from error
    try:
        return ParquetFile(path)
    except ArrowInvalid as error:
        raise BadTable(f"{path.name} is not a Parquet file: {error}") from error


def frames(path: Path, rows: int | None) -> Iterator[Any]:
    """pandas frames of `rows` rows, or one of all."""
    pandas = _pandas()
    if is_parquet(path):
        file = parquet_file(path)
        batches = [file.read()] if rows is None else file.iter_batches(batch_size=rows)
        yield from (batch.to_pandas() for batch in batches)
        return
    found = dialect(path)
    separator = r"\s+" if found.separator == " " else found.separator
    how = {"sep": separator, "decimal": found.decimal, "names": found.first, "header": 0}
    coded = {"encoding": found.encoding, "encoding_errors": found.errors}
    missing = {"na_values": spellings(), "keep_default_na": False}
    options = {"index_col": False, "skipinitialspace": True, "low_memory": False, "chunksize": rows}
    try:
        yield from _strictly(pandas, lambda: pandas.read_csv(path, **how, **coded, **missing, **options))
    except (pandas.errors.ParserError, pandas.errors.ParserWarning) as error:
        raise ValueError(
            f"{path} has rows with more fields than the {len(found.first)} names of its first line: {error}"
        ) from error


def _strictly(pandas: Any, opened: Callable[[], Any]) -> Iterator[Any]:
    """The frames; pandas cuts off surplus fields with a warning, which is an error here."""
    found: Any = None
    try:
        while True:
            with warnings.catch_warnings():
                warnings.simplefilter("error", pandas.errors.ParserWarning)
                found = opened() if found is None else found
                whole = isinstance(found, pandas.DataFrame)
                frame = found if whole else next(found, None)
            if frame is None:
                return
            yield frame
            if whole:
                return
    finally:
        if hasattr(found, "close"):
            found.close()
