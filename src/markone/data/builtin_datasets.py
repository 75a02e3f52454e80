"""The data sets that can be loaded by name."""

from os import PathLike
from typing import NamedTuple

from markone.data import semeion
from markone.data.table import Table


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
