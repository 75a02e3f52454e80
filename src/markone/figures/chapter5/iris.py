"""Fig. 5.2: GMLVQ on the z-scored iris data: prototypes, Lambda, projection."""

from typing import Any

import numpy as np
from sklearn.preprocessing import StandardScaler

from markone import GMLVQ
from markone.data import load
from markone.lvq.displays import MetricDisplay
from markone.show import EigenvectorDisplay

NUMBER, TITLE, SIZE = "5.2", "GMLVQ on iris: prototypes, relevance matrix, projection", (1.0, 0.6)
SHOWS = (
    "prototype of setosa",
    "prototype of versicolor",
    "prototype of virginica",
    "petal length",
    "eigenvalues of $\\Lambda$",
    "relevances $\\Lambda_{ii}$",
    "off-diagonal $\\Lambda_{ij}$",
    "$\\mathbf{u}_1\\cdot\\mathbf{\\xi}$",
)


def draw(figure: Any) -> None:
    iris = load("iris")
    X, species = StandardScaler().fit_transform(iris.X), np.asarray(iris.class_names)[iris.y]
    names = [name.removesuffix(" (cm)") for name in iris.feature_names]
    model = GMLVQ(phi="identity", solver="waypoint", random_state=0).fit(X, species)
    left, right = figure.subfigures(1, 2, width_ratios=(3, 2))
    MetricDisplay.from_estimator(model, figure=left, names=names)
    EigenvectorDisplay.from_estimator(model, X, species, ax=right.subplots())
