"""Classifiers by prototypes as the experiments name them, each with its zero-argument defaults."""

from typing import Any

import numpy as np
from sklearn.preprocessing import StandardScaler

from markone import lvq
from markone.numerics.arrays import Array

STUDENTS = {
    "class_means": "NearestPrototype",
    "lvq1": "LVQ1",
    "glvq": "GLVQ",
    "grlvq": "GRLVQ",
    "gmlvq": "GMLVQ",
    "lgmlvq": "LGMLVQ",
    "rslvq": "RSLVQ",
    "mrslvq": "MRSLVQ",
}


def scaled(X: Array, train: Array) -> Array:
    """All rows in units of the training rows' spread, as chapter 5 asks; constant features become 0."""
    return np.asarray(StandardScaler().fit(X[train]).transform(X))


def fitted(name: str, per_class: int, X: Array, y: Array, seed: int) -> Any:
    model = getattr(lvq, STUDENTS[name])(prototypes_per_class=per_class)
    if "random_state" in model.get_params():
        model.set_params(random_state=seed)
    return model.fit(X, y)
