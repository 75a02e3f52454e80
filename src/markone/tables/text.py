"""CSV and its relatives as texts; how the file is written is found by `markone.data.dialect`, and said."""

from __future__ import annotations

from pathlib import Path

from markone.data.dialect import BadTable, dialect, is_missing, rows_of
from markone.tables.source import Raw, short, too_many


def read(path: Path, header: bool = True, most: int | None = None) -> Raw:
    found = dialect(path)
    notes = list(found.notes)
    content = path.read_text(encoding=found.encoding, errors=found.errors)
    lines = content.count("\n") - header
    # Lines may lie inside quotes, so only a file far beyond the limit is refused before it is parsed.
    if most is not None and lines > 2 * most:
        raise too_many(path.name, lines, most)
    records = rows_of(content, found.separator)
    names = header_names(records, header, path.name, notes)
    body = records[1:] if header else records
    same_length(body, names, path.name)
    columns = {name: [record[k] for record in body] for k, name in enumerate(names)}
    return Raw(path.name, columns, notes, decimal=found.decimal)


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
