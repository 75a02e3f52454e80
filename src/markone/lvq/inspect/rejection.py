"""Rejection of inputs near the class borders, by one threshold or one per class.

The certainty of a prediction is (d_rival - d_winner) / (d_rival + d_winner): 0 on the border, 1 on a
prototype; it needs no probability. L. Fischer, B. Hammer, H. Wersing, Neurocomputing 169 (2015) 334-342.
"""

from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Annotated, Any

import numpy as np
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.utils.validation import check_is_fitted

from markone.base.parameters import Examples, Parameters, RandomState, documented
from markone.base.sklearn_compat import (
    BaseEstimator,
    ClassifierMixin,
    HasMethods,
    Interval,
    StrOptions,
    fit_context,
)
from markone.numerics.arrays import Array


@documented
def certainty(model: Any, X: Examples) -> Array:
    """Certainty of the prediction of each row: the largest score (two classes: |score|).

    Parameters
    ----------
    model : fitted classifier
        With `decision_function`.

    Returns
    -------
    array (n,)
        For prototypes between 0, on the border, and 1, on a prototype.

    Examples
    --------
    >>> from markone import NearestPrototype
    >>> from markone.lvq import certainty
    >>> model = NearestPrototype().fit([[0.0], [2.0], [10.0], [12.0]], ["low", "low", "high", "high"])
    >>> certainty(model, [[6.0], [1.0]]).tolist()
    [0.0, 1.0]
    """
    scores = np.asarray(model.decision_function(X))
    return np.abs(scores) if scores.ndim == 1 else scores.max(axis=1)


@dataclass(frozen=True)
class AccuracyReject:
    """`accuracy` of the fraction `answered` of predictions with a certainty of at least `threshold`."""

    threshold: Array
    answered: Array
    accuracy: Array

    @property
    def area(self) -> float:
        """Area under the curve of accuracy over answered fraction, 0 to 1."""
        return float(np.trapezoid(np.r_[self.accuracy[0], self.accuracy], np.r_[0.0, self.answered]))


def accuracy_reject_curve(correct: Any, certainty: Any) -> AccuracyReject:
    """Accuracy over the accepted fraction of predictions, from most to least certain.

    Predictions of equal certainty are accepted or rejected together.

    Parameters
    ----------
    correct : array (n,) of bool
        True where the prediction is correct.
    certainty : array (n,)
        Certainty of the prediction.

    Returns
    -------
    AccuracyReject
        `threshold`, `answered` and `accuracy` along the curve, and its `area`.

    Examples
    --------
    >>> from markone.lvq import accuracy_reject_curve
    >>> curve = accuracy_reject_curve([True, True, False], [0.9, 0.8, 0.1])
    >>> curve.answered.round(2).tolist(), curve.accuracy.round(2).tolist()
    ([0.33, 0.67, 1.0], [1.0, 1.0, 0.67])
    """
    correct, certainty = np.asarray(correct, dtype=float), np.asarray(certainty, dtype=float)
    if correct.shape != certainty.shape or correct.ndim != 1 or not len(correct):
        raise ValueError(
            f"correct has shape {correct.shape}, certainty {certainty.shape}: "
            "both need one number per prediction."
        )
    order = np.argsort(-certainty, kind="stable")
    last = np.r_[np.diff(certainty[order]) != 0, True]
    count = np.arange(1, len(order) + 1)[last]
    return AccuracyReject(certainty[order][last], count / len(order), np.cumsum(correct[order])[last] / count)


