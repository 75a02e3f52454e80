"""Classification of all ten digits; a repeat is a fold   (the digits report, section III.C.2 and Fig. 7).

Perceptrons one against the rest, largest potential wins; k nearest neighbours by majority vote.
"""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any, Literal

import numpy as np
from pydantic import Field
from sklearn.metrics import confusion_matrix

from markone.evaluation import confusion_f1
from markone.lab.scenario import SHARE, Picture, Scenario
from markone.lab.scenarios.real_data.data_sets import DigitSettings, load_examples
from markone.lab.scenarios.real_data.students import NAMES, DigitStudent, classification_scores, predict_folds

CELLS = [f"cell_{true}_{called}" for true in range(10) for called in range(10)]


class Parameters(DigitSettings):
    """The folds are stratified by digit; k and weights are those of the nearest neighbours."""

    student: DigitStudent
    folds: int = Field(10, ge=2)
    k: int = Field(10, ge=1)
    weights: Literal["equal", "inverse", "rank"] = "rank"


def run(p: Parameters, seed: int, start: int, stop: int) -> list[Any]:
    rows = []
    for y, answer in predict_folds(p, -1, load_examples(p.data)[1], seed, start, stop):
        cells = confusion_matrix(y, answer, labels=range(10))
        rows.append((*classification_scores(y, answer, "macro"), *cells.ravel()))
    return rows


def cost(p: Parameters) -> float:
    each = {"knn": 2e6, "perceptron": 3e8, "sigmoid": 6e8, "gaussian_kernel": 3e9}
    return each.get(p.student, 1e9)


def draw(figure: Any, points: Sequence[Any], seed: int) -> None:
    """Fig. 7: the averaged confusion matrix of each student, each cell in the form of F1."""
    for axes, point in zip(np.atleast_1d(figure.subplots(1, len(points))), points, strict=True):
        counts = np.array([point.values[name].mean() for name in CELLS]).reshape(10, 10)
        cells = confusion_f1(counts)
        axes.imshow(cells, cmap="Blues", vmin=0, vmax=1)
        for (true, called), value in np.ndenumerate(cells):
            if value >= 0.005:
                text = f"{value:.2f}".removeprefix("0")
                look = {"fontsize": 5, "color": "w" if value > 0.5 else "k"}
                axes.text(called, true, text, ha="center", va="center", **look)
        axes.set(xlabel="called", xticks=range(10), yticks=range(10))
        axes.set_title(point.parameters["student"].replace("_", " "))
    figure.axes[0].set_ylabel("digit")


SCENARIO = Scenario(
    name="all_digits",
    version=1,
    parameters=Parameters,
    measures=dict.fromkeys(NAMES, "mean over the digits")
    | {"accuracy": "correct in the fold"}
    | {name: f"digits {name[5]} called {name[7]} in the fold" for name in CELLS},
    cost=cost,
    run=run,
    ranges=dict.fromkeys(NAMES, SHARE),
    data=itemgetter("data"),
    pictures={"confusion": Picture("Confusion, in the form of F1", draw, (7.0, 3.6))},
)
