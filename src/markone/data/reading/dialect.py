"""Detection of the format of a text file: encoding, quotes, separator, decimal mark."""

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from markone.data.reading.columns import is_missing, parse_number
from markone.errors import BadTable
from markone.numerics.text import shorten_list

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars", " ": "blanks"}
COMMA_NUMBER = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?")
POINT_NUMBER = re.compile(r"[+-]?\d*\.\d+([eE][+-]?\d+)?")
BYTE_ORDER_MARKS = (b"\xff\xfe", b"\xfe\xff")
# Characters and lines that are inspected, at least; and rows at most.
CHARACTERS, LINES, LOOKED_AT = 100_000, 5, 200
BLOCK = 2**20
# An unclosed quote would make one cell of the rest of the file: longer cells are refused.
csv.field_size_limit(10_000_000)


@dataclass(frozen=True)
class Dialect:
    """The detected format; `first` are the cells of the first row, `notes` messages for the user.

    `lines` is an upper bound of the number of rows.
    """

    encoding: str
    lines: int
    separator: str
    decimal: str
    first: list[str]
    notes: list[str] = field(default_factory=list)
    # Indices of the columns whose numbers have leading zeros.
    padded: tuple[int, ...] = ()

    @property
    def errors(self) -> str:
        """Error handling of the decoder: Windows-1252 leaves some bytes undefined, others were verified."""
        return "replace" if self.encoding == "cp1252" else "strict"


def detect_dialect(path: Path) -> Dialect:
    notes: list[str] = []
    encoding, lines = _scan_file(path)
    if encoding == "cp1252":
        notes.append("The file is not UTF-8; it was read as Windows-1252.")
    beginning = _first_lines(path, encoding)
    separator = _detect_separator(beginning, path)
    if separator != ",":
        notes.append(f"The columns are separated by {SEPARATORS[separator]}.")
    records = _parse_first_rows(beginning, separator)
    decimal = _detect_decimal(records, separator)
    if decimal == ",":
        notes.append("Numbers are written with a decimal comma.")
    padded = _detect_padded_columns(records)
    return Dialect(encoding, lines, separator, decimal, records[0], notes, padded)


def _scan_file(path: Path) -> tuple[str, int]:
    """Find encoding and number of lines, in blocks: the file may be larger than the memory."""
    encoding, lines, last = "utf-8-sig", 0, b"\n"
    decoder = codecs.getincrementaldecoder("utf-8")()
    with path.open("rb") as file:
        start = file.read(10_000)
        _refuse_other_files(start, path.name)
        if start[:2] in BYTE_ORDER_MARKS:
            encoding = "utf-16"
        elif b"\0" in start:
            raise BadTable(f"{path.name} is not a table of text. Give a CSV, TSV or Parquet file.")
        file.seek(0)
        while block := file.read(BLOCK):
            if encoding == "utf-8-sig" and not _can_decode(decoder, block):
                encoding = "cp1252"
            lines += block.count(b"\n")
            if b"\r" in block:
                lines += block.count(b"\r") - block.count(b"\r\n")
            last = block[-1:]
    lines += last not in (b"\n", b"\r")
    if encoding == "utf-8-sig" and not _can_decode(decoder, b"", final=True):
        encoding = "cp1252"
    return encoding, lines


def _can_decode(decoder: codecs.IncrementalDecoder, block: bytes, final: bool = False) -> bool:
    if block.isascii() and not decoder.getstate()[0] and not final:
        return True
    try:
        decoder.decode(block, final)
    except UnicodeDecodeError:
        return False
    return True


def _refuse_other_files(start: bytes, source: str) -> None:
    if not start.strip():
        raise BadTable(f"{source} is empty: its first line must hold the names of the columns.")
    if start[:2] == b"PK" or start[:4] == b"\xd0\xcf\x11\xe0":
        raise BadTable(f"{source} looks like a spreadsheet or an archive. Save the sheet as CSV first.")
    if start.lstrip()[:9].lower().startswith((b"<!doctype", b"<html")):
        raise BadTable(f"{source} is a web page, not a table. Save the data themselves as CSV.")
    beginning = start.removeprefix(codecs.BOM_UTF8).lstrip()
    if beginning.startswith((b'{"', b"[{", b"[[")):
        raise BadTable(f"{source} looks like JSON, not like a table. Save its rows as CSV or Parquet.")
    if beginning[:4].lower() == b"sep=":
        raise BadTable(
            f"The first line of {source} is {beginning.splitlines()[0].decode(errors='replace')!r}, which "
            "Excel writes for its own use. Remove it: the first line must hold the names of the columns."
        )


