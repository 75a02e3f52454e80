"""Minkowski distances (5.10), from the sum of deviations (p = 1) to the largest one (p = infinity)."""

from dataclasses import dataclass

import numpy as np

from markone.lvq.distances.base import Distance, Pull, Rows
from markone.numerics.arrays import Array


def _minkowski_norm(A: Array, p: float) -> Array:
    """(sum_j A_j^p)^(1/p) of deviations A >= 0, scaled by the largest against overflow."""
    top = A.max(axis=1)
    if np.isinf(p):
        return top
    scaled = A / np.where(top > 0, top, 1)[:, None]
    return top * (scaled**p).sum(axis=1) ** (1 / p)


def _minkowski_slopes(difference: Array, d: Array, p: float) -> Array:
    """dd/dw_j = sign(w_j - x_j) (|w_j - x_j| / d)^(p-1); for p = infinity the largest deviation alone."""
    A = np.abs(difference)
    if np.isinf(p):
        first = np.zeros_like(A)
        first[np.arange(len(A)), A.argmax(axis=1)] = 1
        return np.sign(difference) * first
    share = A / np.where(d > 0, d, 1)[:, None]
    return np.sign(difference) * (share ** (p - 1) if p > 1 else 1)


@dataclass(frozen=True)
class Minkowski(Distance):
    """d = (sum_j |x_j - w_j|^p)^(1/p) over the observed features.

    Parameters
    ----------
    p : float, default=2.0
        1 or more; `numpy.inf` for the largest deviation.
    """

    p: float = 2.0

    def fit_constants(self, X: Array, y: Array, c: Array, weights: Array | None = None) -> Distance:
        if not self.p >= 1:
            raise ValueError(f"The Minkowski distance needs p >= 1; p is {self.p}.")
        return self

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        def deviation(j: int) -> Array:
            return W[j] - rows.X if rows.seen is None else rows.seen * W[j] - rows.X

        # One prototype after the other: no temporary is larger than X.
        D = np.stack([_minkowski_norm(np.abs(deviation(j)), self.p) for j in range(len(W))], axis=1)

        def pull(R: Array) -> tuple[Array, Array | None]:
            dW = np.zeros_like(W)
            for j in map(int, np.flatnonzero(R.any(axis=0))):
                dW[j] = R[:, j] @ _minkowski_slopes(deviation(j), D[:, j], self.p)
            return dW, None

        return D, pull
