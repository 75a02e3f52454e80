"""Loading of data sets by name and of tables by path."""

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import NamedTuple

from markone.data import semeion
from markone.data.reading import arrow, cell_table
from markone.data.table import Table, TableBuilder
from markone.errors import BadTable
from markone.numerics.text import shorten_list, suggestion_text

SUFFIXES = [".csv", ".tsv", ".txt", *arrow.SUFFIXES]
# Largest number of rows that are read at once: `chunks` streams more.
MOST_ROWS = 1_000_000


def _read_labelled_file(path: Path, target: str | None) -> Table:
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


class SklearnDataset(NamedTuple):
    """A data set of sklearn.datasets: its loading function and its reference."""

    function: str
    source: str


SKLEARN_DATASETS = {
    "iris": SklearnDataset("load_iris", "R. A. Fisher (1936); scikit-learn's copy"),
    "wine": SklearnDataset(
        "load_wine", "S. Aeberhard and M. Forina, UCI Machine Learning Repository; scikit-learn's copy"
    ),
    "breast_cancer": SklearnDataset(
        "load_breast_cancer",
        "W. Wolberg, W. N. Street, O. Mangasarian, UCI Machine Learning Repository; scikit-learn's copy",
    ),
    "digits": SklearnDataset(
        "load_digits", "E. Alpaydin and C. Kaynak, UCI Machine Learning Repository; scikit-learn's copy"
    ),
}
DATASET_NAMES = [*SKLEARN_DATASETS, "semeion"]


def canonical_name(text: str) -> str | None:
    """The name of the set in canonical spelling (Breast-Cancer is breast_cancer), or None."""
    name = text.lower().replace("-", "_")
    return name if name in DATASET_NAMES else None


def read_builtin(name: str, folder: str | PathLike[str] | None = None) -> Table:
    if name == "semeion":
        return semeion.read_semeion(folder)
    if folder is not None:
        raise ValueError(f"{name} comes with scikit-learn: leave out folder={str(folder)!r}.")
    from sklearn import datasets

    bunch = getattr(datasets, SKLEARN_DATASETS[name].function)()
    classes = [str(label) for label in bunch.target_names]
    features = [str(feature) for feature in bunch.feature_names]
    return Table(name, bunch.data, bunch.target, features, classes, SKLEARN_DATASETS[name].source)


def load(
    name_or_path: str | PathLike[str], *, target: str | None = None, folder: str | PathLike[str] | None = None
) -> Table:
    """Load the set iris, wine, breast_cancer, digits or semeion, or the CSV or Parquet file at a path.

    Parameters
    ----------
    name_or_path : str or path
        The name of a set, or the file.
    target : str or None, default=None
        The column to be predicted, for a file.
    folder : str, path or None, default=None
        Where semeion.data is (a folder or the file; else the environment's MARKONE_DATA); "openml" fetches
        semeion from openml.org by scikit-learn.

    Returns
    -------
    Table
        Inputs, labels, names, and notes about the data.

    Examples
    --------
    >>> from markone.data import load
    >>> wine = load("wine")
    >>> wine.X.shape, wine.feature_names[:2]
    ((178, 13), ['alcohol', 'malic_acid'])
    """
    text, path = str(name_or_path), Path(name_or_path)
    name = canonical_name(text)
    if name and target is not None:
        raise ValueError(f"{name} has a target of its own: leave out target={target!r}.")
    if name:
        return read_builtin(name, folder)
    if path.name == semeion.FILE and path.is_file():
        return semeion.read_semeion(path)
    if not path.exists() and path.suffix.lower() not in SUFFIXES:
        hint = suggestion_text(text, DATASET_NAMES)
        raise ValueError(
            f"There is no set {text!r} and no file of that name.{hint} The sets are "
            f"{', '.join(DATASET_NAMES)}; files end in {', '.join(SUFFIXES)}."
        )
    return _read_labelled_file(path, target)
