"""CSV and similar files as batches of texts: by pyarrow, or by Python's parser if pyarrow fails."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from markone.data.reading.arrow import import_pyarrow
from markone.data.reading.dialect import Dialect, parse_csv_rows
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.numerics.text import format_count, shorten_list

# Bytes parsed at a time: large enough for speed, small compared with the table.
SIZE = 2**22
# A row longer than this many blocks means that a quote is not closed.
MOST_SIZES = 8
QUOTE, NEWLINE = ord('"'), ord("\n")
RUNS, ENDS = re.compile(rb" +"), re.compile(rb"^ | (?=\r?$)", re.MULTILINE)


class IrregularRows(ValueError):
    """The block needs the slow parser that reads cell by cell."""


def read_blocks(path: Path, dialect: Dialect) -> Iterator[bytes]:
    rest = b""
    for piece in _read_utf8_chunks(path, dialect):
        rest += piece
        cut = _end_of_last_row(rest, dialect.separator)
        if cut:
            yield _collapse_blanks(rest[:cut], dialect)
        elif len(rest) > MOST_SIZES * SIZE:
            raise IrregularRows
        rest = rest[cut:]
    if rest:
        if _end_of_last_row(rest + b"\n", dialect.separator) <= len(rest):
            raise IrregularRows  # a quote is never closed
        yield _collapse_blanks(rest, dialect)


def _read_utf8_chunks(path: Path, dialect: Dialect) -> Iterator[bytes]:
    """Successive chunks of the file, in UTF-8 without a byte order mark."""
    if dialect.encoding == "utf-8-sig":
        with path.open("rb") as file:
            yield file.read(SIZE).removeprefix(codecs.BOM_UTF8)
            yield from _read_until_empty(lambda: file.read(SIZE))
    else:
        with path.open(encoding=dialect.encoding, errors=dialect.errors, newline="") as text:
            yield from _read_until_empty(lambda: text.read(SIZE).encode())


def _read_until_empty(read: Callable[[], bytes]) -> Iterator[bytes]:
    while piece := read():
        yield piece


def _end_of_last_row(data: bytes, separator: str) -> int:
    """Number of bytes up to the last line break outside quotes: the complete rows."""
    if b'"' not in data:
        return max(data.rfind(b"\n"), data.rfind(b"\r") if b"\n" not in data else -1) + 1
    letters = np.frombuffer(data, np.uint8)
    quotes, lines = np.flatnonzero(letters == QUOTE), np.flatnonzero(letters == NEWLINE)
    outside = lines[np.searchsorted(quotes, lines) % 2 == 0]
    if not len(outside):
        return 0
    _check_quotes(letters, quotes[quotes < outside[-1]], separator)
    return int(outside[-1]) + 1


def _check_quotes(letters: Array, quotes: Array, separator: str) -> None:
    """Raise Irregular unless quotes open and close cells in turn; a doubled quote stands for one inside.

    Only then a line break is outside quotes if an even number of quotes precedes it.
    """
    edges = np.frombuffer(f'{separator}\r\n"'.encode(), np.uint8)
    begin, end = quotes[0::2], quotes[1::2]
    before, after = letters[begin[begin > 0] - 1], letters[end + 1]
    if not (np.isin(before, edges).all() and np.isin(after, edges).all()):
        raise IrregularRows


def _collapse_blanks(rows: bytes, dialect: Dialect) -> bytes:
    """Collapse runs of blanks between columns to one and strip each line, if blanks are the separator."""
    if dialect.separator != " ":
        return rows
    if b'"' in rows:
        raise IrregularRows
    return ENDS.sub(b"", RUNS.sub(b" ", rows))


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
            check_utf8=False, column_types=dict.fromkeys(names, arrow.string()), strings_can_be_null=False
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
    with path.open(encoding=dialect.encoding, errors=dialect.errors, newline="") as file:
        for k, record in enumerate(parse_csv_rows(file, dialect.separator)):
            if k < header:
                continue
            if len(record) != len(dialect.first):
                raise BadTable(
                    f"Row {k + 1 - header} of {path.name} has {format_count(len(record), 'cell')}, but the "
                    f"header has {len(dialect.first)}: {shorten_list(record, 5)}. "
                    f"{_repair_hint(record, dialect)}"
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
