"""Tables from CSV, TSV or Parquet files, whole or in pieces."""

from collections.abc import Iterator
from os import PathLike
from pathlib import Path

from markone.data.reading import cell_table, parquet
from markone.data.table import Table
from markone.data.table_builder import TableBuilder
from markone.errors import BadTable
from markone.numerics.text import shorten_list, suggestion_text

SUFFIXES = [".csv", ".tsv", ".txt", *parquet.SUFFIXES]
# Largest number of rows that are read at once: `chunks` streams more.
MOST_ROWS = 1_000_000


def read_labelled_file(path: Path, target: str | None) -> Table:
    """Read the whole file as one table."""
    file = _open_table_file(path)
    aim = _check_target(file, target)
    # Quoted cells may contain line breaks, so only a file far beyond the limit is refused before parsing.
    if file.most_rows > 2 * MOST_ROWS:
        raise _too_many_rows(path, file.most_rows)
    cells = cell_table.read_cell_table(file, texts=())
    if len(cells) > MOST_ROWS:
        raise _too_many_rows(path, len(cells))
    return TableBuilder(path, aim, file.notes).whole(cells)


def chunks(path: str | PathLike[str], target: str, rows: int = 100_000) -> Iterator[Table]:
    r"""Read a file in pieces of `rows` rows, each a Table, for `partial_fit`; never all in memory.

    The first piece determines which columns hold numbers and which text. Checks that need the whole file
    (constant columns, number of classes) are not made.

    Parameters
    ----------
    path : str or path
        A CSV, TSV or Parquet file.
    target : str
        The column to be predicted.
    rows : int, default=100000
        Largest number of rows of a piece.

    Returns
    -------
    iterator of Table
        One piece after the other.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from markone.data import chunks
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "small.csv")
    ...     _ = path.write_text("a,b,kind\n1,2,x\n3,4,y\n5,6,x\n")
    ...     print([piece.X.shape for piece in chunks(path, "kind", rows=2)])
    [(2, 2), (1, 2)]
    """
    place = Path(path)
    if rows < 1:
        raise ValueError(f"rows = {rows} in a piece: it must be 1 or more.")
    file = _open_table_file(place)
    labeller = TableBuilder(place, _check_target(file, target), file.notes)
    return (labeller.build_piece(cells) for cells in cell_table.read_cell_pieces(file, rows))


def _open_table_file(path: Path) -> cell_table.TableFile:
    if not path.is_file():
        raise FileNotFoundError(f"There is no file {path}.")
    if path.suffix.lower() not in SUFFIXES:
        raise BadTable(
            f"{path} ends in {path.suffix!r}: files that can be read end in {', '.join(SUFFIXES)}."
        )
    return cell_table.TableFile(path)


def _too_many_rows(path: Path, rows: int) -> BadTable:
    return BadTable(
        f"{path} has {rows:,} rows, more than {MOST_ROWS:,}. Stream it with markone.data.chunks(path, "
        "target, rows) into students that have partial_fit, or take a sample of its rows."
    )


def _check_target(file: cell_table.TableFile, target: str | None) -> str:
    shown = shorten_list(file.names)
    if target is None:
        raise BadTable(f"Name the column of {file.path} to be predicted: target=... It has {shown}.")
    if target not in file.names:
        raise BadTable(
            f"{file.path} has no column {target!r}.{suggestion_text(target, file.names)} It has {shown}."
        )
    if f"{target} (2)" in file.names:
        raise BadTable(f"{file.path} has more than one column {target!r}: which of them is the target?")
    if len(file.names) == 1:
        raise BadTable(f"{file.path} has the target {target!r} and no other column: nothing to learn from.")
    return target
