"""One way to data: the real sets by name, a person's own table by its path."""

from os import PathLike
from pathlib import Path

from markone.data import builtin_datasets, files, semeion
from markone.data.table import Table
from markone.numerics.text import did_you_mean


def load(
    name_or_path: str | PathLike[str], *, target: str | None = None, folder: str | PathLike[str] | None = None
) -> Table:
    """The set called iris, wine, breast_cancer, digits or semeion, or the CSV or Parquet file at a path.

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
        Inputs, labels, names, and notes of what was found.

    Examples
    --------
    >>> from markone.data import load
    >>> wine = load("wine")
    >>> wine.X.shape, wine.feature_names[:2]
    ((178, 13), ['alcohol', 'malic_acid'])
    """
    text, path = str(name_or_path), Path(name_or_path)
    name = builtin_datasets.known_name(text)
    if name and target is not None:
        raise ValueError(f"{name} knows its own target: leave out target={target!r}.")
    if name:
        return builtin_datasets.read(name, folder)
    if path.name == semeion.FILE and path.is_file():
        return semeion.read(path)
    if not path.exists() and path.suffix.lower() not in files.SUFFIXES:
        hint = did_you_mean(text, builtin_datasets.NAMES)
        raise ValueError(
            f"There is no set {text!r} and no file of that name.{hint} The sets are "
            f"{', '.join(builtin_datasets.NAMES)}; files end in {', '.join(files.SUFFIXES)}."
        )
    return files.read(path, target)
