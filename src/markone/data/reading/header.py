"""Names of the columns from the header, made distinct."""

from markone.data.reading.columns import is_missing, parse_number
from markone.errors import BadTable
from markone.numerics.text import shorten_list


def header_names(first: list[str], header: bool, source: str, notes: list[str]) -> list[str]:
    if not header:
        notes.append(f"The columns were named c1 to c{len(first)}.")
        return [f"c{k + 1}" for k in range(len(first))]
    if all(not is_missing(cell) and parse_number(cell, ",") == parse_number(cell, ",") for cell in first):
        raise BadTable(
            f"The first line of {source} holds only numbers ({shorten_list(first, 4)}): "
            "the file does not begin "
            "with a line of column names. Write the names of the columns above it, or let `markone fit` "
            "number them: use --no-header."
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
