"""k nearest neighbours for all k and all weightings at once (5.1.1; the digits report, Fig 6).

The neighbours of an example do not depend on k, on the weights of the votes or on the fold: they are sorted
once. Each fold then iterates over them, skipping those outside its training set.
"""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.model_selection import check_cv
from sklearn.utils import check_X_y

from markone.base.parameters import Examples, Labels, Splits, documented
from markone.evaluation._neighbours import EQUAL, INVERSE, RANK, count_neighbour_votes
from markone.evaluation.cross_validation.fold_table import FoldTable, split_sizes
from markone.lvq.models.nearest_neighbours import nearest_rows
from markone.numerics.arrays import Array

WEIGHTINGS = {"equal": EQUAL, "inverse": INVERSE, "rank": RANK}


@documented
@dataclass(frozen=True)
class NeighbourScores:
    """Accuracies (weightings, ks, folds) of every combination, and the predictions they come from.

    Examples
    --------
    >>> from markone.data import load
    >>> from markone.evaluation import neighbour_grid
    >>> iris = load("iris")
    >>> neighbour_grid(iris.X, iris.y, ks=(1, 5), cv=3).accuracy.shape
    (3, 2, 3)
    """

    ks: Annotated[list[int], "list of int: Numbers of neighbours."]
    weights: Annotated[list[str], "list of str: Weightings."]
    accuracy: Annotated[Array, "array (weightings, ks, folds): The accuracies."]
    predicted: Annotated[list[Array], "list of array: The predictions of each fold."]
    tests: Annotated[list[Array], "list of array: The examples tested in each fold."]
    y: Annotated[Array, "array (P,): The labels."]
    classes: Annotated[Array, "array: The classes."]
    train_sizes: Annotated[Array, "array (folds,): Number of examples of each fold."]
    test_sizes: Annotated[Array, "array (folds,): Number of examples of each fold."]

    @property
    def best(self) -> dict[str, Any]:
        """Combination with the largest mean accuracy; the first one of ties."""
        mean = self.accuracy.mean(axis=2)
        v, k = np.unravel_index(int(mean.argmax()), mean.shape)
        return {"n_neighbors": self.ks[k], "weights": self.weights[v], "accuracy": float(mean[v, k])}

    def folds(self, k: int, weights: str) -> list[tuple[Array, Array]]:
        """(y, predicted) of every fold for one combination."""
        v, place = self.weights.index(weights), self.ks.index(k)
        return [
            (self.y[test], self.classes[found[v, place]])
            for test, found in zip(self.tests, self.predicted, strict=True)
        ]

    def table(self, k: int, weights: str) -> FoldTable:
        """Fold scores of one combination."""
        values = self.accuracy[self.weights.index(weights), self.ks.index(k)]
        return FoldTable({"accuracy": values}, self.train_sizes, self.test_sizes)


@documented
def neighbour_grid(
    X: Examples,
    y: Labels,
    ks: ArrayLike = (1, 2, 3, 5, 8, 10, 15, 20),
    weights: tuple[str, ...] = ("equal", "inverse", "rank"),
    *,
    cv: Splits = 5,
    metric: str = "euclidean",
) -> NeighbourScores:
    """Cross-validate `NearestNeighbours` for every k and weighting.

    Equally distant neighbours are taken in the order of X; ties between votes go to the first class.

    Parameters
    ----------
    ks : sequence of int, default=(1, 2, 3, 5, 8, 10, 15, 20)
        Numbers of neighbours.
    weights : tuple of {"equal", "inverse", "rank"}, default=('equal', 'inverse', 'rank')
        Votes of 1, 1/distance or 1/rank.
    metric : str, default="euclidean"
        As in scikit-learn's `pairwise_distances`.

    Returns
    -------
    NeighbourScores
        Accuracies of every combination.

    Examples
    --------
    >>> from markone.data import load
    >>> from markone.evaluation import neighbour_grid
    >>> iris = load("iris")
    >>> found = neighbour_grid(iris.X, iris.y, ks=(1, 5), weights=("equal",), cv=3)
    >>> bool(found.accuracy.min() > 0.9)
    True
    """
    X, y = check_X_y(X, y)
    counts = _neighbour_counts(ks)
    unknown = [name for name in weights if name not in WEIGHTINGS]
    if unknown or not weights:
        raise ValueError(f"weights = {weights} must be among {', '.join(WEIGHTINGS)}.")
    classes, label = np.unique(y, return_inverse=True)
    splits = [(np.asarray(a), np.asarray(b)) for a, b in check_cv(cv, y, classifier=True).split(X, y)]
    train_sizes, test_sizes = split_sizes(splits)
    if counts[-1] > train_sizes.min():
        raise ValueError(f"k = {counts[-1]} neighbours, but a training set has {train_sizes.min()} examples.")
    most = int(counts[-1] + len(X) - train_sizes.min())
    order, distance = nearest_rows(X, X, most, metric, without_itself=True)
    kinds = np.array([WEIGHTINGS[name] for name in weights])
    predicted = []
    for train, test in splits:
        in_train, out = np.zeros(len(y), bool), np.empty((len(kinds), len(counts), len(test)), np.int64)
        in_train[train] = True
        if not count_neighbour_votes(
            order, distance, label, in_train, test, counts, kinds, len(classes), out
        ):
            raise ValueError(
                f"Some example has fewer than {counts[-1]} others in its training set: lower ks."
            )
        predicted.append(out)
    right = [(out == label[test]).mean(axis=2) for out, (_, test) in zip(predicted, splits, strict=True)]
    accuracy, tests = np.stack(right, axis=2), [test for _, test in splits]
    chosen = [int(k) for k in counts]
    return NeighbourScores(
        chosen, list(weights), accuracy, predicted, tests, y, classes, train_sizes, test_sizes
    )


def _neighbour_counts(ks: ArrayLike) -> Array:
    counts = np.unique(np.asarray(ks).astype(np.int64))
    if not len(counts) or counts[0] < 1:
        raise ValueError(f"ks = {np.asarray(ks).tolist()} must be whole numbers of neighbours, 1 or more.")
    return counts
