"""CSV and similar files as batches of texts: by pyarrow, or by Python's parser if pyarrow fails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from markone.data.reading.arrow import import_pyarrow
from markone.data.reading.blocks import IrregularRows, read_blocks
from markone.data.reading.dialect import Dialect, parse_csv_rows
from markone.errors import BadTable
from markone.numerics.text import format_count, shorten_list

ROWS_BY_HAND = 10_000


def read_text_batches(
    path: Path, dialect: Dialect, header: bool, only: list[int] | None = None
) -> Iterator[Any]:
    """Yield record batches of text columns (all, or the indices in `only`), without header and empty rows.

    If pyarrow fails (a row of another length, blanks before a quote, an unclosed quote, a very long row),
    Python's parser continues from that row, and either reads it or raises an error that names the row.
    """
    arrow, done = import_pyarrow(), 0
    try:
        for batch in _parse_by_pyarrow(path, dialect, header):
            # Columns are selected only now: empty rows are detected from all columns.
            yield batch if only is None else batch.select(only)
            done += len(batch)
    except (arrow.ArrowInvalid, IrregularRows):
        yield from parse_by_hand(path, dialect, header, only, done)


def _parse_by_pyarrow(path: Path, dialect: Dialect, header: bool) -> Iterator[Any]:
    to_skip = int(header)
    for rows in read_blocks(path, dialect):
        for batch in _parse_block(rows, dialect).to_batches():
            batch = _drop_empty_rows(batch)
            kept = batch.slice(to_skip)
            to_skip -= len(batch) - len(kept)
            if len(kept):
                yield kept


def _parse_block(rows: bytes, dialect: Dialect) -> Any:
    """Parse a block, every cell as text; a row of another length than the first is an error unless empty."""
    arrow, quotes = import_pyarrow(), b'"' in rows
    names = [str(k) for k in range(len(dialect.first))]
    if not rows.strip():
        return arrow.table({name: arrow.array([], arrow.string()) for name in names})
    return arrow.csv.read_csv(
        arrow.BufferReader(rows),
        read_options=arrow.csv.ReadOptions(use_threads=False, block_size=len(rows) + 1, column_names=names),
        parse_options=arrow.csv.ParseOptions(
            delimiter=dialect.separator,
            quote_char='"' if quotes else False,
            newlines_in_values=quotes,
            invalid_row_handler=lambda row: (
                "skip" if _is_blank_line(row.text, dialect.separator) else "error"
            ),
        ),
        convert_options=arrow.csv.ConvertOptions(
            check_utf8=False,
            column_types=dict.fromkeys(names, arrow.string()),
            strings_can_be_null=False,
        ),
    )


def _is_blank_line(text: str, separator: str) -> bool:
    """Whether the line holds nothing but separators, quotes and blanks."""
    return not text.replace(separator, "").replace('"', "").strip()


def _drop_empty_rows(batch: Any) -> Any:
    compute = import_pyarrow().compute
    empty = None
    for cells in batch.columns:
        here = compute.equal(compute.utf8_trim_whitespace(cells), "")
        empty = here if empty is None else compute.and_(empty, here)
        if not compute.any(empty).as_py():
            return batch
    return batch.filter(compute.invert(empty))


def parse_by_hand(
    path: Path, dialect: Dialect, header: bool, only: list[int] | None, done: int
) -> Iterator[Any]:
    """Parse with Python's csv module, row by row, skipping the first `done` rows."""
    arrow, rows = import_pyarrow(), []
    for k, record in enumerate(_read_records(path, dialect)):
        if k < header:
            continue
        if len(record) != len(dialect.first):
            raise BadTable(
                f"Row {k + 1 - header} of {path.name} has "
                f"{format_count(len(record), 'cell')}, but the header has "
                f"{len(dialect.first)}: {shorten_list(record, 5)}. {_repair_hint(record, dialect)}"
            )
        if k - header >= done:
            rows.append(record if only is None else [record[j] for j in only])
        if len(rows) == ROWS_BY_HAND:
            yield _batch_from_rows(arrow, rows)
            rows = []
    if rows:
        yield _batch_from_rows(arrow, rows)


def _repair_hint(record: list[str], dialect: Dialect) -> str:
    if dialect.first[0].startswith("#"):
        return (
            f"The first line begins with {dialect.first[0][:20]!r}: if it is a comment, remove it and all "
            "others. The first line must hold the names of the columns."
        )
    if any("\n" in cell for cell in record):
        return "One of its cells spans several lines: is a quote not closed?"
    return "Correct that row; cells that contain the separator need quotes."


def _batch_from_rows(arrow: Any, rows: list[list[str]]) -> Any:
    columns = [arrow.array(cells, arrow.string()) for cells in zip(*rows, strict=True)]
    return arrow.RecordBatch.from_arrays(columns, [str(k) for k in range(len(columns))])


def _read_records(path: Path, dialect: Dialect) -> Iterator[list[str]]:
    with path.open(encoding=dialect.encoding, errors=dialect.errors, newline="") as file:
        yield from parse_csv_rows(file, dialect.separator)
