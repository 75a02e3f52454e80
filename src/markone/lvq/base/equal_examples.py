"""Merge equal examples, so that weights and repetitions are the same problem."""

import numpy as np

from markone.lvq.distances import sparse_rows
from markone.lvq.distances.sparse_rows import is_sparse
from markone.numerics.arrays import Array


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
        found = sparse_rows.sparse_row_keys(X)
        found[:] = [key + int(k).to_bytes(8, "little") for key, k in zip(found, y, strict=True)]
        return found
    keys = np.column_stack([X + X.dtype.type(0), y.astype(X.dtype)])
    return keys.view(np.dtype((np.void, keys.itemsize * keys.shape[1]))).ravel()


def merge_if_needed(X: Array, y: Array, weights: Array | None) -> tuple[Array, Array, Array | None]:
    """As `merged`, but distinct examples of equal weights keep their order."""
    found = merge_examples(X, y, weights)
    even = weights is None or bool((weights == weights[0]).all())
    return (X, y, weights) if even and len(found[1]) == len(y) else found
