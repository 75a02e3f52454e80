"""One handwritten digit against the rest   (the digits report: Fig. 5, Tables II - IV).

A repeat is a fold: with ten folds, repeats 0 to 9 are one shuffle, 10 to 19 the next. Fifty repeats are the
5 x 10 cross-validation of the report, and the standard deviation over repeats is that over its folds.
"""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any, Literal

import numpy as np
from pydantic import Field

from markone.lab.scenario import SHARE, Picture, Scenario
from markone.lab.scenarios.real_data.data_sets import DigitSettings, binary_targets
from markone.lab.scenarios.real_data.students import NAMES, DigitStudent, classification_scores, predict_folds


class Parameters(DigitSettings):
    """folds = 0 leaves one example out at a time; k and weights are those of the nearest neighbours."""

    digit: int = Field(ge=0, le=9)
    student: DigitStudent
    folds: int = Field(10, ge=0)
    k: int = Field(10, ge=1)
    weights: Literal["equal", "inverse", "rank"] = "rank"


def run(p: Parameters, seed: int, start: int, stop: int) -> list[Any]:
    given = predict_folds(p, p.digit, binary_targets(p.data, p.digit), seed, start, stop)
    return [(*classification_scores(S, answer, "binary"), float(np.mean(answer > 0))) for S, answer in given]


def cost(p: Parameters) -> float:
    each = {"knn": 2e6, "perceptron": 3e7, "sigmoid": 6e7, "optimal_stability": 1e8, "soft_margin": 8e7}
    return each.get(p.student, 3e8)


def draw(figure: Any, points: Sequence[Any], seed: int) -> None:
    """Fig. 5: box plots of the accuracy over the number of folds, standard deviation on the right axis."""
    names = sorted({point.parameters["student"] for point in points})
    for axes, name in zip(np.atleast_1d(figure.subplots(1, len(names), sharey=True)), names, strict=True):
        here = sorted(
            (q for q in points if q.parameters["student"] == name), key=lambda q: q.parameters["folds"]
        )
        values = [point.values["accuracy"] for point in here]
        axes.boxplot(values, tick_labels=[str(point.parameters["folds"]) for point in here])
        axes.set(title=name, xlabel="folds")
        right = axes.twinx()
        right.plot(range(1, len(here) + 1), [v.std(ddof=1) for v in values], "o--", color="#D55E00", ms=4)
        right.set_ylim(0, 0.1)
        if name == names[0]:
            axes.set_ylabel("accuracy (boxes)")
        if name == names[-1]:
            right.set_ylabel("standard deviation (dots)", color="#D55E00")


SCENARIO = Scenario(
    name="one_digit",
    version=1,
    parameters=Parameters,
    measures={
        "accuracy": "correct in the fold",
        "precision": "fraction of the images predicted as this digit that are correct",
        "recall": "fraction of the images of this digit that are found",
        "f1": "2 precision recall / (precision + recall)",
        "called_positive": "fraction of images predicted as this digit",
    },
    cost=cost,
    run=run,
    ranges=dict.fromkeys((*NAMES, "called_positive"), SHARE),
    data=itemgetter("data"),
    pictures={"folds": Picture("Accuracy over the number of folds", draw, (6.8, 3.0))},
)
