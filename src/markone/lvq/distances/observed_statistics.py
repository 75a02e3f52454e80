"""Means and variances over the observed values."""

import numpy as np

from markone.lvq.distances import sparse_rows
from markone.lvq.distances.sparse_rows import is_sparse
from markone.numerics.arrays import Array


def class_mean(X: Array, weights: Array | None) -> Array:
    """(Weighted) mean of the observed values of each feature; NaN where none is observed."""
    if is_sparse(X):
        return sparse_rows.sparse_mean(X, weights)
    mean = X.mean(axis=0, dtype=np.float64) if weights is None else weights @ X / weights.sum()
    if np.isfinite(mean).all():
        return mean
    seen = ~np.isnan(X)
    counted = seen if weights is None else seen * weights[:, None]
    total = counted.sum(axis=0)
    sums = (np.where(seen, X, 0.0) * counted).sum(axis=0, dtype=np.float64)
    return np.divide(sums, total, out=np.full(X.shape[1], np.nan), where=total > 0)


def feature_variances(X: Array, weights: Array | None) -> Array:
    """(Weighted) variance of each feature over the observed values."""
    if is_sparse(X):
        return sparse_rows.sparse_variance(X, weights)
    return class_mean((X - class_mean(X, weights)) ** 2, weights)
