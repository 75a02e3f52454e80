"""The kernelised distance (5.12) of the Gaussian kernel, prototypes in the space of the data."""

from dataclasses import dataclass, replace

import numpy as np

from markone.lvq.distances.base import Distance, Pull, Rows
from markone.lvq.distances.euclidean import Euclidean
from markone.numerics.arrays import Array


@dataclass(frozen=True)
class Gaussian(Distance):
    """d = 2 - 2 exp(-|x - w|^2 / (2 s^2)), dd/dw = (2/s^2) (w - x) exp(.).

    Parameters
    ----------
    s : float or None, default=None
        Width of the kernel; None: the root of the summed variances of the features.
    """

    s: float | None = None

    def fit_constants(self, X: Array, y: Array, c: Array, weights: Array | None = None) -> Distance:
        if self.s is None:
            spread = float(np.sqrt(np.nanvar(X, axis=0, dtype=np.float64).sum()))
            return replace(self, s=spread if spread > 0 else 1.0)
        if self.s <= 0:
            raise ValueError(f"The width s of the Gaussian kernel must be positive; it is {self.s}.")
        return self

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        assert self.s is not None
        squares, pull = Euclidean().evaluate(rows, W)
        exponent = squares * (-0.5 / self.s**2)
        # expm1: 2 - 2 exp would cancel near a prototype.
        return -2 * np.expm1(exponent), lambda R: pull(R * np.exp(exponent) / self.s**2)
