"""Linear separability of each handwritten digit from the rest   (the digits report, Table I and Fig. 4).

The report trains until no error is left. Here a certificate decides it without training, and the optimal
stability measures the margin: the smaller, the more epochs.
"""

from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any

import numpy as np
from pydantic import Field

from markone.lab.scenario import Picture, Scenario, Values
from markone.lab.scenarios.real_data.data_sets import DigitSettings, binary_targets, image_side, load_examples
from markone.lab.scenarios.real_data.students import EPOCHS, repeat_seed, train_student
from markone.perceptron import separability


class Parameters(DigitSettings):
    """One digit against the nine others, all examples in the order of the file."""

    digit: int = Field(ge=0, le=9)


@lru_cache(maxsize=32)
def _decide_digit(data: str, digit: int) -> tuple[float, float]:
    """Proven separability and optimal stability (0 if not separable), computed once for all repeats."""
    X, S = load_examples(data)[0], binary_targets(data, digit)
    answer = separability(X, S, fit_intercept=True)
    if not answer.separable:
        return 0.0, 0.0
    return 1.0, float(train_student("optimal_stability", X, S, 0).stability_)


def run(p: Parameters, seed: int, start: int, stop: int) -> Values:
    X, S = load_examples(p.data)[0], binary_targets(p.data, p.digit)
    done = [train_student("perceptron", X, S, repeat_seed(seed, k)) for k in range(start, stop)]
    separable, best = _decide_digit(p.data, p.digit)
    return {
        # Algorithm 1 starts its counter at one and adds one after each pass.
        "epochs": np.array([s.n_iter_ + 1.0 for s in done]),
        "updates": np.array([float(s.n_updates_) for s in done]),
        "converged": np.array([float(s.converged_) for s in done]),
        "stability": np.array([float(s.stability_) for s in done]),
        "optimal_stability": np.full(stop - start, best),
        "separable": np.full(stop - start, separable),
    }


def draw(figure: Any, points: Sequence[Any], seed: int) -> None:
    """Fig. 4: four random samples of each digit."""
    data = Parameters.model_validate(points[0].parameters).data
    X, digits = load_examples(data)
    rng = np.random.default_rng(seed)
    rows = sorted({Parameters.model_validate(point.parameters).digit for point in points})
    grid = figure.subplots(4, len(rows), squeeze=False)
    for column, digit in enumerate(rows):
        for row, k in enumerate(rng.choice(np.flatnonzero(digits == digit), 4, replace=False)):
            grid[row, column].imshow(X[k].reshape(image_side(data), -1), cmap="gray_r")
    for axes in grid.flat:
        axes.set(xticks=[], yticks=[])


SCENARIO = Scenario(
    name="separating_digits",
    version=4,
    parameters=Parameters,
    measures={
        "epochs": "passes over the data + 1, as the digits report counts",
        "updates": "updates made",
        "converged": f"1 if all examples were learned within {EPOCHS} passes",
        "stability": "kappa of the perceptron found",
        "optimal_stability": "the largest possible kappa; 0 if not separable",
        "separable": "1 if a separating plane exists, 0 if not, proven",
    },
    cost=lambda parameters: 4e7,
    run=run,
    data=itemgetter("data"),
    pictures={"samples": Picture("Samples picked at random", draw, (6.4, 2.8))},
)
