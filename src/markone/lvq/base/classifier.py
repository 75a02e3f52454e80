"""Base class of nearest prototype classifiers; labels are converted to 0 .. C-1 internally.

Subclasses define the training and the distances (`_compute_distances`); validation, weights, initial
prototypes, prediction and scores are here.
"""

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import field
from typing import Annotated, Any

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from markone.base.checks import check_labels, check_size, distinct_classes
from markone.base.input_validation import validate_data
from markone.base.parameters import COUNT, Parameters, RandomState
from markone.base.sklearn_compat import BaseEstimator, ClassifierMixin, StrOptions
from markone.base.weights import example_weights
from markone.lvq.base.initialisation import STARTS, counts_per_class, first_prototypes, given_prototypes
from markone.lvq.distances.row_statistics import is_sparse
from markone.numerics.arrays import Array
from markone.numerics.threads import threadpool_controller

# Products of two squared distances of larger values overflow in training; so do weights beyond these.
LARGEST = {np.dtype(np.float64): 1e70, np.dtype(np.float32): 1e15}
LEAST_WEIGHT, LARGEST_WEIGHT = 1e-100, 1e100
# Multiplications per evaluation below which a second thread does not pay off.
SMALL = 2e8


def one_thread(X: Array, M: int) -> AbstractContextManager[Any]:
    """Limit BLAS and OpenMP (k-means) to one thread for small problems; M prototypes or classes.

    On a busy machine two threads wait for each other: 50 times the CPU time for BLAS, 10 for k-means.
    """
    # Glibc returns freed blocks of more than 128 kB to the system at once, and each new one costs page
    # faults: half the time of a step on 1797 x 64. Freeing one block of 16 MB raises that limit.
    np.empty(2**21)
    small = X.size * (X.shape[1] + M) < SMALL
    return threadpool_controller().limit(limits=1) if small else nullcontext()


def check_values(X: Any) -> None:
    """Raise ValueError for values whose squares overflow and for rows without an observed value."""
    if is_sparse(X):
        check_size(X.data)
        if np.isnan(X.data).any():
            raise ValueError("Sparse X cannot have missing values (NaN). Give a dense array or fill them in.")
        return
    check_size(X)
    if np.isfinite(X.sum()):
        return
    empty = np.isnan(X).all(axis=1)
    if empty.any():
        row = int(np.flatnonzero(empty)[0])
        raise ValueError(f"Row {row} of X has no observed value, only NaN. Remove such rows.")


def check_squares(X: Any) -> None:
    """Raise ValueError if X is not zero, but all squares of its values are, or have lost digits."""
    values = np.asarray(X.data if is_sparse(X) else X)
    largest = float(np.nanmax(np.abs(values), initial=0.0))
    if largest > 0 and values.dtype.type(largest) ** 2 < np.finfo(values.dtype).tiny:
        raise ValueError(
            f"The largest value of X is {largest:.3g}, so small that all squared distances are zero, or have "
            "lost their digits. Scale X to about one."
        )


