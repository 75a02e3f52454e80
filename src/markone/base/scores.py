"""From potentials to scores and labels, with sign(0) = +1 (1.5)."""

import numpy as np

from markone.numerics.arrays import Array


def above_zero(scores: Array) -> Array:
    """For readers who take > 0 for the second class, as scikit-learn does, where sign(0) = +1.

    Zeros are no rare chance: on-line AdaTron with eta = 1 leaves the last example it corrected at E = 0.
    """
    return np.where(scores == 0, np.finfo(np.float64).tiny, scores)


def as_scores(potentials: Array) -> Array:
    """Potentials (n, K) of K problems as scikit-learn has them: (n,) where there is one, of two classes."""
    return above_zero(potentials.ravel()) if potentials.shape[1] == 1 else potentials


def winning_labels(scores: Array, classes: Array) -> Array:
    """The sign chooses between two classes, the largest score among more."""
    winner = (scores >= 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
    return np.asarray(classes[winner])
