"""Nearest prototypes that are placed, k nearest neighbours, and Hart's subset   (5.1.1, 5.2)."""

from dataclasses import field
from typing import Annotated, Any, Self

import numpy as np
from sklearn.metrics import pairwise_distances
from sklearn.utils.validation import check_is_fitted, check_X_y

from markone.base.checks import check_labels, check_size, distinct_classes
from markone.base.input_validation import validate_data
from markone.base.parameters import Count, Examples, Labels, Parameters, documented
from markone.base.sklearn_compat import BaseEstimator, ClassifierMixin, StrOptions, fit_context
from markone.lvq.base.classifier import GivenPrototypes, PrototypeClassifier, check_squares, one_thread
from markone.lvq.base.metric import FixedDistance, fixed_distance
from markone.numerics.arrays import Array

WEIGHTINGS = ("equal", "inverse", "rank")
BLOCK_BYTES = 2**26


class NearestNeighbours(Parameters, ClassifierMixin, BaseEstimator):
    """Classification by the votes of the k nearest examples.

    Equally distant neighbours are taken in the order of the training set; ties between votes go to the first
    class. All distances are computed: P N operations for each prediction. For large P use scikit-learn's
    KNeighborsClassifier, which searches trees; `evaluation.neighbour_grid` validates all k at once.

    Parameters
    ----------
    k : int
        Number of neighbours.
    weights : {"equal", "inverse", "rank"}
        Votes of 1, 1/distance (a neighbour at distance zero decides) or 1/rank.
    metric : str or callable
        As in scikit-learn's `pairwise_distances`.
    condense : bool
        Keep only Hart's subset of the examples (`markone.lvq.condensed_subset`), in the order of the data.

    Attributes
    ----------
    classes_ : array (C,)
        The labels, sorted.
    examples_ : array (M, N)
        The examples that are kept.
    kept_ : array (M,)
        Their rows in the X of `fit`.

    Examples
    --------
    >>> from markone import NearestNeighbours
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = NearestNeighbours(k=3).fit(iris.X, iris.y)
    >>> model.predict_proba(iris.X[[50]]).round(2).tolist()
    [[0.0, 1.0, 0.0]]
    >>> len(NearestNeighbours(condense=True).fit(iris.X, iris.y).examples_)
    24
    """

    k: Count = 1
    weights: Annotated[str, StrOptions(set(WEIGHTINGS))] = "equal"
    metric: Annotated[Any, str, callable] = "euclidean"
    condense: bool = False
    classes_: Array = field(init=False)
    examples_: Array = field(init=False)
    kept_: Array = field(init=False)

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> Self:
        """Store the examples X with labels y."""
        X, y = validate_data(self, X, y, dtype=[np.float64, np.float32], order="C")
        check_size(X)
        check_squares(X)
        check_labels(y)
        self.classes_ = distinct_classes(y, type(self).__name__)
        self.kept_ = condensed_subset(X, y) if self.condense else np.arange(len(y))
        if self.k > len(self.kept_):
            raise ValueError(f"k = {self.k} neighbours, but {len(self.kept_)} examples are kept: lower k.")
        self.examples_ = X[self.kept_]
        self._labels = np.searchsorted(self.classes_, y[self.kept_])
        return self

    def predict_proba(self, X: Any) -> Array:
        """Fraction of the votes for each class, columns in the order of `classes_`."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=[np.float64, np.float32], order="C", reset=False)
        check_size(X)
        order, distance = nearest_rows(X, self.examples_, self.k, self.metric)
        votes = np.zeros((len(X), len(self.classes_)))
        np.add.at(
            votes, (np.arange(len(X))[:, None], self._labels[order]), vote_weights(distance, self.weights)
        )
        return votes / votes.sum(axis=1, keepdims=True)

    def decision_function(self, X: Any) -> Array:
        """Votes for each class minus those for all others, as a fraction; two classes: for `classes_[1]`."""
        votes = self.predict_proba(X)
        score = (2 * votes - 1).astype(np.float32 if np.asarray(X).dtype == np.float32 else np.float64)
        return score[:, 1] if len(self.classes_) == 2 else score

    def predict(self, X: Any) -> Array:
        """Class with most votes; of ties the first."""
        winner = self.predict_proba(X).argmax(axis=1)
        return self.classes_[winner]


def vote_weights(distance: Array, weights: str) -> Array:
    """Weights of the votes of neighbours at these distances (n, k), the nearest first."""
    if weights == "equal":
        return np.ones_like(distance, dtype=float)
    if weights == "rank":
        return np.tile(1.0 / np.arange(1, distance.shape[1] + 1), (len(distance), 1))
    # Relative to the nearest, against overflow; at distance zero all the weight, as in scikit-learn.
    nearest = distance[:, :1].astype(float)
    return np.divide(nearest, distance, out=(distance == nearest).astype(float), where=nearest > 0)


def nearest_rows(
    X: Array, examples: Array, k: int, metric: Any = "euclidean", *, without_itself: bool = False
) -> tuple[Array, Array]:
    """Indices and distances of the k nearest examples of each row of X; ties in the order of the examples.

    `without_itself`: X are the examples, and none is its own neighbour.
    """
    P, k = len(X), min(k, len(examples) - int(without_itself))
    order, distance = np.empty((P, k), np.int32), np.empty((P, k))
    step = max(1, BLOCK_BYTES // (8 * len(examples)))
    for start in range(0, P, step):
        rows = np.arange(start, min(P, start + step))
        block = pairwise_distances(X[rows], examples, metric=metric)
        if without_itself:
            block[np.arange(len(rows)), rows] = np.inf
        place = np.argsort(block, axis=1, kind="stable")[:, :k]
        order[rows], distance[rows] = place, np.take_along_axis(block, place, axis=1)
    return order, distance


@documented
def condensed_subset(X: Examples, y: Labels, *, seed: Any = None) -> Array:
    """Indices of a subset whose nearest neighbours classify all examples correctly.

    Hart's condensed nearest neighbours (1968): start with one example, iterate over the others and keep each
    that its nearest kept neighbour misclassifies, until a pass adds none. The kept examples lie near the
    borders. The smallest such set is hard to find; this one depends on the order. At equal distance the one
    kept first decides; equal inputs with different labels are all kept.

    Parameters
    ----------
    seed : int, Generator or None, default=None
        Seed of a permutation of the order; None: as given.

    Returns
    -------
    array
        Rows that are kept.

    Examples
    --------
    >>> from markone.lvq import condensed_subset
    >>> condensed_subset([[0.0], [1.0], [9.0], [10.0]], [0, 0, 1, 1]).tolist()
    [0, 2]
    """
    X, y = check_X_y(X, y, dtype=np.float64)
    order = np.arange(len(y)) if seed is None else np.random.default_rng(seed).permutation(len(y))
    nearest = np.full(len(y), np.inf)
    label, kept, before = np.empty(len(y), dtype=y.dtype), np.zeros(len(y), dtype=bool), -1
    while kept.sum() > before:
        before = kept.sum()
        for k in order:
            # The first example has no kept neighbour yet.
            if not kept[k] and (np.isinf(nearest[k]) or label[k] != y[k]):
                kept[k] = True
                # Squared differences, not |a|^2 - 2ab + |b|^2: equal rows must be at distance zero.
                distance = ((X - X[k]) ** 2).sum(axis=1)
                closer = distance < nearest
                nearest[closer], label[closer] = distance[closer], y[k]
    return np.flatnonzero(kept)


class NearestPrototype(FixedDistance, GivenPrototypes, PrototypeClassifier):
    """Classification by the nearest prototype; prototypes are placed, not trained.

    Class means (one prototype per class) are scikit-learn's NearestCentroid; several are k-means in each
    class; with given vectors and any distance, `fit` only reads the labels.

    Examples
    --------
    >>> from markone import NearestPrototype
    >>> model = NearestPrototype().fit([[0.0], [2.0], [10.0], [12.0]], ["low", "low", "high", "high"])
    >>> model.prototypes_.tolist(), model.predict([[5.0]]).tolist()
    ([[11.0], [1.0]], ['low'])
    """

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Compute the prototypes from the examples X with labels y."""
        distance = fixed_distance(self.distance)
        X, y = self._read_data(X, y)
        X, y, weights = self._apply_weights(X, self._set_classes(y), sample_weight)
        with one_thread(X, len(self.classes_)):
            W, c = self._place_prototypes(X, y, weights)
        self.distance_ = distance.fit_constants(X, y, c, weights)
        # A divergence needs prototypes without empty bins.
        W = self.distance_.decode(self.distance_.encode(W))
        self._set_prototypes(np.ascontiguousarray(W), c)
        return self
