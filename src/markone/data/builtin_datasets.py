"""The data sets that can be loaded by name."""

from os import PathLike
from typing import NamedTuple

from markone.data import semeion
from markone.data.table import Table


class OfSklearn(NamedTuple):
    """A data set of sklearn.datasets: its loading function and its reference."""

    function: str
    source: str


OF_SKLEARN = {
    "iris": OfSklearn("load_iris", "R. A. Fisher (1936); scikit-learn's copy"),
    "wine": OfSklearn(
        "load_wine", "S. Aeberhard and M. Forina, UCI Machine Learning Repository; scikit-learn's copy"
    ),
    "breast_cancer": OfSklearn(
        "load_breast_cancer",
        "W. Wolberg, W. N. Street, O. Mangasarian, UCI Machine Learning Repository; scikit-learn's copy",
    ),
    "digits": OfSklearn(
        "load_digits", "E. Alpaydin and C. Kaynak, UCI Machine Learning Repository; scikit-learn's copy"
    ),
}
NAMES = [*OF_SKLEARN, "semeion"]


def known_name(text: str) -> str | None:
    """The name of the set in canonical spelling (Breast-Cancer is breast_cancer), or None."""
    name = text.lower().replace("-", "_")
    return name if name in NAMES else None


def read(name: str, folder: str | PathLike[str] | None = None) -> Table:
    if name == "semeion":
        return semeion.read(folder)
    if folder is not None:
        raise ValueError(f"{name} comes with scikit-learn: leave out folder={str(folder)!r}.")
    from sklearn import datasets

    bunch = getattr(datasets, OF_SKLEARN[name].function)()
    classes = [str(label) for label in bunch.target_names]
    features = [str(feature) for feature in bunch.feature_names]
    return Table(name, bunch.data, bunch.target, features, classes, OF_SKLEARN[name].source)
