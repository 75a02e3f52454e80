"""Means over what was observed."""

import numpy as np

from markone.numerics.arrays import Array


def class_mean(X: Array, weights: Array | None) -> Array:
    """The (weighted) mean of the observed values of each feature; NaN where none is observed."""
    mean = X.mean(axis=0, dtype=np.float64) if weights is None else weights @ X / weights.sum()
    if np.isfinite(mean).all():
        return mean
    seen = ~np.isnan(X)
    counted = seen if weights is None else seen * weights[:, None]
    total = counted.sum(axis=0)
    sums = (np.where(seen, X, 0.0) * counted).sum(axis=0, dtype=np.float64)
    return np.divide(sums, total, out=np.full(X.shape[1], np.nan), where=total > 0)
