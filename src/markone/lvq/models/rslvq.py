"""Robust soft LVQ: posteriors of a Gaussian mixture around the prototypes, with fixed or adaptive metrics."""

from typing import Annotated, Any

import numpy as np
from scipy.special import logsumexp

from markone.base.parameters import POSITIVE, NotNegative
from markone.base.sklearn_compat import StrOptions
from markone.lvq.base.gradient_base import GradientLVQ
from markone.lvq.base.metric import AnyDistance, LocalMatrices, MetricLVQ, OmegaParameters
from markone.lvq.costs import Cost
from markone.lvq.costs.rslvq import RSLVQCost, mixture_posteriors
from markone.lvq.distances import Distance
from markone.lvq.distances.adaptive import Quadratic
from markone.lvq.distances.row_statistics import merge_examples
from markone.numerics.arrays import Array


class SoftLVQ(GradientLVQ):
    """Classification by the posteriors P(k|x) of a mixture of Gaussians around the prototypes.

    Parameters
    ----------
    sigma2 : float, "learned" or None
        Width of the Gaussians, common to all; None: the mean distance of the data from their mean, by
        feature (one for z-scores); "learned": adapted from there.

    Attributes
    ----------
    sigma2_
        Width of the Gaussians, in units of the metric.
    """

    sigma2: Annotated[Any, POSITIVE, StrOptions({"learned"}), None] = None

    def _make_cost(self) -> Cost:
        return RSLVQCost()

    def _model_settings(self) -> dict[str, Any]:
        learned = isinstance(self.sigma2, str)
        width = {"sigma2": None if learned else self.sigma2, "learn_sigma2": learned}
        return super()._model_settings() | width

    def _merge_examples(self, X: Array, y: Array, weights: Array | None) -> tuple[Array, Array, Array | None]:
        return merge_examples(X, y, weights)

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
        """Log odds ln P(k|x) - ln(1 - P(k|x)) of each class; two classes: of `classes_[1]`.

        Infinite while `partial_fit` has not seen all classes.
        """
        f, dtype = self._log_densities(X)
        odds = self._log_class_masses(f, np.equal) - self._log_class_masses(f, np.not_equal)
        odds = odds.astype(dtype, copy=False)
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


class RSLVQ(AnyDistance, SoftLVQ):
    """Prototypes that maximise the likelihood ratio sum ln P(y|x): a classifier with probabilities.

    Seo and Obermayer (2003). `predict` returns the most probable class; with one prototype per class that of
    the nearest. Separable data have no minimum: training stops after 100 steps.

    Examples
    --------
    >>> from markone import RSLVQ
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = RSLVQ(random_state=0).fit(iris.X, iris.y)
    >>> model.predict_proba(iris.X[:1]).round(2).tolist()
    [[1.0, 0.0, 0.0]]
    """

    max_iter: int | None = 100


class MRSLVQ(OmegaParameters, SoftLVQ, MetricLVQ):
    """RSLVQ with d = |Omega (x - w)|^2, Omega adapted with the prototypes.

    Schneider, Biehl and Hammer (2009). The size of Omega acts as a temperature, which tends to zero in
    training. By default training stops after 50 steps; `l2` with `max_iter=1000` regularises instead. The
    final size goes into `sigma2_`, so that `lambda_` has trace one.

    Parameters
    ----------
    l2 : float
        Penalty l2/2 |Omega|^2.

    Examples
    --------
    >>> from markone import MRSLVQ
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = MRSLVQ(random_state=0).fit(iris.X, iris.y)
    >>> model.predict_proba(iris.X[:1]).round(2).tolist()
    [[1.0, 0.0, 0.0]]
    """

    l2: NotNegative = 0.0
    max_iter: int | None = 50

    def _make_distance(self) -> Distance:
        return Quadratic()

    def _model_settings(self) -> dict[str, Any]:
        return super()._model_settings() | {"l2": self.l2}


class LMRSLVQ(LocalMatrices, MRSLVQ):
    """RSLVQ with d_j = |Omega_j (x - w_j)|^2, one matrix per class or prototype.

    Schneider, Biehl and Hammer (2009). As in `MRSLVQ` the size of the matrices is a temperature; they share
    one, since posteriors compare distances of different prototypes. It goes into `sigma2_`, so that the
    traces of `lambda_` have the mean one. Converged it overfits: ten steps by default (ten-fold accuracy on
    iris, wine and breast cancer .967, .972, .975; after fifty .933, .967, .965).

    Examples
    --------
    >>> from markone import LMRSLVQ
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = LMRSLVQ(random_state=0).fit(iris.X, iris.y)
    >>> model.predict_proba(iris.X).shape, bool(model.score(iris.X, iris.y) > 0.95)
    ((150, 3), True)
    """

    max_iter: int | None = 10
