"""Loading of data sets by name and of tables by path."""

from os import PathLike
from pathlib import Path

from markone.data import builtin_datasets, files, semeion
from markone.data.table import Table
from markone.numerics.text import suggestion_text


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
    name = builtin_datasets.canonical_name(text)
    if name and target is not None:
        raise ValueError(f"{name} has a target of its own: leave out target={target!r}.")
    if name:
        return builtin_datasets.read_builtin(name, folder)
    if path.name == semeion.FILE and path.is_file():
        return semeion.read_semeion(path)
    if not path.exists() and path.suffix.lower() not in files.SUFFIXES:
        hint = suggestion_text(text, builtin_datasets.DATASET_NAMES)
        raise ValueError(
            f"There is no set {text!r} and no file of that name.{hint} The sets are "
            f"{', '.join(builtin_datasets.DATASET_NAMES)}; files end in {', '.join(files.SUFFIXES)}."
        )
    return files.read_labelled_file(path, target)
