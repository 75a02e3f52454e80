"""Imputation, and z-scores of inputs and of a numeric target, fitted on the training part only."""

from __future__ import annotations

import warnings
from inspect import signature
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, RegressorMixin, TransformerMixin, clone
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.preprocessing import TargetEncoder
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from markone.errors import BadTable
from markone.numerics.arrays import Array

# Squares of larger z-scores overflow.
LARGEST_Z_SCORE = 1e150


class Scaling(TransformerMixin, BaseEstimator):
    """The first `n_numbers` inputs become (x - mean) / deviation; the 0/1 inputs behind them stay.

    The last `n_coded` inputs are codes of texts; each becomes the mean of the target of its code (of each of
    more than two classes), then a z-score. In training the means are those of other rows (cross-fitting).

    Parameters
    ----------
    n_numbers : int
        Number of inputs to scale.
    scale : {"standard", "none"}
    fill : {"median", "mean", "mask"}
        Replacement of a missing value: median or mean of its column, or NaN.
    n_coded : int
        Number of inputs that are codes.
    """

    def __init__(
        self, n_numbers: int = 0, scale: str = "standard", fill: str = "mask", n_coded: int = 0
    ) -> None:
        self.n_numbers = n_numbers
        self.scale = scale
        self.fill = fill
        self.n_coded = n_coded

    def fit(self, X: Array, y: Any = None) -> Scaling:
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X: Array, y: Any = None) -> Array:
        """Fit to the training rows, and return them with the means of other rows for codes."""
        self.n_features_in_ = X.shape[1]
        if self.n_coded:
            kind = "continuous" if np.asarray(y).dtype.kind == "f" else "multiclass"
            if kind == "multiclass" and len(np.unique(y)) == 2:
                kind = "binary"
            # Folds of the cross-fitting: five, or as many as the rarest class has rows.
            fewest = len(y) if kind == "continuous" else int(np.unique(y, return_counts=True)[1].min())
            self.encoder_ = TargetEncoder(target_type=kind, **_cross_fitting(max(2, min(5, fewest)), kind))
            plain, codes = X[:, : -self.n_coded], X[:, -self.n_coded :]
            X = np.hstack([plain, self.encoder_.fit_transform(codes, y)])
            self.encoder_.set_params(cv=2)  # `transform` needs none, and a saved model holds no splitter
        self._fit_numbers(X)
        return self._scale_numbers(X)

    def output_names(self, names: list[str]) -> list[str]:
        """Names of the transformed inputs: a code has one for each of more than two classes."""
        if not self.n_coded or self.encoder_.target_type_ != "multiclass":
            return names
        coded = [
            f"{name}: mean of {label}" for name in names[-self.n_coded :] for label in self.encoder_.classes_
        ]
        return names[: -self.n_coded] + coded

    def _fit_numbers(self, X: Array) -> None:
        # Moments in units of the largest number: the squares of 1e200 and 1e-200 over- or underflow.
        unit = np.abs(np.where(np.isnan(X), 0.0, X)).max(axis=0)
        unit = np.where(unit > 0, unit, 1.0)
        with warnings.catch_warnings():
            # A column that is empty in one fold has neither mean nor deviation; 0 and 1 are used.
            warnings.filterwarnings("ignore", category=RuntimeWarning)
            middle = np.nanmedian if self.fill == "median" else np.nanmean
            self.fill_ = np.nan_to_num(middle(X / unit, axis=0)) * unit
            filled = self._fill_missing(X) / unit
            mean, deviation = np.nanmean(filled, axis=0) * unit, np.nanstd(filled, axis=0) * unit
        place = np.arange(X.shape[1])
        keep = (place >= self.n_numbers) & (place < self.n_features_in_ - self.n_coded)
        keep |= self.scale == "none"
        self.mean_ = np.where(keep | np.isnan(mean), 0.0, mean)
        # The deviation of a constant column is rounding error, about 1e-16 of its size.
        flat = ~(deviation > 1e-12 * np.abs(mean))
        self.deviation_ = np.where(keep | flat, 1.0, deviation)

    def _fill_missing(self, X: Array) -> Array:
        return X if self.fill == "mask" else np.where(np.isnan(X), self.fill_, X)

    def transform(self, X: Array) -> Array:
        check_is_fitted(self)
        if self.n_coded:
            X = np.hstack([X[:, : -self.n_coded], self.encoder_.transform(X[:, -self.n_coded :])])
        return self._scale_numbers(X)

    def _scale_numbers(self, X: Array) -> Array:
        with np.errstate(over="ignore"):
            Z = (self._fill_missing(X) - self.mean_) / self.deviation_
        beyond = np.argwhere(np.abs(Z) > LARGEST_Z_SCORE)
        if len(beyond):
            row, column = beyond[0]
            raise BadTable(
                f"The number {X[row, column]:.6g} is so far from the others of its column that its z-score "
                "overflows: check it, leave the column out with --drop, or set --scale none."
            )
        return Z

    def inverse_transform(self, Z: Array) -> Array:
        """Back to the units of the table."""
        return Z * self.deviation_ + self.mean_


def _cross_fitting(folds: int, kind: str) -> dict[str, Any]:
    """Arguments of TargetEncoder for shuffled folds: since scikit-learn 1.9 a generator, before a number."""
    if signature(TargetEncoder).parameters["random_state"].default != "deprecated":
        return {"cv": folds, "random_state": 0}
    splitter = KFold if kind == "continuous" else StratifiedKFold
    return {"cv": splitter(folds, shuffle=True, random_state=0)}


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
    >>> from markone.tables.scaling import ScaledTarget
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
        return "return_std" in signature(self.regressor.predict).parameters

    def predict_std(self, X: Any) -> Array:
        """Standard deviation of the predictive distribution: noise and weight uncertainty   (2.17)."""
        check_is_fitted(self)
        return np.asarray(self.regressor_.predict(X, return_std=True)[1]) * self.deviation_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = get_tags(self.regressor).input_tags.allow_nan
        return tags
