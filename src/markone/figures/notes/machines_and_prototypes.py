"""Figs. 1.5, 4.2 to 5.2: networks and machines of perceptrons, a feature space, prototypes."""

from typing import Any

import numpy as np
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

from markone import GMLVQ, LVQ1
from markone.data import gaussian_mixture, load
from markone.figures.diagrams import numbered_figure, shows
from markone.lvq.displays import CellsDisplay, MetricDisplay, ProjectionDisplay
from markone.machines import MachineDisplay
from markone.show import FeatureSpaceDisplay, NetworkDisplay
from markone.show.displays.spaces import dietrich_map

MEANS = [[0.0, 0.0], [2.1, 0.4], [0.7, 2.0], [2.6, 2.3]]
WEIGHTS, THRESHOLDS = [[1.0, 0.25], [-0.5, 1.0], [-0.45, -1.0]], [-0.25, -0.15, -0.35]


@shows("several layers", "one hidden layer", "input $\\xi_j$", "hidden $\\sigma_k$", "output S")
@numbered_figure("1.5", "Feed-forward networks: several layers; one hidden layer", (1.0, 0.42))
def draw_feed_forward(figure: Any) -> None:
    left, right = figure.subplots(1, 2)
    NetworkDisplay([6, 4, 5, 3, 1]).plot(ax=left)
    NetworkDisplay([6, 3, 1], labels=["input $\\xi_j$", "hidden $\\sigma_k$", "output S"]).plot(ax=right)
    left.set_title("several layers")
    right.set_title("one hidden layer")


@shows(
    "N inputs $\\xi_j$", "$\\sigma^k = \\mathrm{sign}(\\mathbf{w}^k\\cdot\\xi)$",
    "$S = F(\\sigma^1, \\sigma^2, \\sigma^3)$", "solid: adaptive weights, dashed: fixed",
)  # fmt: skip
@numbered_figure("4.2", "The architecture of a machine: adaptive hidden units, fixed output", (0.62, 0.62))
def draw_machine(figure: Any) -> None:
    labels = [
        "N inputs $\\xi_j$",
        "$\\sigma^k = \\mathrm{sign}(\\mathbf{w}^k\\cdot\\xi)$",
        "$S = F(\\sigma^1, \\sigma^2, \\sigma^3)$",
    ]
    display = NetworkDisplay([8, 3, 1], fixed=1, labels=labels).plot(ax=figure.subplots())
    display.ax_.set_title("solid: adaptive weights, dashed: fixed", fontsize="small")


@shows("committee", "parity")
@numbered_figure("4.3", "Tessellations of committee and parity machine", (0.9, 0.52))
def draw_tessellations(figure: Any) -> None:
    X = np.random.default_rng(0).uniform(-1.4, 1.4, (70, 2))
    for ax, machine in zip(figure.subplots(1, 2), ("committee", "parity"), strict=True):
        MachineDisplay.from_planes(WEIGHTS, THRESHOLDS, machine, X, ax=ax)
        ax.set(title=machine, xticks=[], yticks=[])


@shows("$\\xi_1$", "$\\Psi_1$", "$\\Psi_3$")
@numbered_figure("4.4", "Not separable in the plane, separable in feature space", (1.0, 0.36))
def draw_dietrich_example(figure: Any) -> None:
    X = np.random.default_rng(1).uniform([-1.5, -1.0], [1.0, 2.0], (260, 2))
    f = dietrich_map(X) @ [1.0, 1.0, -1.0]
    clear = np.abs(f) > 0.25
    FeatureSpaceDisplay.from_map(dietrich_map, [1.0, 1.0, -1.0], X[clear], np.sign(f[clear]), figure=figure)


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
    "prototype of setosa", "prototype of versicolor", "prototype of virginica", "petal length",
    "eigenvalues of $\\Lambda$", "relevances $\\Lambda_{ii}$", "off-diagonal $\\Lambda_{ij}$",
    "$\\mathbf{u}_1\\cdot\\mathbf{\\xi}$",
)  # fmt: skip
@numbered_figure("5.2", "GMLVQ on iris: prototypes, relevance matrix, projection", (1.0, 0.6))
def draw_gmlvq_of_iris(figure: Any) -> None:
    iris = load("iris")
    X, species = StandardScaler().fit_transform(iris.X), np.asarray(iris.class_names)[iris.y]
    names = [name.removesuffix(" (cm)") for name in iris.feature_names]
    model = GMLVQ(phi="identity", solver="waypoint", random_state=0).fit(X, species)
    left, right = figure.subfigures(1, 2, width_ratios=(3, 2))
    MetricDisplay.from_estimator(model, figure=left, names=names)
    ProjectionDisplay.from_estimator(model, X, species, ax=right.subplots(), scaled=False)
