"""Means, variances and distinct rows, over observed values; sparse rows (CSR) are not made dense."""

from typing import Any

import numpy as np
from scipy import sparse

from markone.numerics.arrays import Array


def is_sparse(X: Any) -> bool:
    return bool(sparse.issparse(X))


def squared_lengths(X: Any) -> Array:
    return np.asarray(X.multiply(X).sum(axis=1)).ravel()


def _sparse_mean(X: Any, weights: Array | None) -> Array:
    """Mean of each feature, in double precision."""
    ones = np.ones(X.shape[0]) if weights is None else weights
    return np.asarray(ones @ X / ones.sum()).ravel()


def sparse_variance(X: Any, weights: Array | None) -> Array:
    """Variance of each feature."""
    return np.maximum(_sparse_mean(X.multiply(X).tocsr(), weights) - _sparse_mean(X, weights) ** 2, 0.0)


def sparse_row_keys(X: Any) -> Array:
    """Byte string of each row, equal for equal rows."""
    X = X.tocsr(copy=True)
    X.sum_duplicates()
    X.eliminate_zeros()
    ends = zip(X.indptr[:-1], X.indptr[1:], strict=True)
    found = np.empty(X.shape[0], dtype=object)
    found[:] = [X.indices[a:b].astype(np.int64).tobytes() + X.data[a:b].tobytes() for a, b in ends]
    return found


def count_distinct_rows(X: Any) -> int:
    """Number of distinct rows, sparse or dense."""
    return len(set(sparse_row_keys(X))) if is_sparse(X) else len(np.unique(X, axis=0))


def class_mean(X: Array, weights: Array | None) -> Array:
    """(Weighted) mean of the observed values of each feature; NaN where none is observed."""
    if is_sparse(X):
        return _sparse_mean(X, weights)
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
        return sparse_variance(X, weights)
    return class_mean((X - class_mean(X, weights)) ** 2, weights)


def merge_examples(X: Array, y: Array, weights: Array | None) -> tuple[Array, Array, Array | None]:
    """Distinct examples with their summed weights, sorted by their bytes.

    For separable data the cost has no minimum: where training stops depends on the rounding of sums. Merged,
    weights and repetitions, and any order of the examples, are the same problem to the last bit.
    """
    _, first, of = np.unique(_labelled_keys(X, y), return_index=True, return_inverse=True)
    if weights is None and len(first) == len(y):
        return X[first], y[first], None
    return X[first], y[first], np.bincount(of, weights)


def _labelled_keys(X: Array, y: Array) -> Array:
    """Bytes of each row and its class."""
    if is_sparse(X):
        found = sparse_row_keys(X)
        found[:] = [key + int(k).to_bytes(8, "little") for key, k in zip(found, y, strict=True)]
        return found
    keys = np.column_stack([X + X.dtype.type(0), y.astype(X.dtype)])
    return keys.view(np.dtype((np.void, keys.itemsize * keys.shape[1]))).ravel()


def merge_if_needed(X: Array, y: Array, weights: Array | None) -> tuple[Array, Array, Array | None]:
    """As `merge_examples`, but distinct examples of equal weights keep their order."""
    found = merge_examples(X, y, weights)
    even = weights is None or bool((weights == weights[0]).all())
    return (X, y, weights) if even and len(found[1]) == len(y) else found
