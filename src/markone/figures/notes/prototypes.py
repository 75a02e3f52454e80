"""Figs. 5.1 and 5.2: nearest neighbours and prototypes; GMLVQ on the z-scored iris data."""

from typing import Any

import numpy as np
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

from markone import GMLVQ, LVQ1
from markone.data import gaussian_mixture, load
from markone.figures.diagrams import numbered_figure, shows
from markone.lvq.displays import CellsDisplay, MetricDisplay
from markone.show import EigenvectorDisplay

MEANS = [[0.0, 0.0], [2.1, 0.4], [0.7, 2.0], [2.6, 2.3]]


@shows("nearest neighbour", "nearest prototype (LVQ1)")
@numbered_figure("5.1", "Nearest neighbours and nearest prototypes of three classes", (1.0, 0.48))
def draw_cells(figure: Any) -> None:
    data = gaussian_mixture(120, MEANS, 0.35, labels=["a", "b", "c", "a"], seed=3)
    left, right = figure.subplots(1, 2, sharey=True)
    CellsDisplay.from_estimator(KNeighborsClassifier(1).fit(data.X, data.y), data.X, data.y, ax=left)
    student = LVQ1(prototypes_per_class=2, random_state=0).fit(data.X, data.y)
    CellsDisplay.from_estimator(student, data.X, data.y, ax=right)
    left.set_title("nearest neighbour")
    right.set_title("nearest prototype (LVQ1)")


@shows(
    "prototype of setosa",
    "prototype of versicolor",
    "prototype of virginica",
    "petal length",
    "eigenvalues of $\\Lambda$",
    "relevances $\\Lambda_{ii}$",
    "off-diagonal $\\Lambda_{ij}$",
    "$\\mathbf{u}_1\\cdot\\mathbf{\\xi}$",
)
@numbered_figure("5.2", "GMLVQ on iris: prototypes, relevance matrix, projection", (1.0, 0.6))
def draw_gmlvq_of_iris(figure: Any) -> None:
    iris = load("iris")
    X, species = StandardScaler().fit_transform(iris.X), np.asarray(iris.class_names)[iris.y]
    names = [name.removesuffix(" (cm)") for name in iris.feature_names]
    model = GMLVQ(phi="identity", solver="waypoint", random_state=0).fit(X, species)
    left, right = figure.subfigures(1, 2, width_ratios=(3, 2))
    MetricDisplay.from_estimator(model, figure=left, names=names)
    EigenvectorDisplay.from_estimator(model, X, species, ax=right.subplots())
