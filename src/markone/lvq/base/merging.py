"""Equal examples as one: then weights and repetitions are the same problem."""

import numpy as np

from markone.numerics.arrays import Array


def merged(X: Array, y: Array, weights: Array | None) -> tuple[Array, Array, Array | None]:
    """Equal examples as one with their summed weight, in an order of their own (that of their bytes).

    Separable data have no minimum of the cost: where training stops then depends on the last digits of the
    sums. This way weights and repetitions, and any order of the examples, are one problem to the last bit.
    """
    keys = np.column_stack([X + X.dtype.type(0), y.astype(X.dtype)])
    keys = keys.view(np.dtype((np.void, keys.itemsize * keys.shape[1]))).ravel()
    _, first, of = np.unique(keys, return_index=True, return_inverse=True)
    if weights is None and len(first) == len(y):
        return X[first], y[first], None
    return X[first], y[first], np.bincount(of, weights)


def merged_if_needed(X: Array, y: Array, weights: Array | None) -> tuple[Array, Array, Array | None]:
    """The same, but distinct examples of equal weights are left in the order they came in."""
    found = merged(X, y, weights)
    even = weights is None or bool((weights == weights[0]).all())
    return (X, y, weights) if even and len(found[1]) == len(y) else found
