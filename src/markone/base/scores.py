"""From potentials to scores and labels, with sign(0) = +1 (1.5)."""

from typing import Any

import numpy as np

from markone.numerics.arrays import Array


def replace_zeros(scores: Array) -> Array:
    """Replace 0 by the smallest positive number, since sign(0) = +1 but scikit-learn tests for > 0.

    Zeros are not rare: on-line AdaTron with eta = 1 leaves the last example it corrected at E = 0.
    """
    return np.where(scores == 0, np.finfo(scores.dtype).tiny, scores)


def round_to_dtype(values: Array, dtype: Any) -> Array:
    """Round float64 values to the precision of the inputs; nonzero values stay nonzero.

    A potential of -1e-50 would be 0 in float32, and 0 counts as +1: the label would depend on the rounding.
    """
    if values.dtype == dtype:
        return values
    limits = np.finfo(dtype)
    found = np.clip(values, limits.min, limits.max).astype(dtype)
    lost = (found == 0) & (values != 0)
    found[lost] = np.copysign(limits.tiny, values[lost])
    return np.asarray(found)


def as_scores(potentials: Array, dtype: Any = np.float64) -> Array:
    """Convert potentials (n, K) of K problems to scikit-learn's shape: (n,) for one problem (two classes)."""
    scores = round_to_dtype(potentials, dtype)
    return replace_zeros(scores.ravel()) if scores.shape[1] == 1 else scores


def winning_labels(scores: Array, classes: Array) -> Array:
    """Labels by the sign of the score (two classes) or by the largest score (more)."""
    winner = (scores >= 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
    return np.asarray(classes[winner])
