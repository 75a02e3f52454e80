"""From potentials to scores and labels, with sign(0) = +1 (1.5)."""

from typing import Any

import numpy as np

from markone.numerics.arrays import Array


def above_zero(scores: Array) -> Array:
    """For readers who take > 0 for the second class, as scikit-learn does, where sign(0) = +1.

    Zeros are no rare chance: on-line AdaTron with eta = 1 leaves the last example it corrected at E = 0.
    """
    return np.where(scores == 0, np.finfo(scores.dtype).tiny, scores)


def rounded(values: Array, dtype: Any) -> Array:
    """What was computed in float64, in the precision of the inputs; what is not zero stays so.

    A potential of -1e-50 would be 0 in float32, and 0 counts as +1: the answer would depend on the rounding.
    """
    if values.dtype == dtype:
        return values
    limits = np.finfo(dtype)
    found = np.clip(values, limits.min, limits.max).astype(dtype)
    lost = (found == 0) & (values != 0)
    found[lost] = np.copysign(limits.tiny, values[lost])
    return np.asarray(found)


def as_scores(potentials: Array, dtype: Any = np.float64) -> Array:
    """Potentials (n, K) of K problems as scikit-learn has them: (n,) where there is one, of two classes."""
    scores = rounded(potentials, dtype)
    return above_zero(scores.ravel()) if scores.shape[1] == 1 else scores


def winning_labels(scores: Array, classes: Array) -> Array:
    """The sign chooses between two classes, the largest score among more."""
    winner = (scores >= 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
    return np.asarray(classes[winner])
