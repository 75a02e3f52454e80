"""Nearest prototype classifier (5.2), with any distance."""

from typing import Any, Self

import numpy as np

from markone.base.sklearn_compat import fit_context
from markone.lvq.base.classifier import GivenPrototypes, PrototypeClassifier
from markone.lvq.base.metric import FixedDistance, GivenDistance, fixed_distance
from markone.lvq.base.threads import one_thread


class NearestPrototype(FixedDistance, GivenPrototypes, PrototypeClassifier):
    """Classification by the nearest prototype; prototypes are placed, not trained.

    Class means (one prototype per class) are scikit-learn's NearestCentroid; several are k-means in each
    class; with given vectors and any distance, `fit` only reads the labels.

    Parameters
    ----------
    distance : str, Distance or pair of functions
        Any of `markone.lvq.distances` without a metric to be learned, or a pair (function, gradient).

    Attributes
    ----------
    distance_
        The distance with its constants.

    Examples
    --------
    >>> from markone import NearestPrototype
    >>> model = NearestPrototype().fit([[0.0], [2.0], [10.0], [12.0]], ["low", "low", "high", "high"])
    >>> model.prototypes_.tolist(), model.predict([[5.0]]).tolist()
    ([[11.0], [1.0]], ['low'])
    """

    distance: GivenDistance = "euclidean"

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Compute the prototypes from the examples X with labels y."""
        distance = fixed_distance(self.distance)
        X, y = self._read_data(X, y)
        X, y, weights = self._apply_weights(X, self._set_classes(y), sample_weight)
        with one_thread(X, len(self.classes_)):
            W, c = self._start(X, y, weights)
        self.distance_ = distance.fit_constants(X, y, c, weights)
        # A divergence needs prototypes without empty bins.
        W = self.distance_.decode(self.distance_.encode(W))
        self._set_prototypes(np.ascontiguousarray(W), c)
        return self
