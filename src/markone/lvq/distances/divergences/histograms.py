"""Base class of the divergences: rows and prototypes are histograms, non-negative with sum one."""

from typing import ClassVar

import numpy as np

from markone.lvq.distances.base import Distance
from markone.numerics.arrays import Array

# Empty bins of a prototype start with this fraction of the mean bin: a divergence needs w > 0.
SMALL = 1e-3


def _check_histograms(X: Array) -> None:
    """Raise ValueError unless entries are non-negative and rows have sum one."""
    if X.min(initial=0.0) < 0:
        row, column = np.unravel_index(int(X.argmin()), X.shape)
        raise ValueError(
            f"A divergence compares histograms, but X[{row}, {column}] = {X.min():.4g} is negative. "
            "Use another distance, or convert X to counts."
        )
    sums = X.sum(axis=1, dtype=np.float64)
    wrong = int(np.abs(sums - 1).argmax())
    if abs(sums[wrong] - 1) > 1e-4:
        raise ValueError(
            f"A divergence compares histograms, but row {wrong} of X has the sum {sums[wrong]:.4g}. Divide "
            "each row by its sum."
        )


class Divergence(Distance):
    """Divergence with the parametrisation w = softmax(v): positive with sum one."""

    masks: ClassVar[bool] = False
    moved: ClassVar[bool] = False

    def check(self, X: Array) -> None:
        _check_histograms(X)

    def encode(self, W: Array) -> Array:
        W = W / W.sum(axis=1, keepdims=True)
        return np.log(W + SMALL / W.shape[1])

    def decode(self, V: Array) -> Array:
        W = np.exp(V - V.max(axis=1, keepdims=True))
        # Bounded from below against a division by zero.
        return np.maximum(W / W.sum(axis=1, keepdims=True), 1e-30)

    def pull_back(self, W: Array, dW: Array) -> Array:
        return W * (dW - (W * dW).sum(axis=1, keepdims=True))
