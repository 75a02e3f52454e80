"""k nearest neighbours for all k and all weightings at once (5.1.1; the digits report, Fig 6).

The neighbours of an example do not depend on k, on the weights of the votes or on the fold: they are sorted
once. Each fold then iterates over them, skipping those outside its training set.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import pairwise_distances
from sklearn.model_selection import check_cv
from sklearn.utils import check_X_y

from markone.evaluation._neighbours import EQUAL, INVERSE, RANK, count_neighbour_votes
from markone.evaluation.cross_validation.fold_table import FoldTable
from markone.evaluation.cross_validation.splits import split_sizes
from markone.numerics.arrays import Array

WEIGHTINGS = {"equal": EQUAL, "inverse": INVERSE, "rank": RANK}
BLOCK_BYTES = 2**26


def rank_weights(distances: Array) -> Array:
    """Vote weights 1, 1/2, 1/3, ...: `KNeighborsClassifier(weights=rank_weights)`.

    Parameters
    ----------
    distances : array (n, k)
        Distances of the neighbours, the nearest first.

    Returns
    -------
    array (n, k)
        The weights.

    Examples
    --------
    >>> import numpy as np
    >>> from markone.evaluation import rank_weights
    >>> rank_weights(np.array([[0.1, 0.5]])).tolist()
    [[1.0, 0.5]]
    """
    return np.tile(1.0 / np.arange(1, distances.shape[1] + 1), (len(distances), 1))


@dataclass(frozen=True)
class NeighbourScores:
    """Accuracies (weightings, ks, folds) of every combination, and the predictions they come from.

    Parameters
    ----------
    ks : list of int
        Numbers of neighbours.
    weights : list of str
        Weightings.
    accuracy : array (weightings, ks, folds)
        The accuracies.
    predicted : list of array
        The predictions of each fold.
    tests : list of array
        The examples tested in each fold.
    y : array (P,)
        The labels.
    classes : array
        The classes.
    train_sizes, test_sizes : array (folds,)
        Number of examples of each fold.

    Examples
    --------
    >>> from markone.data import load
    >>> from markone.evaluation import neighbour_grid
    >>> iris = load("iris")
    >>> neighbour_grid(iris.X, iris.y, ks=(1, 5), cv=3).accuracy.shape
    (3, 2, 3)
    """

    ks: list[int]
    weights: list[str]
    accuracy: Array
    predicted: list[Array]
    tests: list[Array]
    y: Array
    classes: Array
    train_sizes: Array
    test_sizes: Array

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


def neighbour_grid(
    X: Any,
    y: Any,
    ks: ArrayLike = (1, 2, 3, 5, 8, 10, 15, 20),
    weights: tuple[str, ...] = ("equal", "inverse", "rank"),
    *,
    cv: Any = 5,
    metric: str = "euclidean",
) -> NeighbourScores:
    """Cross-validate k-NN for every k and weighting.

    Equally distant neighbours are taken in the order of X; ties between votes go to the first class.

    Parameters
    ----------
    X : array (P, N)
        Examples, one per row.
    y : array (P,)
        Their labels.
    ks : sequence of int, default=(1, 2, 3, 5, 8, 10, 15, 20)
        Numbers of neighbours.
    weights : tuple of {"equal", "inverse", "rank"}, default=('equal', 'inverse', 'rank')
        Votes of 1, 1/distance or 1/rank.
    cv : int or splitter, default=5
        The folds.
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
    order, distance = sorted_neighbours(X, int(counts[-1] + len(X) - train_sizes.min()), metric)
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


def sorted_neighbours(X: Array, most: int, metric: str = "euclidean") -> tuple[Array, Array]:
    """Indices and distances of the `most` nearest other examples of every example; ties in the order of X."""
    P, most = len(X), min(most, len(X) - 1)
    order, distance = np.empty((P, most), np.int32), np.empty((P, most))
    step = max(1, BLOCK_BYTES // (8 * P))
    for start in range(0, P, step):
        rows = np.arange(start, min(P, start + step))
        block = pairwise_distances(X[rows], X, metric=metric)
        # An example is not its own neighbour.
        block[np.arange(len(rows)), rows] = np.inf
        place = np.argsort(block, axis=1, kind="stable")[:, :most]
        order[rows], distance[rows] = place, np.take_along_axis(block, place, axis=1)
    return order, distance
