"""The door: X, y as scikit-learn's users have them <-> examples xi, S as the notes have them.

A student says how it trains one binary problem (`_train`); everything else is done here once:
validation, the clamped input, one problem per class, certificates, prediction.
"""

import warnings
from collections.abc import Sequence
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from markone.base.history import History
from markone.base.sklearn_compat import Interval, fit_context
from markone.numerics.arrays import Array
from markone.perceptron.measures import stability_bounds
from markone.perceptron.problem import Problem, Trained

TRACE = np.dtype([("epoch", int), ("errors", int), ("stability", float), ("norm", float), ("mse", float)])


# Squares of larger numbers, summed over a row, would overflow (float32: those of 1e15).
LARGEST = {np.dtype(np.float64): 1e150, np.dtype(np.float32): 1e15}


def _check_size(values: Array) -> None:
    top, limit = max(values.max(initial=0.0), -values.min(initial=0.0)), LARGEST[values.dtype]
    if top > limit:
        raise ValueError(
            f"X holds values up to {top:.3g}, whose squares overflow. Scale X to values of about one."
        )


def above_zero(scores: Array) -> Array:
    """For readers who take > 0 for the second class, as scikit-learn does, where sign(0) = +1.

    Zeros are no rare chance: on-line AdaTron with eta = 1 leaves the last example it corrected at E = 0.
    """
    return np.where(scores == 0, np.finfo(np.float64).tiny, scores)


def as_scores(potentials: Array) -> Array:
    """Potentials (n, K) of K problems as scikit-learn has them: (n,) where there is one, of two classes."""
    return above_zero(potentials.ravel()) if potentials.shape[1] == 1 else potentials


