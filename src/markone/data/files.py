"""A person's own table, CSV or Parquet: read as it is, and told what is in it."""

from collections.abc import Iterator
from os import PathLike
from pathlib import Path

from markone.data.columns import Reader
from markone.data.formats import PARQUET, count_rows, first_line, frames
from markone.data.names import check_names, nearest
from markone.data.table import Table

SUFFIXES = [".csv", ".tsv", ".txt", *PARQUET]
# More rows than this are refused in one piece: `chunks` streams them.
MOST_ROWS = 1_000_000


def read(path: Path, target: str | None) -> Table:
    """The whole file as one table."""
    _check_file(path)
    names, notes = first_line(path)
    check_names(path, names)
    aim = _target(path, names, target)
    rows = count_rows(path)
    if rows == 0:
        raise ValueError(
            f"{path} holds the names of {len(names)} columns but no rows: there is no data in it."
        )
    if rows > MOST_ROWS:
        raise ValueError(
            f"{path} has {rows:,} rows, more than {MOST_ROWS:,}. Stream it with markone.data.chunks(path, "
            "target, rows) into students that have partial_fit, or take a sample of its rows."
        )
    return Reader(path, aim, said=notes).whole(next(frames(path, None)))


def chunks(path: str | PathLike[str], target: str, rows: int = 100_000) -> Iterator[Table]:
    """The file in pieces of `rows` rows, each a Table, for `partial_fit`; never all in memory.

    The first piece tells number columns from text. What needs the whole file (constant columns, how many
    classes there are) is not judged.
    """
    place = Path(path)
    _check_file(place)
    if rows < 1:
        raise ValueError(f"rows = {rows} in a piece: ask for 1 or more.")
    names, notes = first_line(place)
    check_names(place, names)
    reader = Reader(place, _target(place, names, target), said=notes)
    return (reader.piece(frame) for frame in frames(place, rows))


def _check_file(path: Path) -> None:
    if not path.is_file():
        raise FileNotFoundError(f"There is no file {path}.")
    if path.suffix.lower() not in SUFFIXES:
        raise ValueError(
            f"{path} ends in {path.suffix!r}: files that can be read end in {', '.join(SUFFIXES)}."
        )
    if path.stat().st_size == 0:
        raise ValueError(f"{path} is empty: its first line must hold the names of the columns.")


def _target(path: Path, names: list[str], target: str | None) -> str:
    shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    if target is None:
        raise ValueError(f"Say which column of {path} is to be predicted: target=... It has {shown}.")
    if target not in names:
        raise ValueError(f"{path} has no column {target!r}.{nearest(target, names)} It has {shown}.")
    if len(names) == 1:
        raise ValueError(f"{path} has the target {target!r} and no other column: nothing to learn from.")
    return target
