"""The Mark I on digits: perceptrons on random association units, compared with pixels and a kernel.

The connections between retina and association units are random and fixed (`AssociationLayer`); ten
perceptrons, one for each digit, are trained on their outputs. On the same folds: the same perceptrons on the
pixels, and a Gaussian kernel, the limit of very many fixed features.
"""

from functools import lru_cache
from typing import Any

import numpy as np
from pydantic import Field

from markone.lab.scenario import SHARE, Scenario
from markone.lab.scenarios.real_data.data_sets import DigitSettings, fold_splits, load_examples
from markone.lab.scenarios.real_data.students import fit_silently, repeat_seed, train_student
from markone.numerics.arrays import Array
from markone.perceptron import AssociationLayer, Rosenblatt

EPOCHS = 50


class Parameters(DigitSettings):
    """The folds are stratified by digit; each unit has `wires` excitatory and `wires` inhibitory inputs.

    At most `rows` of the training part are used, the first in the file; 0: all.
    """

    units: int = Field(512, ge=1, le=8192)
    wires: int = Field(20, ge=1, le=200)
    folds: int = Field(10, ge=2)
    rows: int = Field(0, ge=0)


def run(p: Parameters, seed: int, start: int, stop: int) -> list[Any]:
    X, y = load_examples(p.data)
    rows = []
    for k in range(start, stop):
        train, test = _fold_indices(p.data, p.folds, p.rows, seed, k)
        layer = AssociationLayer(
            n_units=p.units, n_excitatory=p.wires, n_inhibitory=p.wires, random_state=repeat_seed(seed, k)
        ).fit(X[train])
        right = _perceptron_accuracy(layer.transform(X), y, train, test)
        pixels, kernel = _reference_accuracies(p.data, p.folds, p.rows, seed, k)
        rows.append((right, pixels, kernel, right - pixels, kernel - right))
    return rows


def _fold_indices(data: str, folds: int, rows: int, seed: int, k: int) -> tuple[Array, Array]:
    ((train, test),) = fold_splits(data, -1, folds, seed, k, k + 1)
    return train[:rows] if rows else train, test


def _perceptron_accuracy(X: Array, y: Array, train: Array, test: Array) -> float:
    student = fit_silently(Rosenblatt(max_iter=EPOCHS), X[train], y[train])
    return float(np.mean(student.predict(X[test]) == y[test]))


@lru_cache(maxsize=256)
def _reference_accuracies(data: str, folds: int, rows: int, seed: int, k: int) -> tuple[float, float]:
    """Accuracies in one fold that do not depend on the units: perceptron on pixels, kernel."""
    X, y = load_examples(data)
    train, test = _fold_indices(data, folds, rows, seed, k)
    kernel = train_student("gaussian_kernel", X[train], y[train], 0).predict(X[test])
    return _perceptron_accuracy(X, y, train, test), float(np.mean(kernel == y[test]))


SCENARIO = Scenario(
    name="mark_one",
    version=1,
    parameters=Parameters,
    measures={
        "accuracy": "accuracy in the fold, on the association units",
        "pixels": "accuracy in the same fold, on the pixels",
        "kernel": "accuracy in the same fold, with a Gaussian kernel",
        "gain": "accuracy - pixels",
        "short_of_kernel": "kernel - accuracy",
    },
    cost=lambda parameters: 3e9 + 8e5 * parameters.units,
    run=run,
    ranges=dict.fromkeys(("accuracy", "pixels", "kernel"), SHARE),
    miniature={"rows": 200},
)
