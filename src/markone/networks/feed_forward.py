"""A small network for regression (1.14), and for two or more classes (1.15)."""

from dataclasses import field
from typing import Annotated, Any, Self

import numpy as np
from scipy.special import expit
from scipy.special import softmax as shares
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets

from markone.base.checks import check_known_labels, check_same_classes, distinct_classes
from markone.base.scores import winning_labels
from markone.base.sklearn_compat import ClassifierMixin, RegressorMixin, StrOptions, fit_context
from markone.networks.activations import ACTIVATIONS
from markone.networks.base import FeedForward
from markone.numerics.arrays import Array


class FeedForwardRegressor(RegressorMixin, FeedForward):
    """S = g_out(sum_k v_k g(w^k . xi - theta_k) - phi), trained on (1/2P) sum (S - y)^2 by its gradient.

    Small and simple, for teaching; scale X to a size of about one. For mini-batches or large sets
    use scikit-learn's MLPRegressor or PyTorch.

    Parameters
    ----------
    output : {"linear", "tanh", "erf", "relu"}
        g_out. (1.14) has the same g here as in the hidden units.

    Examples
    --------
    >>> import numpy as np
    >>> from markone import FeedForwardRegressor
    >>> x = np.linspace(-1, 1, 40)[:, None]
    >>> net = FeedForwardRegressor(K=4, random_state=0).fit(x, np.sin(3 * x[:, 0]))
    >>> bool(net.score(x, np.sin(3 * x[:, 0])) > 0.99)
    True
    """

    output: Annotated[str, StrOptions(set(ACTIVATIONS))] = "linear"

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> Self:
        """Train on the examples X (n_samples, n_features) with real targets y."""
        X, y = self._read_data(X, y, True, y_numeric=True)
        self._train_net(X, self._make_targets(y), "squared", self.output)
        return self

    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any) -> Self:
        """One epoch of on-line training, starting from the current weights."""
        X, y = self._read_data(X, y, not hasattr(self, "n_features_in_"), y_numeric=True)
        self._train_net(X, self._make_targets(y), "squared", self.output, more=True)
        return self

    def _make_targets(self, y: Array) -> Array:
        y = np.asarray(y, dtype=np.float64)
        top = float(np.abs(y).max(initial=0.0))
        if self.output in ("tanh", "erf") and top > 1:
            raise ValueError(
                f"output={self.output!r} stays between -1 and 1, but y reaches {top:.3g}: scale y, or use "
                "output='linear'."
            )
        return y[:, None]

    def predict(self, X: Any) -> Array:
        """S of each row of X."""
        return ACTIVATIONS[self.output].g(self._output_potentials(X))[:, 0]


class FeedForwardClassifier(ClassifierMixin, FeedForward):
    """The class of the largest output, or with two classes the sign of the one output (1.15).

    Small and simple, for teaching; scale X to a size of about one. For mini-batches or large sets
    use scikit-learn's MLPClassifier or PyTorch.

    Parameters
    ----------
    loss : {"cross_entropy", "squared"}
        Probabilities, or a regression of +-1 that is thresholded afterwards.

    Attributes
    ----------
    classes_ : array (C,)
        The labels, sorted.

    Examples
    --------
    >>> from markone import FeedForwardClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> FeedForwardClassifier(K=4, random_state=0).fit(X, y).predict(X).tolist()
    [0, 1, 1, 0]
    """

    loss: Annotated[str, StrOptions({"cross_entropy", "squared"})] = "cross_entropy"
    classes_: Array = field(init=False)

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> Self:
        """Train on the examples X (n_samples, n_features) with labels y."""
        X, y = self._read_data(X, y, True)
        check_classification_targets(y)
        self.classes_ = distinct_classes(y, type(self).__name__)
        self._train_net(X, self._make_targets(y), self._loss_name(), "linear")
        return self

    @fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """One epoch of on-line training; the first call must give all `classes` (or have them in y)."""
        first = not hasattr(self, "classes_")
        X, y = self._read_data(X, y, first)
        check_classification_targets(y)
        if first:
            self.classes_ = distinct_classes(y if classes is None else classes, type(self).__name__)
        check_same_classes(classes, self.classes_)
        check_known_labels(y, self.classes_)
        self._train_net(X, self._make_targets(y), self._loss_name(), "linear", more=True)
        return self

    def _loss_name(self) -> str:
        if self.loss == "squared":
            return "squared"
        return "logistic" if len(self.classes_) == 2 else "softmax"

    def _make_targets(self, y: Array) -> Array:
        """One column for two classes, else one per class; 0 and 1, or -1 and 1 for the squared loss."""
        named = self.classes_[1:] if len(self.classes_) == 2 else self.classes_
        Y: Array = (y[:, None] == named).astype(np.float64)
        return 2 * Y - 1 if self.loss == "squared" else Y

    def decision_function(self, X: Any) -> Array:
        """The output potentials: one number a row for two classes, else one for each class."""
        out = self._output_potentials(X)
        return out[:, 0] if out.shape[1] == 1 else out

    def predict(self, X: Any) -> Array:
        """The label of each row of X; sign(0) = +1 (1.5)."""
        return winning_labels(self.decision_function(X), self.classes_)

    @available_if(lambda self: self.loss == "cross_entropy")
    def predict_proba(self, X: Any) -> Array:
        """The probability of each class."""
        out = self._output_potentials(X)
        if out.shape[1] > 1:
            return np.asarray(shares(out, axis=1))
        p = expit(out)
        return np.hstack([1 - p, p])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self.architecture != "soft_committee"
        return tags
