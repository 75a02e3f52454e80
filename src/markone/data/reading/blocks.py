"""A text file in blocks of complete rows, as UTF-8 bytes that can be parsed independently.

pyarrow's own incremental reader may keep the process from ending if it is not read to its end (a deadlock of
its background thread, seen with pyarrow 26).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from markone.data.reading.dialect import Dialect
from markone.numerics.arrays import Array

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
