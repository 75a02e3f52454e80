"""A regressor fitted to z-scores of the target, predicting in its units."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, RegressorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from markone.numerics.arrays import Array


class ScaledTarget(RegressorMixin, MetaEstimatorMixin, BaseEstimator):
    """Like scikit-learn's TransformedTargetRegressor with z-scores, but with `return_std`.

    Initial weights, C, epsilon and eta are meaningful only for a target of unit scale.

    Parameters
    ----------
    regressor : estimator
        Fitted to (y - mean) / deviation of the training rows.

    Examples
    --------
    >>> import numpy as np
    >>> from markone import LinearUnit
    >>> from markone.tables.regression.scaled_target import ScaledTarget
    >>> X = np.arange(6.0)[:, None]
    >>> ScaledTarget(LinearUnit()).fit(X, 1e6 * X[:, 0]).predict([[10.0]]).round()
    array([10000000.])
    """

    def __init__(self, regressor: Any = None) -> None:
        self.regressor = regressor

    def fit(self, X: Array, y: Array) -> ScaledTarget:
        self.mean_, self.deviation_ = float(np.mean(y)), float(np.std(y)) or 1.0
        self.regressor_ = clone(self.regressor).fit(X, (np.asarray(y) - self.mean_) / self.deviation_)
        self.n_features_in_ = np.shape(X)[1]
        return self

    def predict(self, X: Any) -> Array:
        check_is_fitted(self)
        return np.asarray(self.regressor_.predict(X)) * self.deviation_ + self.mean_

    @property
    def has_std(self) -> bool:
        return _predicts_std(self.regressor)

    def predict_std(self, X: Any) -> Array:
        """Standard deviation of the predictive distribution: noise and weight uncertainty   (2.17)."""
        check_is_fitted(self)
        return np.asarray(self.regressor_.predict(X, return_std=True)[1]) * self.deviation_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = get_tags(self.regressor).input_tags.allow_nan
        return tags


def _predicts_std(regressor: Any) -> bool:
    """Return whether the regressor predicts standard deviations."""
    from inspect import signature

    return "return_std" in signature(regressor.predict).parameters
