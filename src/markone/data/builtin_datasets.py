"""The real sets that are known by name: the one list of them, and how each is read."""

from os import PathLike
from typing import NamedTuple

from markone.data import semeion
from markone.data.table import Table


class OfSklearn(NamedTuple):
    """The function of sklearn.datasets that brings a set, and whom to cite."""

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
    """The set that is meant, however its name is spelled: Breast-Cancer is breast_cancer."""
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