def _first_lines(path: Path, encoding: str) -> str:
    """The first complete lines, at least five: a table of 100 000 columns has a long header."""
    lines: list[str] = []
    size = 0
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        for line in file:
            lines.append(line)
            size += len(line)
            if size > CHARACTERS and len(lines) >= LINES:
                break
    return "".join(lines)


def _detect_separator(beginning: str, path: Path) -> str:
    """The separator that splits most rows into the same number of fields, at least two."""
    found = {s: _separator_regularity(beginning, s) for s in SEPARATORS}
    if path.suffix.lower() == ".tsv" and found["\t"][1] > 1:
        return "\t"
    # A decimal comma splits rows too, but not the header; blanks come last, since texts contain them as well.
    best = max(found, key=lambda s: (found[s][1] > 1, found[s][2], s != " ", *found[s]))
    if found[best][1] < 2:
        raise BadTable(
            f"{path.name} has a single column: no comma, semicolon, tab or bar separates anything. "
            "A table needs a target and at least one other column."
        )
    return best


def _separator_regularity(beginning: str, separator: str) -> tuple[float, int, bool]:
    """Return the share of rows with the most common number of fields, this number, and whether the first row
    has it."""
    records = _parse_first_rows(beginning, separator)[:LOOKED_AT]
    counts = Counter(len(record) for record in records)
    most, times = counts.most_common(1)[0] if counts else (1, 0)
    return times / max(len(records), 1), most, bool(records) and len(records[0]) == most


def _parse_first_rows(beginning: str, separator: str) -> list[list[str]]:
    return list(islice(parse_csv_rows(io.StringIO(beginning, newline=""), separator), LOOKED_AT + 1))


def parse_csv_rows(lines: Iterable[str], separator: str) -> Iterator[list[str]]:
    """Yield the stripped cells of each row that is not empty."""
    try:
        for record in csv.reader(lines, delimiter=separator, skipinitialspace=True):
            cells = [cell.strip() for cell in record]
            if any(cells):
                yield [cell for cell in cells if cell] if separator == " " else cells
    except csv.Error as error:
        raise BadTable(f"The file cannot be read as a table: {error}.") from None


def _detect_padded_columns(records: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Indices of columns of integers some of which are written with leading zeros, as 007."""
    found = []
    for k, cells in enumerate(zip(*(r for r in records[1:] if len(r) == len(records[0])), strict=True)):
        given = [cell for cell in cells if cell]
        if all(cell.isdecimal() for cell in given) and any(len(c) > 1 and c[0] == "0" for c in given):
            found.append(k)
    return tuple(found)


def _detect_decimal(records: Sequence[Sequence[str]], separator: str) -> str:
    """Return a comma if more numbers are written with a decimal comma than with a point, else a point.

    If the separator is a comma, "1,234" in quotes is taken as one thousand.
    """
    cells = [cell for record in records for cell in record]
    commas = [cell for cell in cells if "," in cell and COMMA_NUMBER.fullmatch(cell)]
    points = sum("." in cell and POINT_NUMBER.fullmatch(cell) is not None for cell in cells)
    thousands = separator == "," and all(len(cell.partition(",")[2]) == 3 for cell in commas)
    return "," if len(commas) > points and not thousands else "."


def header_names(first: list[str], header: bool, source: str, notes: list[str]) -> list[str]:
    if not header:
        notes.append(f"The columns were named c1 to c{len(first)}.")
        return [f"c{k + 1}" for k in range(len(first))]
    if all(not is_missing(cell) and parse_number(cell, ",") == parse_number(cell, ",") for cell in first):
        raise BadTable(
            f"The first line of {source} holds only numbers ({shorten_list(first, 4)}): the file does not "
            "begin with a line of column names. Write the names of the columns above it, or let `markone "
            "fit` number them: use --no-header."
        )
    return make_names_distinct(first, notes)


def make_names_distinct(names: list[str], notes: list[str]) -> list[str]:
    """Make all names distinct and give a name to columns without one."""
    result: dict[str, None] = {}
    times: dict[str, int] = {}
    for k, name in enumerate(names):
        new = name or f"column {k + 1}"
        while new in result:
            times[name] = times.get(name, 1) + 1
            new = f"{name} ({times[name]})"
        if not name:
            notes.append(f"Column {k + 1} has no name; it is called {new!r} here.")
        elif new != name:
            notes.append(
                f"The name {name!r} stands twice in the header; column {k + 1} is called {new!r} here."
            )
        result[new] = None
    return list(result)
