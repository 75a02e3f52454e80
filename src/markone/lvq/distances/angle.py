"""Angle distance, which depends on the directions of x and w only."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from markone.lvq.distances.base import Distance, Pull, Rows
from markone.numerics.arrays import Array


@dataclass(frozen=True)
class Angle(Distance):
    """d = (exp(-beta (b - 1)) - 1) / (exp(2 beta) - 1), b = x.w / |x||w|.

    0 for equal directions, 1 for opposite ones.

    Parameters
    ----------
    beta : float, default=1.0
        Steepness towards opposite directions; 0: (1 - b) / 2.
    """

    beta: float = 1.0

    moved: ClassVar[bool] = False

    def check(self, X: Array) -> None:
        empty = np.flatnonzero(~(np.nan_to_num(X) != 0).any(axis=1))
        if len(empty):
            raise ValueError(
                f"The angle distance needs rows with a direction, but row {empty[0]} of X is all zero."
            )

    def _distance_of_cosine(self, b: Array) -> tuple[Array, Array]:
        """d and dd/db."""
        if self.beta == 0:
            return (1 - b) / 2, np.full_like(b, -0.5)
        d = np.expm1(-self.beta * (b - 1)) / math.expm1(2 * self.beta)
        return d, -self.beta * (d + 1 / math.expm1(2 * self.beta))

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        x = np.sqrt(rows.squared_norms)[:, None]
        # |w|^2 over the observed features of the row.
        ww = (W * W).sum(axis=1)[None] if rows.seen is None else rows.seen @ (W * W).T
        ww = np.maximum(ww, np.finfo(W.dtype).tiny)
        size = x * np.sqrt(ww)
        b = rows.X @ W.T / size
        d, slope = self._distance_of_cosine(b)

        def pull(R: Array) -> tuple[Array, Array | None]:
            # db/dw = x / |x||w| - b w / |w|^2
            G = R * slope
            return (G / size).T @ rows.X - rows.weight_sums(G * b / ww) * W, None

        return np.maximum(d, 0), pull
