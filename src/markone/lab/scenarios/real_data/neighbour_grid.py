"""Grid search of the digits report, Fig. 6: k and the weights of the nearest neighbours.

A repeat is another split into halves: 5 x 5 cross-validation on one half, the other is used only for the
final test. The report had one split; here the spread over splits is measured.
"""

from operator import itemgetter
from typing import Any, Literal

import numpy as np
from pydantic import Field
from sklearn.model_selection import RepeatedStratifiedKFold, train_test_split

from markone.lab.scenario import SHARE, Scenario
from markone.lab.scenarios.real_data.data_sets import DigitSettings, load_examples
from markone.lab.scenarios.real_data.students import (
    NAMES,
    classification_scores,
    predict_by_neighbours,
    repeat_seed,
)
from markone.numerics.arrays import Array


class Parameters(DigitSettings):
    """Votes count equally, as 1/distance, or as 1/rank."""

    k: int = Field(ge=1)
    weights: Literal["equal", "inverse", "rank"]
    folds: int = Field(5, ge=2)
    rounds: int = Field(5, ge=1)


def run(p: Parameters, seed: int, start: int, stop: int) -> list[Any]:
    y = load_examples(p.data)[1]
    rows = []
    for repeat in range(start, stop):
        tune, blind, cuts = _split_halves(p, seed, repeat)
        answers = [predict_by_neighbours(p.data, y, train, test, p.k, p.weights) for train, test in cuts]
        pairs = zip(cuts, answers, strict=True)
        folds = [classification_scores(y[test], answer, "macro") for (_, test), answer in pairs]
        unseen = predict_by_neighbours(p.data, y, tune, blind, p.k, p.weights)
        rows.append((*np.mean(folds, axis=0), float(np.mean(unseen == y[blind]))))
    return rows


def _split_halves(p: Parameters, seed: int, repeat: int) -> tuple[Array, Array, list[tuple[Array, Array]]]:
    """Return the tuning half, the test half, and the folds of the tuning half."""
    y = load_examples(p.data)[1]
    state = repeat_seed(seed, repeat)
    tune, blind = train_test_split(np.arange(len(y)), test_size=0.5, stratify=y, random_state=state)
    cut = RepeatedStratifiedKFold(n_splits=p.folds, n_repeats=p.rounds, random_state=state)
    return tune, blind, [(tune[train], tune[test]) for train, test in cut.split(tune, y[tune])]


SCENARIO = Scenario(
    name="neighbour_grid",
    version=1,
    parameters=Parameters,
    measures={
        "accuracy": "mean over the folds of the tuning half",
        "precision": "mean over the digits and the folds",
        "recall": "mean over the digits and the folds",
        "f1": "mean over the digits and the folds",
        "blind_accuracy": "on the other half, trained on the tuning half",
    },
    cost=lambda parameters: 3e7,
    run=run,
    ranges=dict.fromkeys((*NAMES, "blind_accuracy"), SHARE),
    data=itemgetter("data"),
)