class Rejecting(Parameters, MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Classifier that rejects uncertain predictions, by thresholds from out-of-fold certainties.

    Parameters
    ----------
    estimator : classifier with `decision_function`
        GMLVQ() or any other; it is cloned.
    accuracy : float
        Required accuracy of the accepted predictions; the largest fraction that reaches it out of fold is
        accepted. If none does, everything is rejected.
    thresholds : {"global", "local"}
        One threshold, or one for each predicted class.
    reject_label : label or None
        Returned by `predict` instead of a label. None: predictions are objects.
    folds : int
        Folds of the stratified cross-validation for the thresholds.
    random_state : int, RandomState or None
        Seed of the folds.

    Attributes
    ----------
    estimator_ : classifier
        Fitted on all examples.
    threshold_ : array (n_classes,)
        Required certainty of each class; infinite: none of its answers is accepted.
    curve_ : AccuracyReject
        Accuracy over answered fraction, out of fold.

    Examples
    --------
    >>> from markone import GMLVQ, Rejecting
    >>> from markone.data import load
    >>> iris = load("iris")
    >>> model = Rejecting(GMLVQ(random_state=0), accuracy=0.99, reject_label=-1, random_state=0)
    >>> answers = model.fit(iris.X, iris.y).predict(iris.X)
    >>> bool(0 < (answers == -1).mean() < 0.5)
    True
    """

    estimator: Annotated[Any, HasMethods(["fit", "decision_function"])] = field(kw_only=False)
    accuracy: Annotated[float, Interval(Real, 0, 1, closed="right")] = 0.99
    thresholds: Annotated[str, StrOptions({"global", "local"})] = "global"
    reject_label: Annotated[Any, object] = None
    folds: Annotated[int, Interval(Integral, 2, None, closed="left")] = 5
    random_state: RandomState = None

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any) -> "Rejecting":
        """Fit on all examples; choose the thresholds out of fold."""
        if np.ndim(self.reject_label):
            raise ValueError(f"reject_label = {self.reject_label!r} is no label: give one string or number.")
        y = np.asarray(y)
        cut = StratifiedKFold(self.folds, shuffle=True, random_state=self.random_state)
        scores = cross_val_predict(self.estimator, X, y, cv=cut, method="decision_function")
        self.estimator_ = clone(self.estimator).fit(X, y)
        self.classes_ = self.estimator_.classes_
        winner = (scores >= 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        sure = np.abs(scores) if scores.ndim == 1 else scores.max(axis=1)
        correct = self.classes_[winner] == y
        self.curve_ = accuracy_reject_curve(correct, sure)
        groups = [winner >= 0] * len(self.classes_)
        if self.thresholds == "local":
            groups = [winner == k for k in range(len(self.classes_))]
        self.threshold_ = np.array([_lowest_threshold(correct[g], sure[g], self.accuracy) for g in groups])
        if hasattr(self.estimator_, "n_features_in_"):
            self.n_features_in_ = self.estimator_.n_features_in_
        return self

    def accepts(self, X: Any) -> Array:
        """True for each row whose prediction is accepted."""
        check_is_fitted(self)
        predicted = np.searchsorted(self.classes_, self.estimator_.predict(X))
        return np.asarray(certainty(self.estimator_, X) >= self.threshold_[predicted])

    def predict(self, X: Any) -> Array:
        """Label of each row, or `reject_label`."""
        accepted = self.accepts(X)
        label = self.estimator_.predict(X)
        # Strings are not truncated, numbers not converted to strings; None makes objects.
        other = np.asarray(self.reject_label).dtype
        label = label.astype(np.result_type(label.dtype, other) if other.kind == label.dtype.kind else object)
        label[~accepted] = self.reject_label
        return label

    def decision_function(self, X: Any) -> Array:
        check_is_fitted(self)
        return np.asarray(self.estimator_.decision_function(X))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Accuracy of the accepted predictions; NaN if there are none."""
        accepted = self.accepts(X)
        if not accepted.any():
            return float("nan")
        right = self.estimator_.predict(X)[accepted] == np.asarray(y)[accepted]
        weight = None if sample_weight is None else np.asarray(sample_weight)[accepted]
        return float(np.average(right, weights=weight))


def _lowest_threshold(correct: Array, sure: Array, accuracy: float) -> float:
    """Lowest threshold with this accuracy of the accepted predictions; infinite if there is none."""
    if not len(correct):
        return np.inf
    curve = accuracy_reject_curve(correct, sure)
    good = np.flatnonzero(curve.accuracy >= accuracy)
    return float(curve.threshold[good[-1]]) if len(good) else np.inf
