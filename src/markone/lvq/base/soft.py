"""Prototypes with probabilities: what RSLVQ and its matrix version share."""

from typing import Any

import numpy as np
from scipy.special import logsumexp

from markone.lvq.base.gradient_base import GradientLVQ
from markone.lvq.costs.rslvq import posteriors
from markone.numerics.arrays import Array


def merged(X: Array, y: Array, weights: Array | None) -> tuple[Array, Array, Array | None]:
    """Equal examples as one with their summed weight, in an order of their own (that of their bytes).

    Separable data have no minimum of the cost: where training stops then depends on the last digits of the
    sums. This way weights and repetitions, and any order of the examples, are one problem to the last bit.
    """
    keys = np.column_stack([X + X.dtype.type(0), y.astype(X.dtype)])
    keys = keys.view(np.dtype((np.void, keys.itemsize * keys.shape[1]))).ravel()
    _, first, of = np.unique(keys, return_index=True, return_inverse=True)
    if weights is None and len(first) == len(y):
        return X[first], y[first], None
    return X[first], y[first], np.bincount(of, weights)


class SoftLVQ(GradientLVQ):
    """Adds the posteriors P(k|x) of the mixture of Gaussians around the prototypes, and decides by them."""

    sigma2: Any

    def _gather(self, X: Array, y: Array, weights: Array | None) -> tuple[Array, Array, Array | None]:
        return merged(X, y, weights)

    def _width(self) -> dict[str, Any]:
        """sigma^2 of the training."""
        learned = isinstance(self.sigma2, str)
        return {"sigma2": None if learned else self.sigma2, "learn_sigma2": learned}

    def predict_proba(self, X: Any) -> Array:
        """P(k|x) for each class k, columns in the order of `classes_`."""
        # In double precision: what float32 keeps of 1 - P is too little for a logarithm.
        D = self.distances(X).astype(np.float64)
        return posteriors(D, np.searchsorted(self.classes_, self.prototype_labels_), self.sigma2_)

    def predict(self, X: Any) -> Array:
        """The most probable class: that of the nearest prototype, where each class has one."""
        winner = self.predict_proba(X).argmax(axis=1)
        return self.classes_[winner]

    def decision_function(self, X: Any) -> Array:
        """ln P(k|x) - ln(1 - P(k|x)), the log odds of each class; two classes: of `classes_[1]`."""
        f = self._exponents(X)
        mine = [logsumexp(f[:, self.prototype_labels_ == label], axis=1) for label in self.classes_]
        rest = [logsumexp(f[:, self.prototype_labels_ != label], axis=1) for label in self.classes_]
        odds = np.stack(mine, axis=1) - np.stack(rest, axis=1)
        return odds[:, 1] if len(self.classes_) == 2 else odds

    def predict_log_proba(self, X: Any) -> Array:
        """ln P(k|x), finite where P(k|x) itself is too small for a number."""
        f = self._exponents(X)
        mine = [logsumexp(f[:, self.prototype_labels_ == label], axis=1) for label in self.classes_]
        return np.stack(mine, axis=1) - logsumexp(f, axis=1, keepdims=True)

    def _exponents(self, X: Any) -> Array:
        return -self.distances(X).astype(np.float64) / (2 * self.sigma2_)
