"""Fig. 5.1: nearest neighbours and nearest prototypes."""

from typing import Any

from sklearn.neighbors import KNeighborsClassifier

from markone import LVQ1
from markone.data import gaussian_mixture
from markone.lvq.displays import CellsDisplay

NUMBER, TITLE, SIZE = "5.1", "Nearest neighbours and nearest prototypes of three classes", (1.0, 0.48)
SHOWS = (
    "nearest neighbour",
    "nearest prototype (LVQ1)",
)
MEANS = [[0.0, 0.0], [2.1, 0.4], [0.7, 2.0], [2.6, 2.3]]


def draw(figure: Any) -> None:
    data = gaussian_mixture(120, MEANS, 0.35, labels=["a", "b", "c", "a"], seed=3)
    left, right = figure.subplots(1, 2, sharey=True)
    CellsDisplay.from_estimator(KNeighborsClassifier(1).fit(data.X, data.y), data.X, data.y, ax=left)
    student = LVQ1(prototypes_per_class=2, random_state=0).fit(data.X, data.y)
    CellsDisplay.from_estimator(student, data.X, data.y, ax=right)
    left.set_title("nearest neighbour")
    right.set_title("nearest prototype (LVQ1)")
