"""Equal examples as one: then weights and repetitions are the same problem."""

import numpy as np

from markone.lvq.distances import sparse_rows
from markone.lvq.distances.sparse_rows import is_sparse
from markone.numerics.arrays import Array


def merged(X: Array, y: Array, weights: Array | None) -> tuple[Array, Array, Array | None]:
    """Equal examples as one with their summed weight, in an order of their own (that of their bytes).

    Separable data have no minimum of the cost: where training stops then depends on the last digits of the
    sums. This way weights and repetitions, and any order of the examples, are one problem to the last bit.
    """
    _, first, of = np.unique(labelled_keys(X, y), return_index=True, return_inverse=True)
    if weights is None and len(first) == len(y):
        return X[first], y[first], None
    return X[first], y[first], np.bincount(of, weights)


def labelled_keys(X: Array, y: Array) -> Array:
    """The bytes of each row and of its class."""
    if is_sparse(X):
        found = sparse_rows.keys(X)
        found[:] = [key + int(k).to_bytes(8, "little") for key, k in zip(found, y, strict=True)]
        return found
    keys = np.column_stack([X + X.dtype.type(0), y.astype(X.dtype)])
    return keys.view(np.dtype((np.void, keys.itemsize * keys.shape[1]))).ravel()


def merged_if_needed(X: Array, y: Array, weights: Array | None) -> tuple[Array, Array, Array | None]:
    """The same, but distinct examples of equal weights are left in the order they came in."""
    found = merged(X, y, weights)
    even = weights is None or bool((weights == weights[0]).all())
    return (X, y, weights) if even and len(found[1]) == len(y) else found
