"""Parquet files as batches of typed columns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from markone.data.reading.arrow import import_pyarrow
from markone.errors import BadTable

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