class Door(ClassifierMixin, BaseEstimator):
    """Labels in, labels out; one problem for two classes, one against the rest for more."""

    def _read(self, X: Any, y: Any, *, reset: bool = True, **options: Any) -> tuple[Any, Array]:
        options = {"accept_sparse": "csr", "dtype": [np.float64, np.float32], "order": "C"} | options
        X, y = validate_data(self, X, y, reset=reset, **options)
        _check_size(X.data if sparse.issparse(X) else X)
        # Integers are classes; asking scikit-learn takes longer than some students need to learn.
        if y.dtype.kind not in "bi" and not (y.dtype.kind == "f" and (y == np.rint(y)).all()):
            check_classification_targets(y)
        return X, y

    def _set_classes(self, y: Array) -> None:
        self.classes_ = np.unique(y)
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} needs examples of two classes at least, but y holds only one class: "
                f"{self.classes_[0]!r}."
            )

    def _targets(self, y: Array) -> list[Array]:
        """S = +-1 for each binary problem: the second of two classes, or each class, is +1."""
        positive = self.classes_[1:] if len(self.classes_) == 2 else self.classes_
        return [np.where(y == label, 1.0, -1.0) for label in positive]

    def _label(self, scores: Array) -> Array:
        """sign(0) = +1 (1.5); the largest potential wins where there are more than two classes."""
        winner = (scores >= 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        return self.classes_[winner]

    def predict(self, X: Any) -> Array:
        """The label of each row of X."""
        return self._label(self.decision_function(X))

    def decision_function(self, X: Any) -> Array:
        raise NotImplementedError

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _set_outcome(self, trained: list[Trained], bounds: list[tuple[float, float]]) -> None:
        """Fitted attributes that every student has; plain numbers where there are two classes."""
        many = len(trained) > 1

        def collect(values: list[Any]) -> Any:
            if not many:
                return values[0]
            # Sets of support vectors differ in size: a list of them.
            return np.array(values) if len({np.shape(value) for value in values}) == 1 else values

        self.stability_ = collect([low for low, _ in bounds])
        self.stability_bounds_ = collect(bounds)
        self.converged_ = collect([t.converged for t in trained])
        self.n_updates_ = collect([t.n_updates for t in trained])
        self.n_iter_ = collect([t.n_epochs for t in trained])
        if all(t.x is not None for t in trained):
            self.embedding_ = collect([t.x for t in trained])
        for name in trained[0].extra:
            setattr(self, name, collect([t.extra[name] for t in trained]))
        if any(t.trace for t in trained):
            tables = [np.rec.array(np.array(t.trace, dtype=TRACE)) for t in trained]
            self.trace_ = tables if many else tables[0]
        self._set_history([t.history for t in trained if t.history is not None])

    def _set_history(self, histories: list[History]) -> None:
        self.__dict__.pop("history_", None)
        if histories:
            self.history_ = histories if len(histories) > 1 else histories[0]

    def _warn(self, trained: Sequence[Any]) -> None:
        """One sentence for the first problem that did not end well, and how many more there are."""
        open_ = [k for k, t in enumerate(trained) if t.message]
        if not open_:
            return
        which = f" (class {self.classes_[open_[0]]!r} against the rest" if len(trained) > 1 else ""
        if which:
            which += f"; {len(open_)} of {len(trained)} classes alike)" if len(open_) > 1 else ")"
        message = f"{type(self).__name__}{which} {trained[open_[0]].message}"
        warnings.warn(message, ConvergenceWarning, stacklevel=5)


class Student(Door):
    """A perceptron sign(w . xi - theta): the base of all students in the original input space.

    The threshold is the weight of a clamped input (3.4), a last column of constant value
    `intercept_scaling`. It counts into the norm |w|, and so into every stability: the larger the
    clamped value, the less it costs.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "fit_intercept": ["boolean"],
        "intercept_scaling": [Interval(Real, 0, None, closed="neither")],
        "normalize": ["boolean"],
        "random_state": ["random_state"],
        "trace": ["boolean"],
        "warm_start": ["boolean"],
    }
    fit_intercept: bool
    intercept_scaling: float
    normalize: bool

    def _train(self, problem: Problem, start: Trained | None) -> Trained:
        raise NotImplementedError

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> "Student":
        """Train on the examples X (n_samples, n_features), dense or sparse, with labels y."""
        return self._fit(X, y)

    def _fit(self, X: Any, y: Any, weigh: Any = None) -> "Student":
        X, y = self._read(X, y)
        starts = self._starts(len(y), y)
        self._set_classes(y)
        weights = weigh(X, y) if weigh else None
        problems = self._problems(self._augment(X), y, weights)
        starts = starts if len(starts) == len(problems) else [None] * len(problems)
        trained = [self._train(p, s) for p, s in zip(problems, starts, strict=True)]
        self._set_weights(trained)
        bounds = [stability_bounds(t.w, t.x, p.X, p.S) for t, p in zip(trained, problems, strict=True)]
        self._set_outcome(trained, bounds)
        self._remember(len(y))
        self._warn(trained)
        return self

    def _remember(self, P: int) -> None:
        """What a stream needs to know of this fit to go on from it."""

    def _problems(self, X: Any, y: Array, weights: Array | None) -> list[Problem]:
        rng = check_random_state(getattr(self, "random_state", None))
        return [Problem(X, S, weights, int(rng.randint(2**31 - 1))) for S in self._targets(y)]

    def _augment(self, X: Any) -> Any:
        """Append the clamped input (3.4)."""
        if sparse.issparse(X):
            X = X.astype(np.float64, copy=False)
            if self.fit_intercept:
                X = sparse.hstack([X, np.full((X.shape[0], 1), self.intercept_scaling)], format="csr")
            X.sum_duplicates()
            return sparse.csr_array((X.data, X.indices.astype(np.int32), X.indptr.astype(np.int64)), X.shape)
        if self.fit_intercept:
            return np.hstack([X, np.full((X.shape[0], 1), self.intercept_scaling, dtype=X.dtype)])
        return X

    def _starts(self, P: int, y: Array) -> list[Trained | None]:
        """Where to go on from, if `warm_start` is set and a fit of the same shape is there."""
        if not getattr(self, "warm_start", False) or not hasattr(self, "coef_"):
            return []
        if not np.array_equal(self.classes_, np.unique(y)):
            return []
        strengths = np.atleast_2d(getattr(self, "embedding_", np.zeros((1, 0))))
        same = strengths.shape == (len(self.coef_), P)
        return [Trained(w, strengths[k] if same else None) for k, w in enumerate(self._weights())]

    def _set_weights(self, trained: list[Trained]) -> None:
        W = np.array([t.w for t in trained])
        self.coef_ = W[:, :-1].copy() if self.fit_intercept else W
        self.intercept_ = W[:, -1] * self.intercept_scaling if self.fit_intercept else np.zeros(len(W))

    def _weights(self) -> Array:
        """The weights with that of the clamped input: what `_set_weights` was given."""
        if not self.fit_intercept:
            return self.coef_.copy()
        return np.hstack([self.coef_, self.intercept_[:, None] / self.intercept_scaling])

    def decision_function(self, X: Any) -> Array:
        """The potential w . xi - theta, without the label; divided by |w| if `normalize` is set.

        For two classes a potential of zero, which counts as +1 (1.5), is given as the smallest number above.
        """
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=[np.float64, np.float32], reset=False)
        scores = safe_sparse_dot(X, self.coef_.T, dense_output=True) + self.intercept_
        if self.normalize:
            lengths = np.linalg.norm(self._weights(), axis=1)
            scores /= np.where(lengths > 0, lengths, 1.0)
        return as_scores(scores)
