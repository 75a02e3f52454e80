"""Predictions of the digit students for each fold, and their scores."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from sklearn.metrics import precision_recall_fscore_support

from markone.evaluation._neighbours import count_neighbour_votes
from markone.evaluation.neighbours import WEIGHTINGS
from markone.lab.scenarios.real_data.data_sets import fold_splits, load_examples
from markone.lab.scenarios.real_data.students import repeat_seed, train_student
from markone.lvq.models.nearest_neighbours import nearest_rows
from markone.numerics.arrays import Array

DigitStudent = Literal["knn", "perceptron", "optimal_stability", "soft_margin", "gaussian_kernel"]
NAMES = ("accuracy", "precision", "recall", "f1")


def predict_folds(
    p: Any, digit: int, y: Array, seed: int, start: int, stop: int
) -> Iterator[tuple[Array, Array]]:
    """Yield (labels, predictions) of the test examples of each fold; digit is -1 for all ten classes."""
    X = load_examples(p.data)[0]
    for k, (train, test) in enumerate(fold_splits(p.data, digit, p.folds, seed, start, stop), start):
        if p.student == "knn":
            yield y[test], predict_by_neighbours(p.data, y, train, test, p.k, p.weights)
        else:
            yield y[test], train_student(p.student, X[train], y[train], repeat_seed(seed, k)).predict(X[test])


@lru_cache(maxsize=2)
def _sorted_neighbours(data: str) -> tuple[Array, Array]:
    """Neighbours sorted once, for all folds, k and weights."""
    X, _ = load_examples(data)
    return nearest_rows(X, X, len(X) - 1, without_itself=True)


def predict_by_neighbours(data: str, y: Array, train: Array, test: Array, k: int, weights: str) -> Array:
    """Predict the test examples by the k nearest training examples; ties in the order of the file."""
    classes, code = np.unique(y, return_inverse=True)
    voters, out = np.zeros(len(y), bool), np.empty((1, 1, len(test)), np.int64)
    voters[train] = True
    order, distance = _sorted_neighbours(data)
    if not count_neighbour_votes(
        order, distance, code, voters, test, np.array([k]), np.array([WEIGHTINGS[weights]]), len(classes), out
    ):
        raise ValueError(f"k = {k} neighbours, but only {len(train)} training examples.")
    return np.asarray(classes[out[0, 0]])


def classification_scores(y: Array, predicted: Array, average: str) -> tuple[float, float, float, float]:
    """Accuracy; precision, recall and F1 of the class +1 ("binary") or their mean over classes ("macro").

    A fold without positive predictions has precision 0, as in the tables of the digits report.
    """
    p, r, f, _ = precision_recall_fscore_support(
        y, predicted, average=average, pos_label=1, zero_division=0.0
    )
    return float(np.mean(y == predicted)), float(p), float(r), float(f)
