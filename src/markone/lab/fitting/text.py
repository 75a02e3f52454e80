"""CSV and its relatives: encoding, separator, decimal comma and header are found out, and said."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from pathlib import Path

from markone.lab.fitting.raw import BadTable, Raw, is_missing, short, too_many

SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars", " ": "blanks"}
COMMA_NUMBER = re.compile(r"[+-]?\d*,\d+([eE][+-]?\d+)?")
POINT_NUMBER = re.compile(r"[+-]?\d*\.\d+([eE][+-]?\d+)?")
LOOKED_AT = 200
# A forgotten quote swallows the rest of the file: longer cells than this are no table.
csv.field_size_limit(10_000_000)


def read(path: Path, header: bool = True, most: int | None = None) -> Raw:
    notes: list[str] = []
    content = decoded(path, notes)
    lines = content.count("\n") - header
    # Lines may lie inside quotes, so only a file far beyond the limit is refused before it is parsed.
    if most is not None and lines > 2 * most:
        raise too_many(path.name, lines, most)
    separator = separator_of(content, path)
    records = parsed(content, separator, path.name)
    if separator != ",":
        notes.append(f"The columns are separated by {SEPARATORS[separator]}.")
    names = header_names(records, header, path.name, notes)
    body = records[1:] if header else records
    same_length(body, names, path.name)
    columns = {name: [record[k] for record in body] for k, name in enumerate(names)}
    decimal = decimal_of(columns, separator, notes)
    return Raw(path.name, columns, notes, decimal=decimal)


def decoded(path: Path, notes: list[str]) -> str:
    data = path.read_bytes()
    if not data.strip():
        raise BadTable(f"{path.name} is empty.")
    if data[:2] == b"PK" or data[:4] == b"\xd0\xcf\x11\xe0":
        raise BadTable(f"{path.name} looks like a spreadsheet or an archive. Save the sheet as CSV first.")
    if data.lstrip()[:9].lower().startswith((b"<!doctype", b"<html")):
        raise BadTable(f"{path.name} is a web page, not a table. Save the data themselves as CSV.")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16")
    if b"\0" in data[:10_000]:
        raise BadTable(f"{path.name} is not a table of text. Give a CSV, TSV or Parquet file.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        notes.append("The file is not UTF-8; it was read as Windows-1252.")
        return data.decode("cp1252", errors="replace")


def separator_of(content: str, path: Path) -> str:
    """The separator that cuts most rows into the same number of fields, at least two."""
    found = {s: regularity(content, s) for s in SEPARATORS}
    if path.suffix.lower() == ".tsv" and found["\t"][1] > 1:
        return "\t"
    best = max(found, key=lambda s: (found[s][1] > 1, s != " ", *found[s]))
    if found[best][1] < 2:
        raise BadTable(
            f"{path.name} has a single column: no comma, semicolon, tab or bar separates anything. "
            "A table needs a target and at least one other column."
        )
    return best


def regularity(content: str, separator: str) -> tuple[float, int]:
    """The share of the first rows that have as many fields as most, and how many those are."""
    records = rows_of(content[:100_000], separator)
    # The last one may be cut in the middle.
    records = records[:LOOKED_AT] if len(content) <= 100_000 else records[:-1][:LOOKED_AT]
    counts = Counter(len(record) for record in records)
    most, times = counts.most_common(1)[0] if counts else (1, 0)
    return times / max(len(records), 1), most


def rows_of(content: str, separator: str) -> list[list[str]]:
    """Records without the empty ones, cells without blanks round them."""
    try:
        records = csv.reader(io.StringIO(content, newline=""), delimiter=separator, skipinitialspace=True)
        cells = [[cell.strip() for cell in record] for record in records]
    except csv.Error as error:
        raise BadTable(f"The file cannot be read as a table: {error}.") from None
    if separator == " ":
        cells = [[cell for cell in record if cell] for record in cells]
    return [record for record in cells if any(record)]


def parsed(content: str, separator: str, source: str) -> list[list[str]]:
    records = rows_of(content, separator)
    if not records:
        raise BadTable(f"{source} is empty.")
    return records


def header_names(records: list[list[str]], header: bool, source: str, notes: list[str]) -> list[str]:
    first = records[0]
    if not header:
        notes.append(f"The columns were named c1 to c{len(first)}.")
        return [f"c{k + 1}" for k in range(len(first))]
    if all(is_number(cell) for cell in first):
        raise BadTable(
            f"The first line of {source} holds only numbers ({short(first, 4)}): it is no header. "
            "Write the names of the columns above it, or use --no-header."
        )
    return distinct(first, notes)


def distinct(names: list[str], notes: list[str]) -> list[str]:
    """No two columns of the same name, none without."""
    result: list[str] = []
    for k, name in enumerate(names):
        new = name or f"column {k + 1}"
        count = 2
        while new in result:
            new, count = f"{name} ({count})", count + 1
        if not name:
            notes.append(f"Column {k + 1} has no name; it is called {new!r} here.")
        elif new != name:
            notes.append(
                f"The name {name!r} stands twice in the header; column {k + 1} is called {new!r} here."
            )
        result.append(new)
    return result


def is_number(text: str) -> bool:
    try:
        float(text.replace(",", "."))
    except ValueError:
        return False
    return not is_missing(text)


def same_length(body: list[list[str]], names: list[str], source: str) -> None:
    for k, record in enumerate(body):
        if len(record) != len(names):
            raise BadTable(
                f"Row {k + 1} of {source} has {len(record)} cells, but the header has {len(names)}: "
                f"{short(record, 5)}. Mend that row; cells that contain the separator need quotes."
            )


def decimal_of(columns: dict[str, list[str]], separator: str, notes: list[str]) -> str:
    """A comma, if numbers are written with one and none with a point."""
    if separator == ",":
        return "."
    cells = [cell for column in columns.values() for cell in column[:LOOKED_AT]]
    commas = sum(COMMA_NUMBER.fullmatch(cell) is not None for cell in cells)
    points = sum(POINT_NUMBER.fullmatch(cell) is not None for cell in cells)
    if commas <= points:
        return "."
    notes.append("Numbers are written with a decimal comma.")
    return ","