class PrototypeClassifier(Parameters, ClassifierMixin, BaseEstimator):
    """Nearest prototype classifier (5.2): predicts the class of the closest of `prototypes_`.

    Parameters
    ----------
    prototypes_per_class : int, list in the order of the classes, or mapping label -> int
        Number of prototypes of each class.
    initial : {"kmeans", "means", "examples", "toolbox"}
        Initial prototypes: k-means in each class (a single one: the class mean), around the class mean,
        random examples, or class means times 0.99 .. 1.01 as in the GMLVQ toolbox.
    random_state : int, RandomState or None
        Seed of the random numbers; an int makes the result reproducible.

    Attributes
    ----------
    prototype_labels_ : array (M,)
        Class of each prototype.
    classes_ : array (C,)
        The labels, sorted.
    """

    prototypes_per_class: Annotated[Any, COUNT, Mapping, "array-like"] = 1
    initial: Annotated[str, StrOptions(set(STARTS))] = "kmeans"
    random_state: RandomState = None
    classes_: Array = field(init=False)
    prototypes_: Array = field(init=False)
    prototype_labels_: Array = field(init=False)

    def _allows_missing(self) -> bool:
        """True if NaN in X means "not observed" and is left out of the distance."""
        return True

    def _allows_sparse(self) -> bool:
        """True if X may be sparse (CSR)."""
        return False

    def _compute_distances(self, X: Array) -> Array:
        """Distances of (validated) rows from all prototypes: squared Euclidean unless overridden."""
        seen = ~np.isnan(X)
        X0, W = np.where(seen, X, 0.0), self.prototypes_
        D = (X0 * X0).sum(axis=1)[:, None] - 2 * X0 @ W.T + seen.astype(X.dtype) @ (W * W).T
        return np.maximum(D, 0.0)

    def _read_data(self, X: Any, y: Any, *, reset: bool = True) -> tuple[Array, Array]:
        X, y = validate_data(self, X, y, reset=reset, **self._input_requirements())
        self._check_rows(X)
        check_size(X.data if is_sparse(X) else X, LARGEST[X.dtype])
        if reset:
            check_squares(X)
        check_labels(y)
        return X, y

    def _read_rows(self, X: Any) -> Array:
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **self._input_requirements())
        self._check_rows(X)
        return X

    def _input_requirements(self) -> dict[str, Any]:
        finite = "allow-nan" if self._allows_missing() else True
        demands = {"dtype": [np.float64, np.float32], "order": "C", "ensure_all_finite": finite}
        return demands | ({"accept_sparse": "csr"} if self._allows_sparse() else {})

    def _check_rows(self, X: Array) -> None:
        """Check the values of X, beyond being numbers."""
        check_values(X)

    def _set_classes(self, y: Array) -> Array:
        """Set `classes_`; returns the labels as indices into it."""
        self.classes_ = distinct_classes(y, type(self).__name__)
        return np.searchsorted(self.classes_, y)

    def _apply_weights(
        self, X: Array, y: Array, sample_weight: Any, least: int = 2
    ) -> tuple[Array, Array, Array | None]:
        """Rows, class indices y and sample_weight x class_weight (None: all one); weight 0 is left out.

        At least `least` classes must remain; a batch of a stream may have a single one.
        """
        class_weight, labels = getattr(self, "class_weight", None), self.classes_[y]
        weights = example_weights(X, labels, self.classes_, sample_weight, class_weight, least)
        if weights is None:
            return X, y, None
        if not LEAST_WEIGHT <= weights.max() <= LARGEST_WEIGHT:
            raise ValueError(
                f"The largest weight of an example is {weights.max():.3g}: choose it nearer to one."
            )
        kept = weights > 0
        if kept.all():
            return X, y, weights
        return X[kept], y[kept], weights[kept]

    def _error_costs(self) -> Array | None:
        """Validated cost[y, c] of predicting class c for class y; None: all errors cost the same."""
        if getattr(self, "cost_matrix", None) is None:
            return None
        C, costs = len(self.classes_), np.asarray(self.cost_matrix, dtype=np.float64)
        if costs.shape != (C, C):
            raise ValueError(
                f"cost_matrix must be {C} x {C}, rows true and columns predicted class in the order "
                f"{self.classes_.tolist()}; its shape is {costs.shape}."
            )
        off = costs[~np.eye(C, dtype=bool)]
        if not 0 < off.min() <= off.max() <= LARGEST_WEIGHT or not np.isfinite(costs).all():
            raise ValueError(
                "cost_matrix must be finite with positive prices off its diagonal, up to "
                f"{LARGEST_WEIGHT:g}; the smallest is {off.min():g}, the largest {off.max():g}."
            )
        return costs

    def _place_prototypes(self, X: Array, y: Array, weights: Array | None) -> tuple[Array, Array]:
        """Initial prototypes (M, N) and their class indices (M,)."""
        if getattr(self, "initial_prototypes", None) is not None:
            vectors, labels = self.initial_prototypes, self.initial_labels
            W, c = given_prototypes(vectors, labels, self.classes_, X.shape[1], X.dtype)
            check_size(W, LARGEST[W.dtype])
            return W, c
        rng = check_random_state(self.random_state)
        counts = counts_per_class(self.prototypes_per_class, self.classes_)
        return first_prototypes(X, y, self.classes_, counts, self.initial, weights, rng)

    def _set_trace(self, outcome: Any) -> None:
        """Set `trace_`, `cost_` and `n_iter_` from the outcome of a solver."""
        self.trace_ = outcome.trace_table()
        # A stream that has shown a single class has no cost yet.
        if len(self.trace_):
            self.cost_ = float(self.trace_["cost"][-1])
            self._refuse_divergence(self.trace_["cost"])
        self.n_iter_ = max(1, outcome.n_iter)

    def _refuse_divergence(self, values: Any) -> None:
        if not np.isfinite(values).all():
            raise ValueError(
                f"The training of {type(self).__name__} diverged: some values are not finite. Scale X to "
                "about one, or choose parameters nearer to their defaults."
            )

    def _set_prototypes(self, W: Array, c: Array) -> None:
        # Distances need the squares.
        self._refuse_divergence(np.vdot(W, W))
        self.prototypes_ = W
        self.prototype_labels_ = self.classes_[c]

    def distances(self, X: Any) -> Array:
        """Distances of the rows of X from the prototypes, (n_samples, n_prototypes)."""
        X = self._read_rows(X)
        return self._compute_distances(X).astype(X.dtype, copy=False)

    def predict(self, X: Any) -> Array:
        """Label of the nearest prototype (5.2); of ties the first."""
        winner = self.distances(X).argmin(axis=1)
        return self.prototype_labels_[winner]

    def decision_function(self, X: Any) -> Array:
        """Score (d_notk - d_k) / (d_notk + d_k) of each class k, in [-1, 1]; two classes: `classes_[1]`."""
        D = self.distances(X)
        mine = [D[:, self.prototype_labels_ == label].min(axis=1, initial=np.inf) for label in self.classes_]
        rest = [D[:, self.prototype_labels_ != label].min(axis=1, initial=np.inf) for label in self.classes_]
        own, other = np.stack(mine, axis=1), np.stack(rest, axis=1)
        total = own + other
        near = (total > 0) & np.isfinite(total)
        scores = np.divide(other - own, total, out=np.zeros_like(total), where=near)
        # A class not yet seen by partial_fit has no prototype: infinite distance.
        scores[np.isinf(own)], scores[np.isinf(other)] = -1, 1
        return scores[:, 1] if len(self.classes_) == 2 else scores

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._allows_missing()
        tags.input_tags.sparse = self._allows_sparse()
        return tags


class GivenPrototypes(Parameters):
    """Initial prototypes given as vectors (not for combinations of examples).

    Parameters
    ----------
    initial_prototypes, initial_labels : array-like or None
        Given initial vectors and their classes.

    Attributes
    ----------
    prototypes_ : array (M, N)
        The prototypes, in the units of X.
    """

    initial_prototypes: Annotated[Any, "array-like", None] = None
    initial_labels: Annotated[Any, "array-like", None] = None
