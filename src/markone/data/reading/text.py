"""CSV and its relatives as batches of texts: by pyarrow, and by hand where pyarrow cannot go on."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from markone.data.reading.arrow import pyarrow
from markone.data.reading.dialect import Dialect
from markone.errors import BadTable
from markone.numerics.text import shortened

# Bytes that are parsed at a time; a row must fit in.
BLOCK = 2**22
ROWS_BY_HAND = 10_000
RUNS, ENDS = re.compile(rb" +"), re.compile(rb"^ | (?=\r?$)", re.MULTILINE)


def batches(path: Path, dialect: Dialect, header: bool, only: list[int] | None = None) -> Iterator[Any]:
    """Record batches of text columns (all, or `only` these places), without the header and empty rows.

    Where pyarrow meets something it does not take (a row of another length, blanks before a quote, an
    unfinished quote, an enormous row), the parsing goes on by hand from that row, and either knows what to
    do or says what is wrong with which row.
    """
    arrow, done = pyarrow(), 0
    by_hand = dialect.scan.odd_quotes or (dialect.separator == " " and dialect.scan.quotes)
    try:
        if not by_hand:
            for batch in by_pyarrow(path, dialect, header, only):
                yield batch
                done += len(batch)
            return
    except (arrow.ArrowInvalid, UnicodeDecodeError):
        pass
    yield from careful(path, dialect, header, only, done)


def by_pyarrow(path: Path, dialect: Dialect, header: bool, only: list[int] | None) -> Iterator[Any]:
    to_skip = int(header)
    with opened(path, dialect) as stream, parser(stream, dialect) as reader:
        for batch in reader:
            # Rows must be whole to see whether they are empty: all columns are parsed even if few are wanted.
            batch = without_empty_rows(batch)
            kept = batch.slice(to_skip)
            to_skip -= len(batch) - len(kept)
            if len(kept):
                yield kept if only is None else kept.select(only)


def parser(stream: Any, dialect: Dialect) -> Any:
    """Every cell a text; a row that has not as many as the first is an error, unless it is empty."""
    pa_csv, quotes = pyarrow().csv, dialect.scan.quotes
    names = [str(k) for k in range(len(dialect.first))]
    return pa_csv.open_csv(
        stream,
        read_options=pa_csv.ReadOptions(block_size=BLOCK, column_names=names),
        parse_options=pa_csv.ParseOptions(
            delimiter=dialect.separator,
            quote_char='"' if quotes else False,
            newlines_in_values=quotes,
            invalid_row_handler=lambda row: "skip" if nothing(row.text, dialect.separator) else "error",
        ),
        convert_options=pa_csv.ConvertOptions(
            check_utf8=False,
            column_types=dict.fromkeys(names, pyarrow().string()),
            strings_can_be_null=False,
        ),
    )


def opened(path: Path, dialect: Dialect) -> Any:
    arrow = pyarrow()
    if dialect.encoding != "utf-8-sig":
        return arrow.transcoding_input_stream(arrow.OSFile(str(path)), dialect.encoding, "utf-8")
    if dialect.separator == " ":
        return arrow.PythonFile(SingleBlanks(path.open("rb")), mode="r")
    return arrow.OSFile(str(path))


class SingleBlanks:
    """A file in which runs of blanks are one blank, and no line begins or ends with any."""

    def __init__(self, file: BinaryIO) -> None:
        self.file, self.ready = file, b""

    closed = property(lambda self: self.file.closed)

    def close(self) -> None:
        self.file.close()

    def read(self, size: int) -> bytes:
        while len(self.ready) < size:
            block = self.file.read(BLOCK)
            if not block:
                break
            self.ready += ENDS.sub(b"", RUNS.sub(b" ", block + self.file.readline()))
        found, self.ready = self.ready[:size], self.ready[size:]
        return found


def nothing(text: str, separator: str) -> bool:
    """Nothing is written in this line but separators."""
    return not text.replace(separator, "").replace('"', "").strip()


def without_empty_rows(batch: Any) -> Any:
    compute = pyarrow().compute
    empty = None
    for cells in batch.columns:
        here = compute.equal(compute.utf8_trim_whitespace(cells), "")
        empty = here if empty is None else compute.and_(empty, here)
        if not compute.any(empty).as_py():
            return batch
    return batch.filter(compute.invert(empty))


def careful(path: Path, dialect: Dialect, header: bool, only: list[int] | None, done: int) -> Iterator[Any]:
    """By Python's own parser, row by row, from the one after the first `done`."""
    arrow, rows = pyarrow(), []
    for k, record in enumerate(records(path, dialect)):
        if k < header:
            continue
        if len(record) != len(dialect.first):
            raise BadTable(
                f"Row {k + 1 - header} of {path.name} has {len(record)} cells, but the header has "
                f"{len(dialect.first)}: {shortened(record, 5)}. Mend that row; cells that contain the "
                "separator need quotes."
            )
        if k - header >= done:
            rows.append(record if only is None else [record[j] for j in only])
        if len(rows) == ROWS_BY_HAND:
            yield of_rows(arrow, rows)
            rows = []
    if rows:
        yield of_rows(arrow, rows)


def of_rows(arrow: Any, rows: list[list[str]]) -> Any:
    columns = [arrow.array(cells, arrow.string()) for cells in zip(*rows, strict=True)]
    return arrow.RecordBatch.from_arrays(columns, [str(k) for k in range(len(columns))])


def records(path: Path, dialect: Dialect) -> Iterator[list[str]]:
    """The cells of each row in which something is written, without blanks round them."""
    with path.open(encoding=dialect.encoding, errors=dialect.errors, newline="") as file:
        parser = csv.reader(file, delimiter=dialect.separator, skipinitialspace=True)
        try:
            for record in parser:
                cells = [cell.strip() for cell in record]
                if any(cells):
                    yield [cell for cell in cells if cell] if dialect.separator == " " else cells
        except csv.Error as error:
            raise BadTable(f"The file cannot be read as a table: {error}.") from None
