"""What a student of the digits answers, fold after fold."""

from collections.abc import Iterator
from typing import Any

from markone.lab.real_data.examples import examples
from markone.lab.real_data.folds import splits
from markone.lab.real_data.neighbours import predict
from markone.lab.real_data.students import seed_of, trained
from markone.numerics.arrays import Array


def answers(p: Any, digit: int, y: Array, seed: int, start: int, stop: int) -> Iterator[tuple[Array, Array]]:
    """(y, answers) of the test examples of each fold; digit is -1 for all ten at once."""
    X = examples(p.data)[0]
    for k, (train, test) in enumerate(splits(p.data, digit, p.folds, seed, start, stop), start):
        if p.student == "knn":
            yield y[test], predict(p.data, y, train, test, p.k, p.weights)
        else:
            yield y[test], trained(p.student, X[train], y[train], seed_of(seed, k)).predict(X[test])
