"""One door to data: the real sets by name, a person's own table by its path."""

from difflib import get_close_matches
from os import PathLike
from pathlib import Path

from markone.data import semeion
from markone.data.files import SUFFIXES, read
from markone.data.table import Table

# Name, function of sklearn.datasets, and whom to cite.
OF_SKLEARN = {
    "iris": ("load_iris", "R. A. Fisher (1936); scikit-learn's copy"),
    "wine": ("load_wine", "S. Aeberhard and M. Forina, UCI Machine Learning Repository; scikit-learn's copy"),
    "breast_cancer": (
        "load_breast_cancer",
        "W. Wolberg, W. N. Street, O. Mangasarian, UCI Machine Learning Repository; scikit-learn's copy",
    ),
    "digits": (
        "load_digits",
        "E. Alpaydin and C. Kaynak, UCI Machine Learning Repository; scikit-learn's copy",
    ),
}
NAMES = [*OF_SKLEARN, "semeion"]


def load(
    name_or_path: str | PathLike[str], *, target: str | None = None, folder: str | PathLike[str] | None = None
) -> Table:
    """The set called iris, wine, breast_cancer, digits or semeion, or the CSV or Parquet file at a path.

    target: the column to be predicted, for a file. folder: where semeion.data is (a folder or the file; else
    the environment's MARKONE_DATA); "openml" fetches semeion from openml.org by scikit-learn.
    """
    text = str(name_or_path)
    if text in NAMES:
        if target is not None:
            raise ValueError(f"{text} knows its own target: leave out target={target!r}.")
        if text == "semeion":
            return semeion.read(folder)
        if folder is not None:
            raise ValueError(f"{text} comes with scikit-learn: leave out folder={str(folder)!r}.")
        return _of_sklearn(text)
    path = Path(text)
    if path.name == semeion.FILE and path.is_file():
        return semeion.read(path)
    if not path.exists() and path.suffix.lower() not in SUFFIXES:
        near = get_close_matches(text, NAMES, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise ValueError(
            f"There is no set {text!r} and no file of that name.{hint} The sets are {', '.join(NAMES)}; "
            f"files end in {', '.join(SUFFIXES)}."
        )
    return read(path, target)


def _of_sklearn(name: str) -> Table:
    from sklearn import datasets

    function, source = OF_SKLEARN[name]
    bunch = getattr(datasets, function)()
    classes = [str(label) for label in bunch.target_names]
    return Table(name, bunch.data, bunch.target, [str(n) for n in bunch.feature_names], classes, source)
