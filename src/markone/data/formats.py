"""The two formats of tables, CSV (by pandas) and Parquet (by pyarrow): names, number of rows, frames."""

import csv
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# What stands for a missing value beside pandas's own list (empty, NA, NaN, null, ...): UCI writes "?".
MISSING = ["?"]
BLOCK = 2**20


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as error:
        raise ImportError(
            'Tables are read by pandas, which is not installed: pip install "markone[tables]".'
        ) from error
    return pandas


def separator(path: Path) -> str:
    """The one of , ; tab | that the first line has most of."""
    line = _first_line(path)
    return max(",;\t|", key=line.count)


def _first_line(path: Path) -> str:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return file.readline()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8 text ({error.reason}): save it as UTF-8.") from error


def column_names(path: Path) -> list[str]:
    """The names as they stand in the file, before pandas tells duplicates apart."""
    if path.suffix.lower() == ".parquet":
        return [str(name) for name in _parquet(path).schema_arrow.names]
    rows = csv.reader([_first_line(path)], delimiter=separator(path))
    return [name.strip() for name in next(rows, [])]


def count_rows(path: Path) -> int:
    """Rows below the names. In a CSV file lines are counted: an upper bound if text holds line breaks."""
    if path.suffix.lower() == ".parquet":
        return int(_parquet(path).metadata.num_rows)
    lines, last = 0, b"\n"
    with path.open("rb") as file:
        while block := file.read(BLOCK):
            lines, last = lines + block.count(b"\n"), block[-1:]
    return max(0, lines + (last != b"\n") - 1)


def _parquet(path: Path) -> Any:
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
        raise ValueError(f"{path} is not a Parquet file: {error}") from error


def frames(path: Path, rows: int | None) -> Iterator[Any]:
    """pandas frames of `rows` rows, or one of all."""
    pandas = _pandas()
    if path.suffix.lower() == ".parquet":
        file = _parquet(path)
        batches = [file.read()] if rows is None else file.iter_batches(batch_size=rows)
        yield from (batch.to_pandas() for batch in batches)
        return
    names = column_names(path)
    how = {"sep": separator(path), "names": names, "header": 0, "na_values": MISSING, "encoding": "utf-8-sig"}
    options = {"index_col": False, "skipinitialspace": True, "low_memory": False, "chunksize": rows}
    try:
        yield from _strictly(pandas, lambda: pandas.read_csv(path, **how, **options))
    except (pandas.errors.ParserError, pandas.errors.ParserWarning) as error:
        raise ValueError(
            f"{path} has rows with more fields than the {len(names)} names of its first line: {error}"
        ) from error
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not UTF-8 text ({error.reason}): save it as UTF-8.") from error


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
