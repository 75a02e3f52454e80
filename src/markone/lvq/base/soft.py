"""Base class of prototype classifiers with probabilities: RSLVQ and its matrix versions."""

from typing import Any

import numpy as np
from scipy.special import logsumexp

from markone.lvq.base.equal_examples import merge_examples
from markone.lvq.base.gradient_base import GradientLVQ
from markone.lvq.base.parameters import MixtureWidth
from markone.lvq.costs.rslvq import mixture_posteriors
from markone.numerics.arrays import Array


class SoftLVQ(MixtureWidth, GradientLVQ):
    """Classification by the posteriors P(k|x) of a mixture of Gaussians around the prototypes."""

    def _merge_examples(self, X: Array, y: Array, weights: Array | None) -> tuple[Array, Array, Array | None]:
        return merge_examples(X, y, weights)

    def _width_settings(self) -> dict[str, Any]:
        """Training settings of sigma^2."""
        learned = isinstance(self.sigma2, str)
        return {"sigma2": None if learned else self.sigma2, "learn_sigma2": learned}

    def predict_proba(self, X: Any) -> Array:
        """Posteriors P(k|x), columns in the order of `classes_`; always in double precision."""
        # 1 - P in float32 is too inaccurate for a logarithm.
        D = self.distances(X).astype(np.float64)
        c = np.searchsorted(self.classes_, self.prototype_labels_)
        return mixture_posteriors(D, c, self.sigma2_, len(self.classes_))

    def predict(self, X: Any) -> Array:
        """Most probable class; with one prototype per class that of the nearest."""
        winner = self.predict_proba(X).argmax(axis=1)
        return self.classes_[winner]

    def decision_function(self, X: Any) -> Array:
        """Log odds ln P(k|x) - ln(1 - P(k|x)) of each class; two classes: of `classes_[1]`."""
        f, dtype = self._log_densities(X)
        odds = (self._log_class_masses(f, np.equal) - self._log_class_masses(f, np.not_equal)).astype(
            dtype, copy=False
        )
        return odds[:, 1] if len(self.classes_) == 2 else odds

    def predict_log_proba(self, X: Any) -> Array:
        """ln P(k|x), finite also where P(k|x) underflows."""
        f, _ = self._log_densities(X)
        return self._log_class_masses(f, np.equal) - logsumexp(f, axis=1, keepdims=True)

    def _log_densities(self, X: Any) -> tuple[Array, Any]:
        """-d / 2 sigma^2 in double precision, and the dtype of the distances."""
        D = self.distances(X)
        return -D.astype(np.float64) / (2 * self.sigma2_), D.dtype

    def _log_class_masses(self, f: Array, compare: Any) -> Array:
        """ln sum e^f over the prototypes of each class, or over all others (-inf where there are none)."""
        chosen = [compare(self.prototype_labels_, label) for label in self.classes_]
        nothing = np.full(len(f), -np.inf)
        return np.stack([logsumexp(f[:, m], axis=1) if m.any() else nothing for m in chosen], axis=1)
