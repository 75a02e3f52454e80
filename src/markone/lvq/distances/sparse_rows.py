"""Statistics of sparse rows (CSR) without making them dense."""

from typing import Any

import numpy as np
from scipy import sparse

from markone.numerics.arrays import Array


def is_sparse(X: Any) -> bool:
    return bool(sparse.issparse(X))


def squared_lengths(X: Any) -> Array:
    return np.asarray(X.multiply(X).sum(axis=1)).ravel()


def sparse_mean(X: Any, weights: Array | None) -> Array:
    """Mean of each feature, in double precision."""
    ones = np.ones(X.shape[0]) if weights is None else weights
    return np.asarray(ones @ X / ones.sum()).ravel()


def sparse_variance(X: Any, weights: Array | None) -> Array:
    """Variance of each feature."""
    return np.maximum(sparse_mean(X.multiply(X).tocsr(), weights) - sparse_mean(X, weights) ** 2, 0.0)


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
