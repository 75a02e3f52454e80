"""Fig. 5.2: GMLVQ on the z-scored iris data: prototypes, Lambda, projection."""

from typing import Any

from sklearn.preprocessing import StandardScaler

from markone import GMLVQ
from markone.data import load
from markone.lvq.displays import MetricDisplay
from markone.show import EigenvectorDisplay

NUMBER, TITLE, SIZE = "5.2", "GMLVQ on iris: prototypes, relevance matrix, projection", (1.0, 0.56)


def draw(figure: Any) -> None:
    iris = load("iris")
    X = StandardScaler().fit_transform(iris.X)
    model = GMLVQ(phi="identity", solver="waypoint", random_state=0).fit(X, iris.y)
    left, right = figure.subfigures(1, 2, width_ratios=(3, 2))
    MetricDisplay.from_estimator(model, figure=left)
    EigenvectorDisplay.from_estimator(model, X, iris.y, ax=right.subplots())
