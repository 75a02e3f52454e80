"""A text file in blocks of whole rows, as UTF-8 bytes: each can be parsed by itself.

pyarrow has a reader that does this too, but one that is left before its end (a row is wrong, or nobody wants
more) may keep the process from ending (seen with pyarrow 26: its background reading waits for itself).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from markone.data.reading.dialect import Dialect
from markone.numerics.arrays import Array

# Bytes that are parsed at a time: large enough for speed, small beside the table.
SIZE = 2**22
# A row that is longer than so many of them is hardly one: some quote is not closed.
MOST_SIZES = 8
QUOTE, NEWLINE = ord('"'), ord("\n")
RUNS, ENDS = re.compile(rb" +"), re.compile(rb"^ | (?=\r?$)", re.MULTILINE)


class Irregular(ValueError):
    """Only a parser that goes cell by cell can tell what is meant here."""


def blocks(path: Path, dialect: Dialect) -> Iterator[bytes]:
    rest = b""
    for piece in pieces(path, dialect):
        rest += piece
        cut = end_of_rows(rest, dialect.separator)
        if cut:
            yield regular(rest[:cut], dialect)
        elif len(rest) > MOST_SIZES * SIZE:
            raise Irregular
        rest = rest[cut:]
    if rest:
        if end_of_rows(rest + b"\n", dialect.separator) <= len(rest):
            raise Irregular  # a quote is never closed
        yield regular(rest, dialect)


def pieces(path: Path, dialect: Dialect) -> Iterator[bytes]:
    """Bytes as they come, in UTF-8 without a byte order mark."""
    if dialect.encoding == "utf-8-sig":
        with path.open("rb") as file:
            yield file.read(SIZE).removeprefix(codecs.BOM_UTF8)
            yield from from_calls(lambda: file.read(SIZE))
    else:
        with path.open(encoding=dialect.encoding, errors=dialect.errors, newline="") as text:
            yield from from_calls(lambda: text.read(SIZE).encode())


def from_calls(read: Callable[[], bytes]) -> Iterator[bytes]:
    while piece := read():
        yield piece


def end_of_rows(data: bytes, separator: str) -> int:
    """The number of bytes that are whole rows: up to the last end of a line that is in no quotes."""
    if b'"' not in data:
        return max(data.rfind(b"\n"), data.rfind(b"\r") if b"\n" not in data else -1) + 1
    letters = np.frombuffer(data, np.uint8)
    quotes, lines = np.flatnonzero(letters == QUOTE), np.flatnonzero(letters == NEWLINE)
    outside = lines[np.searchsorted(quotes, lines) % 2 == 0]
    if not len(outside):
        return 0
    check_quotes(letters, quotes[quotes < outside[-1]], separator)
    return int(outside[-1]) + 1


def check_quotes(letters: Array, quotes: Array, separator: str) -> None:
    """Every other quote must begin a cell and the next one end it; two in a row stand for one inside.

    Then, and only then, a line ends outside quotes if an even number of them stands before it.
    """
    edges = np.frombuffer(f'{separator}\r\n"'.encode(), np.uint8)
    begin, end = quotes[0::2], quotes[1::2]
    before, after = letters[begin[begin > 0] - 1], letters[end + 1]
    if not (np.isin(before, edges).all() and np.isin(after, edges).all()):
        raise Irregular


def regular(rows: bytes, dialect: Dialect) -> bytes:
    """Of columns parted by any number of blanks: parted by one, and no line begins or ends with any."""
    if dialect.separator != " ":
        return rows
    if b'"' in rows:
        raise Irregular
    return ENDS.sub(b"", RUNS.sub(b" ", rows))
