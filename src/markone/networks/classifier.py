"""A small network for two or more classes (1.15)."""

from dataclasses import field
from typing import Any, ClassVar, Self

import numpy as np
from scipy.special import expit
from scipy.special import softmax as shares
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets

from markone.base.checks import check_known_labels, check_same_classes, distinct_classes
from markone.base.scores import winning_labels
from markone.base.sklearn_compat import ClassifierMixin, StrOptions, fit_context
from markone.networks.base import FeedForward
from markone.numerics.arrays import Array


def _has_probabilities(self: Any) -> bool:
    return bool(self.loss == "cross_entropy")


class FeedForwardClassifier(ClassifierMixin, FeedForward):
    """The class of the largest output, or with two classes the sign of the one output (1.15).

    Small and simple, for teaching; scale X to a size of about one. For mini-batches or large sets
    use scikit-learn's MLPClassifier or PyTorch.

    Parameters
    ----------
    loss : {"cross_entropy", "squared"}
        Probabilities, or a regression of +-1 that is thresholded afterwards.
    architecture : {"general", "soft_committee"}
        A soft committee adds up its hidden units: v_k = 1, phi = 0, not trained. Only for two classes.

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

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "loss": [StrOptions({"cross_entropy", "squared"})],
    }
    loss: str = "cross_entropy"
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

    @available_if(_has_probabilities)
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
