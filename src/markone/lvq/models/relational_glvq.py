"""Relational GLVQ: GLVQ for data given by their dissimilarities only."""

from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.metrics import pairwise_distances
from sklearn.utils import check_random_state

from markone.base.sklearn_compat import StrOptions, fit_context
from markone.lvq.base.classifier import PrototypeClassifier
from markone.lvq.base.parameters import Constraints, EmbeddedCost
from markone.lvq.base.threads import one_thread
from markone.lvq.base.training_loop import TrainingSettings, train_by_gradient
from markone.lvq.costs.glvq import GLVQCost
from markone.lvq.solvers.lbfgs import LBFGS
from markone.lvq.spaces.embedding import (
    SMALL,
    Embedding,
    PseudoEuclidean,
    check_dissimilarities,
    check_square,
)
from markone.numerics.arrays import Array


class RelationalGLVQ(EmbeddedCost, PrototypeClassifier):
    """Prototypes w_j = sum_i alpha_ji x_i, sum_i alpha_ji = 1, for data given by dissimilarities D_ij.

    d(x_i, w_j) = [D alpha_j]_i - 1/2 alpha_j^T D alpha_j (Hammer, Hofmann, Schleif, Zhu 2014): the squared
    distance if D is one. Trained by L-BFGS in the (pseudo-)Euclidean space that D defines; P^3 operations
    to compute it.

    Parameters
    ----------
    metric : str or callable
        Dissimilarity of two rows, as in `sklearn.metrics.pairwise_distances`; "precomputed": X is the
        matrix itself, at prediction one row per new object with its dissimilarities to all training objects.
    squared : bool
        True if the metric is squared already ("sqeuclidean" always is). Otherwise D is the square of it.
    negative : {"clip", "keep"}
        If D is no squared distance, its embedding has dimensions of negative sign. "clip": they are not used.
        "keep": they are, as in the literature; distances can then become negative and count as zero in
        training.
    initial : {"kmeans", "means", "examples", "toolbox"}
        As in `GLVQ`, with means and k-means of the embedded objects.
    max_iter : int
        Maximum number of steps of L-BFGS; reaching it gives no warning.

    Attributes
    ----------
    coefficients_ : array (M, P)
        alpha_ji, zero for examples of weight zero.
    signature_ : tuple of int
        Number of dimensions of positive and of negative sign.

    Examples
    --------
    >>> import numpy as np
    >>> from markone import RelationalGLVQ
    >>> lengths = np.array([3.0, 4.0, 5.0, 11.0, 12.0, 13.0])
    >>> D = abs(lengths[:, None] - lengths)
    >>> model = RelationalGLVQ(metric="precomputed").fit(D, [0, 0, 0, 1, 1, 1])
    >>> model.predict(D).tolist()
    [0, 0, 0, 1, 1, 1]
    """

    _parameter_constraints: ClassVar[Constraints] = {
        "metric": [str, callable],
        "squared": ["boolean"],
        "negative": [StrOptions({"clip", "keep"})],
    }

    metric: str | Callable[[Any, Any], float] = "euclidean"
    squared: bool = False
    negative: str = "clip"
    max_iter: int = 1000

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train on X, y; with metric="precomputed" X is the (P, P) matrix of dissimilarities."""
        X, y = self._read_data(X, y)
        rows = np.arange(len(X))[:, None]
        used, y, weights = self._apply_weights(rows, self._set_classes(y), sample_weight)
        kept = used[:, 0]
        if self.metric == "precomputed":
            check_square(X)
        some = X[np.ix_(kept, kept)] if self.metric == "precomputed" else X[kept]
        given = self._compute_dissimilarities(some, some)
        check_dissimilarities(given)
        D = self._square_metric(given)
        with one_thread(D, len(self.classes_)):
            space = Embedding.of(D, SMALL[X.dtype], self.negative == "clip")
            W, c = self._start(space.Z, y, weights)
            settings = TrainingSettings(
                PseudoEuclidean(space.signs), GLVQCost(self.phi, self.steepness), LBFGS(), self.max_iter
            )
            rng = check_random_state(self.random_state)
            trained = train_by_gradient(settings, space.Z, y, weights, self._error_costs(), W, c, rng)
        self._keep(trained, space, D, kept, c, X)
        return self

    def _keep(self, trained: Any, space: Embedding, D: Array, kept: Array, c: Array, X: Array) -> None:
        alpha = space.coefficients(trained.W)
        self.coefficients_ = np.zeros((len(c), len(X)))
        self.coefficients_[:, kept] = alpha
        self.signature_ = int((space.signs > 0).sum()), int((space.signs < 0).sum())
        self.prototype_labels_ = self.classes_[c]
        self._half = 0.5 * ((alpha @ D) * alpha).sum(axis=1)
        # A copy: the caller's array may change, and BLAS multiplies an array by itself in another order.
        self._examples = np.empty((0, 0)) if self.metric == "precomputed" else X.copy()
        self._set_trace(trained.outcome)

    def _compute_dissimilarities(self, X: Array, Y: Array) -> Array:
        """Dissimilarities of the rows of X and Y, in float64."""
        given = X if self.metric == "precomputed" else pairwise_distances(X, Y, self.metric)
        return np.asarray(given, dtype=np.float64)

    def _square_metric(self, given: Array) -> Array:
        return given if self.squared or self.metric == "sqeuclidean" else given**2

    def _allows_missing(self) -> bool:
        return False

    def _compute_distances(self, X: Array) -> Array:
        D = self._square_metric(self._compute_dissimilarities(X, self._examples))
        return D @ self.coefficients_.T - self._half

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = tags.input_tags.positive_only = self.metric == "precomputed"
        return tags
