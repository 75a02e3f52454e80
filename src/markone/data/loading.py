"""Loading of data sets by name and of tables by path."""

from os import PathLike
from pathlib import Path
from typing import NamedTuple

from markone.data import files, semeion
from markone.data.table import Table
from markone.numerics.text import suggestion_text


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
    if not path.exists() and path.suffix.lower() not in files.SUFFIXES:
        hint = suggestion_text(text, DATASET_NAMES)
        raise ValueError(
            f"There is no set {text!r} and no file of that name.{hint} The sets are "
            f"{', '.join(DATASET_NAMES)}; files end in {', '.join(files.SUFFIXES)}."
        )
    return files.read_labelled_file(path, target)
