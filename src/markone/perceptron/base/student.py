"""The perceptron as an estimator: translates scikit-learn's X, y to the examples xi, S of the notes.

A student implements the training of one binary problem (`_train`); the clamped input, one problem per class,
certificates and prediction are implemented here.
"""

import math
from collections.abc import Callable
from dataclasses import field
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import check_is_fitted

from markone.base.checks import check_warm_start
from markone.base.input_validation import validate_data
from markone.base.onnx_graph import linear_model
from markone.base.scores import as_scores
from markone.base.sklearn_compat import draw_seeds, fit_context
from markone.numerics.arrays import Array
from markone.numerics.threads import map_in_threads
from markone.perceptron.base.certified import Certified
from markone.perceptron.base.parameters import FREE, ClampedInput
from markone.perceptron.base.problem import Problem, Trained
from markone.perceptron.measures import certify_student, returned_stability

WeightFunction = Callable[[Any, Array], Array | None]


class Student(ClampedInput, Certified):
    """A perceptron sign(w . xi - theta): the base of all students in the original input space.

    The threshold is the weight of a clamped input (3.4), a last column of constant value
    `intercept_scaling`. It is part of the norm |w| and so of every stability: the larger the
    clamped value, the smaller its contribution.

    Attributes
    ----------
    coef_ : array (1, N), or (K, N) for K > 2 classes
        The weights.
    intercept_ : array (1,), or (K,)
        The threshold, as an additive term.
    stability_ : float
        kappa of this student on the training examples.
    stability_bounds_ : tuple of float
        Proven bounds (lower, upper) on the optimal stability.
    converged_ : bool
        Whether the stop rule was met.
    n_iter_ : int
        Epochs used.
    n_updates_ : int
        Updates made.
    """

    coef_: Array = field(init=False)
    intercept_: Array = field(init=False)

    def _train(self, problem: Problem, start: Trained | None) -> Trained:
        raise NotImplementedError

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> Self:
        """Train on the examples X (n_samples, n_features), dense or sparse, with labels y."""
        return self._read_and_fit(X, y)

    def _read_and_fit(self, X: Any, y: Any, weigh: WeightFunction | None = None) -> Self:
        X, y = self._read_data(X, y)
        return self._fit_rows(X, y, weigh)

    def _fit_rows(self, X: Any, y: Array, weigh: WeightFunction | None = None) -> Self:
        """Train on rows that have been validated."""
        starts = self._warm_starts(X, y)
        self._set_classes(y)
        weights = weigh(X, y) if weigh else None
        problems = self._make_problems(self._append_clamped_input(X), y, weights)
        starts = starts if len(starts) == len(problems) else [None] * len(problems)

        def train(k: int) -> tuple[Trained, tuple[float, float]]:
            p, t = problems[k], self._train(problems[k], starts[k])
            return t, self._prove_returned(p, t, t.bounds or certify_student(t.w, t.x, p.X, p.S))

        found = map_in_threads(train, range(len(problems)), getattr(self, "n_jobs", None))
        trained, bounds = [t for t, _ in found], [b for _, b in found]
        self._set_weights(trained)
        self._set_outcome(trained, bounds)
        self._store_stream_state(len(y))
        self._warn(trained)
        return self

    def _prove_returned(
        self, problem: Problem, trained: Trained, bounds: tuple[float, float]
    ) -> tuple[float, float]:
        """The bounds, the lower one for `intercept_` as returned, which may be rounded."""
        if not self.fit_intercept or math.frexp(self._clamped_value())[0] == 0.5:
            return bounds
        some = slice(None) if problem.weights is None else problem.weights > 0
        X, S = problem.X[some], problem.S[some]
        return returned_stability(trained.w, self._clamped_value(), X, S), bounds[1]

    def _store_stream_state(self, P: int) -> None:
        """Store what `partial_fit` needs to continue from this fit."""

    def _make_problems(self, X: Any, y: Array, weights: Array | None) -> list[Problem]:
        targets = self._make_targets(y)
        seeds = draw_seeds(getattr(self, "random_state", None), len(targets))
        return [Problem(X, S, weights, seed) for S, seed in zip(targets, seeds, strict=True)]

    def _append_clamped_input(self, X: Any) -> Any:
        """Append the clamped input (3.4); a free threshold is the weight of the input 1."""
        value = self._clamped_value()
        if sparse.issparse(X):
            X = X.astype(np.float64, copy=False)
            if self.fit_intercept:
                X = sparse.hstack([X, np.full((X.shape[0], 1), value)], format="csr")
            X.sum_duplicates()
            # One type of index for all sparse inputs: another one would be compiled again.
            index = np.int32 if X.nnz < 2**31 else np.int64
            return sparse.csr_array((X.data, X.indices.astype(index), X.indptr.astype(index)), X.shape)
        if self.fit_intercept:
            # A clamped value that float32 cannot represent would define another problem.
            dtype = X.dtype if float(X.dtype.type(value)) == value else np.float64
            return np.hstack([X, np.full((X.shape[0], 1), value)], dtype=dtype)
        return X

    def _clamped_value(self) -> float:
        return 1.0 if self.fit_intercept == FREE else self.intercept_scaling

    def _warm_starts(self, X: Any, y: Array) -> list[Trained | None]:
        """Previous results to start from, if `warm_start` is set and the last fit had the same shape."""
        if not getattr(self, "warm_start", False) or not hasattr(self, "coef_"):
            return []
        check_warm_start(self.coef_.shape[1], X.shape[1])
        if not np.array_equal(self.classes_, np.unique(y)):
            return []
        strengths = np.atleast_2d(getattr(self, "embedding_", np.zeros((1, 0))))
        same = strengths.shape == (len(self.coef_), len(y))
        return [Trained(w, strengths[k] if same else None) for k, w in enumerate(self._weights())]

    def _set_weights(self, trained: list[Trained]) -> None:
        W = np.array([t.w for t in trained])
        self.coef_ = W[:, :-1].copy() if self.fit_intercept else W
        self.intercept_ = W[:, -1] * self._clamped_value() if self.fit_intercept else np.zeros(len(W))

    def _weights(self) -> Array:
        """Weights including that of the clamped input: the argument of `_set_weights`."""
        if not self.fit_intercept:
            return self.coef_.copy()
        return np.hstack([self.coef_, self.intercept_[:, None] / self._clamped_value()])

    def to_onnx(self) -> Any:
        """Return an ONNX model: input X (n, N) float64, outputs label and scores (n, K). Needs markone[onnx].

        The scores are those of `decision_function`; if K = 1 the sign gives the label.

        Examples
        --------
        >>> from markone import Hebb
        >>> model = Hebb().fit([[0.0, 1.0], [1.0, 0.0]], ["up", "down"]).to_onnx()
        >>> [output.name for output in model.graph.output]
        ['label', 'scores']
        """
        check_is_fitted(self)
        lengths = self._potential_divisors()
        return linear_model(self.coef_ / lengths[:, None], self.intercept_ / lengths, self.classes_)

    def _potential_divisors(self) -> Array:
        """Divisors of the potentials: |w| if `normalize` is set, else 1."""
        w = self.coef_ if self.fit_intercept == FREE else self._weights()
        lengths = np.linalg.norm(w, axis=1)
        return np.where((lengths > 0) & self.normalize, lengths, 1.0)

    def decision_function(self, X: Any) -> Array:
        """The potential w . xi - theta, without the label; divided by |w| if `normalize` is set.

        For two classes a potential of zero, i.e. +1 (1.5), is returned as the smallest float above.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)
        scores = safe_sparse_dot(X, self.coef_.T, dense_output=True) + self.intercept_
        if self.normalize:
            scores /= self._potential_divisors()
        return as_scores(scores, X.dtype)
