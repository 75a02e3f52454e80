"""Prediction sets: the plausible classes of a row, with a given share of sets that contain the true one.

Conformal prediction of Vovk, Gammerman and Shafer (2005), with the margin of a class as its conformity.
"""

from dataclasses import field
from numbers import Integral, Real
from typing import Annotated, Any, Self

import numpy as np
from sklearn.base import MetaEstimatorMixin, clone
from sklearn.model_selection import StratifiedKFold
from sklearn.utils.validation import check_is_fitted

from markone.base.parameters import Parameters, RandomState
from markone.base.sklearn_compat import (
    BaseEstimator,
    ClassifierMixin,
    HasMethods,
    Interval,
    StrOptions,
    fit_context,
)
from markone.numerics.arrays import Array


def class_margins(scores: Any) -> Array:
    """Margin of each class: its score less the largest of the others, (n, K).

    Parameters
    ----------
    scores : array (n, K) or (n,)
        Of shape (n,): those of the second of two classes, with the border at 0.

    Returns
    -------
    array (n, K)
        Positive for the predicted class.

    Examples
    --------
    >>> from markone.evaluation import class_margins
    >>> class_margins([[3.0, 1.0, 2.0]]).tolist(), class_margins([0.5]).tolist()
    ([[1.0, -2.0, -1.0]], [[-0.5, 0.5]])
    """
    scores = np.asarray(scores, dtype=float)
    if scores.ndim == 1:
        return np.stack([-scores, scores], axis=1)
    top = np.sort(scores, axis=1)[:, -2:]
    margins: Array = scores - np.where(scores == top[:, 1:], top[:, :1], top[:, 1:])
    return margins


def margin_thresholds(margins: Any, true: Any, level: float, per_class: bool = False) -> Array:
    """Least margin of a plausible class, for each class, from left-out rows.

    The ceil((n + 1) level)-th largest margin of the true class: sets of the classes above it contain the true
    class of a further row with probability `level` at least. With `per_class` this holds in each class.

    Parameters
    ----------
    margins : array (n, K)
        As returned by `class_margins` on rows that the model has not seen.
    true : array (n,)
        Index of the true class.
    level : float
        Share of the sets that contain the true class.
    per_class : bool, default=False
        One threshold for each class from its own rows (Mondrian).

    Returns
    -------
    array (K,)
        -inf where the rows are too few for this level: the class is in every set.

    Examples
    --------
    >>> import numpy as np
    >>> from markone.evaluation import margin_thresholds
    >>> margin_thresholds(np.array([[0.9, -0.9]] * 9 + [[-0.5, 0.5]]), np.zeros(10, int), 0.8).tolist()
    [0.9, 0.9]
    """
    margins, true = np.asarray(margins), np.asarray(true)
    own = margins[np.arange(len(true)), true]
    parts = [own[true == k] for k in range(margins.shape[1])] if per_class else [own] * margins.shape[1]
    found = []
    for part in parts:
        place = int(np.ceil((len(part) + 1) * level - 1e-9))
        found.append(-np.inf if place > len(part) else float(np.sort(part)[::-1][place - 1]))
    return np.array(found)


class ConformalClassifier(Parameters, MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Classifier that predicts sets of plausible classes with a given coverage, by conformal prediction.

    Needs scores only, no probabilities. For rows drawn like the training rows, a share `level` of the sets
    contains the true class. A set is empty where even the best class is less plausible than that.

    Parameters
    ----------
    estimator : classifier with `decision_function` or `predict_proba`
        Any of markone or scikit-learn; it is cloned.
    level : float
        Share of the sets that contain the true class.
    method : {"cross", "split"}
        "cross": thresholds from cross-validation, the estimator is fitted to all rows; coverage holds up to
        the difference between the models of the folds and the final one. "split": a share 1 / folds of the
        rows is held out for the thresholds, and coverage is guaranteed.
    per_class : bool
        Coverage in each class (Mondrian).
    folds : int
        Folds of the cross-validation.
    random_state : int, RandomState or None
        Seed of the folds.

    Attributes
    ----------
    estimator_ : classifier
        The fitted estimator.
    classes_ : array (n_classes,)
        The labels.
    threshold_ : array (n_classes,)
        Least margin of each class in a set.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from markone import GMLVQ
    >>> from markone.evaluation import ConformalClassifier
    >>> iris = load_iris()
    >>> model = ConformalClassifier(GMLVQ(random_state=0), level=0.95, random_state=0)
    >>> model = model.fit(iris.data, iris.target)
    >>> sets = model.predict_set(iris.data)
    >>> bool(sets[range(150), iris.target].mean() >= 0.93)
    True
    """

    estimator: Annotated[Any, HasMethods(["fit", "predict"])] = field(kw_only=False)
    level: Annotated[float, Interval(Real, 0, 1, closed="neither")] = 0.9
    method: Annotated[str, StrOptions({"cross", "split"})] = "cross"
    per_class: bool = False
    folds: Annotated[int, Interval(Integral, 2, None, closed="left")] = 5
    random_state: RandomState = None

    @fit_context(prefer_skip_nested_validation=False)
    def fit(self, X: Any, y: Any) -> Self:
        """Fit the estimator, and the thresholds on rows left out."""
        X, y = np.asarray(X), np.asarray(y)
        labels, counts = np.unique(y, return_counts=True)
        if counts.min() < 2:
            raise ValueError(
                f"Class {labels.tolist()[counts.argmin()]!r} has a single example: one is needed to learn "
                "from and one to be left out."
            )
        splits = list(StratifiedKFold(self.folds, shuffle=True, random_state=self.random_state).split(X, y))
        if self.method == "split":
            train, test = splits[0]
            self.estimator_ = clone(self.estimator).fit(X[train], y[train])
            margins = class_margins(_class_scores(self.estimator_, X[test]))
        else:
            self.estimator_ = clone(self.estimator).fit(X, y)
            test = np.concatenate([rows for _, rows in splits])
            fitted = ((clone(self.estimator).fit(X[a], y[a]), b) for a, b in splits)
            margins = np.concatenate([class_margins(_class_scores(model, X[b])) for model, b in fitted])
        self.classes_ = np.asarray(self.estimator_.classes_)
        true = np.searchsorted(self.classes_, y[test])
        self.threshold_ = margin_thresholds(margins, true, self.level, self.per_class)
        if hasattr(self.estimator_, "n_features_in_"):
            self.n_features_in_ = self.estimator_.n_features_in_
        return self

    def predict_set(self, X: Any) -> Array:
        """Whether each class is in the set of each row, (n, n_classes)."""
        check_is_fitted(self)
        return np.asarray(class_margins(_class_scores(self.estimator_, np.asarray(X))) >= self.threshold_)

    def predict(self, X: Any) -> Array:
        """The label that the estimator predicts."""
        check_is_fitted(self)
        return np.asarray(self.estimator_.predict(np.asarray(X)))


def _class_scores(model: Any, X: Array) -> Array:
    """Decision function, or centred probabilities if there is none."""
    if hasattr(model, "decision_function"):
        return np.asarray(model.decision_function(X))
    if hasattr(model, "predict_proba"):
        shares = np.asarray(model.predict_proba(X))
        return shares[:, 1] - 0.5 if shares.shape[1] == 2 else shares
    raise ValueError(
        f"{type(model).__name__} gives labels but no scores: prediction sets need decision_function or "
        "predict_proba."
    )
