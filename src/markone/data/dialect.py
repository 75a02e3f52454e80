"""How a text file writes its table: encoding, separator, decimal mark, and what stands for a missing value.

One definition for two readers. `load` and `chunks` let pandas parse, in pieces if need be, into numbers;
`markone fit` keeps every cell as the text it was, since it must quote the offending row and decide each
column by what was written ("007", "yes", "12 kg"). Both ask here what file they have before them.
"""

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

# What people write where nothing is known; compared in lower case.
MISSING = {"", "na", "n/a", "nan", "null", "none", "?", "#n/a", "<na>"}
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars", " ": "blanks"}
COMMA_NUMBER = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?")
POINT_NUMBER = re.compile(r"[+-]?\d*\.\d+([eE][+-]?\d+)?")
# So many characters are looked at, more if that is less than so many lines.
CHARACTERS, LINES, LOOKED_AT = 100_000, 5, 200
BLOCK = 2**20
# A forgotten quote swallows the rest of the file: longer cells than this are no table.
csv.field_size_limit(10_000_000)


class BadTable(ValueError):
    """The table, or what was asked of it, is wrong: one sentence what, one what to do."""


@dataclass(frozen=True)
class Dialect:
    """What was found out; `first` are the cells of the first line, `notes` what is worth saying."""

    encoding: str
    separator: str
    decimal: str
    first: list[str]
    notes: list[str] = field(default_factory=list)

    @property
    def errors(self) -> str:
        """Windows-1252 leaves a few bytes undefined; the other encodings were tried on the whole file."""
        return "replace" if self.encoding == "cp1252" else "strict"


def dialect(path: Path) -> Dialect:
    notes: list[str] = []
    encoding = encoding_of(path)
    if encoding == "cp1252":
        notes.append("The file is not UTF-8; it was read as Windows-1252.")
    beginning = first_lines(path, encoding)
    separator = separator_of(beginning, path)
    if separator != ",":
        notes.append(f"The columns are separated by {SEPARATORS[separator]}.")
    records = records_of(beginning, separator)
    decimal = decimal_of(records[: LOOKED_AT + 1], separator)
    if decimal == ",":
        notes.append("Numbers are written with a decimal comma.")
    return Dialect(encoding, separator, decimal, records[0], notes)


def encoding_of(path: Path) -> str:
    with path.open("rb") as file:
        start = file.read(10_000)
        refuse_other_files(start, path.name)
        if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
            return "utf-16"
        if b"\0" in start:
            raise BadTable(f"{path.name} is not a table of text. Give a CSV, TSV or Parquet file.")
        decoder = codecs.getincrementaldecoder("utf-8")()
        try:
            decoder.decode(start)
            while block := file.read(BLOCK):
                decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return "cp1252"
    return "utf-8-sig"


def refuse_other_files(start: bytes, source: str) -> None:
    if not start.strip():
        raise BadTable(f"{source} is empty: its first line must hold the names of the columns.")
    if start[:2] == b"PK" or start[:4] == b"\xd0\xcf\x11\xe0":
        raise BadTable(f"{source} looks like a spreadsheet or an archive. Save the sheet as CSV first.")
    if start.lstrip()[:9].lower().startswith((b"<!doctype", b"<html")):
        raise BadTable(f"{source} is a web page, not a table. Save the data themselves as CSV.")


def first_lines(path: Path, encoding: str) -> str:
    """Whole lines, five at least: a table of 100 000 columns has a long header."""
    lines: list[str] = []
    size = 0
    with path.open(encoding=encoding, errors="replace", newline="") as file:
        for line in file:
            lines.append(line)
            size += len(line)
            if size > CHARACTERS and len(lines) >= LINES:
                break
    return "".join(lines)


def separator_of(beginning: str, path: Path) -> str:
    """The separator that cuts most rows into the same number of fields, at least two."""
    found = {s: regularity(beginning, s) for s in SEPARATORS}
    if path.suffix.lower() == ".tsv" and found["\t"][1] > 1:
        return "\t"
    # A decimal comma cuts rows too, but not the header; blanks come last, since texts have them as well.
    best = max(found, key=lambda s: (found[s][1] > 1, found[s][2], s != " ", *found[s]))
    if found[best][1] < 2:
        raise BadTable(
            f"{path.name} has a single column: no comma, semicolon, tab or bar separates anything. "
            "A table needs a target and at least one other column."
        )
    return best


def regularity(beginning: str, separator: str) -> tuple[float, int, bool]:
    """The share of the first rows that have as many fields as most, how many those are, and whether the
    very first row is one of them."""
    records = rows_of(beginning, separator)[:LOOKED_AT]
    counts = Counter(len(record) for record in records)
    most, times = counts.most_common(1)[0] if counts else (1, 0)
    return times / max(len(records), 1), most, bool(records) and len(records[0]) == most


def rows_of(content: str, separator: str) -> list[list[str]]:
    """The records in which something is written."""
    return [record for record in records_of(content, separator) if any(record)]


def records_of(content: str, separator: str) -> list[list[str]]:
    """Cells without blanks round them, of all lines that are not blank."""
    try:
        records = csv.reader(io.StringIO(content, newline=""), delimiter=separator, skipinitialspace=True)
        cells = [[cell.strip() for cell in record] for record in records]
    except csv.Error as error:
        raise BadTable(f"The file cannot be read as a table: {error}.") from None
    if separator == " ":
        cells = [[cell for cell in record if cell] for record in cells]
    return [record for record in cells if record and record != [""]]


def decimal_of(records: Sequence[Sequence[str]], separator: str) -> str:
    """A comma, if more numbers are written with one than with a point.

    Between commas it must be quoted, and "1,234" alone may as well be one thousand: then it is a point.
    """
    cells = [cell for record in records for cell in record]
    commas = [cell for cell in cells if COMMA_NUMBER.fullmatch(cell)]
    points = sum(POINT_NUMBER.fullmatch(cell) is not None for cell in cells)
    thousands = separator == "," and all(len(cell.partition(",")[2]) == 3 for cell in commas)
    return "," if len(commas) > points and not thousands else "."


def is_missing(text: str) -> bool:
    return text.lower() in MISSING


def spellings() -> list[str]:
    """All ways to write a missing value, for a parser that compares letter by letter."""
    return sorted({"".join(s) for word in MISSING for s in product(*((c, c.upper()) for c in word))})
