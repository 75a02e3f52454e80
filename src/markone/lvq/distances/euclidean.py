"""Squared Euclidean distance (5.11)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from markone.lvq.distances.base import Distance, Pull, Rows
from markone.numerics.arrays import Array


@dataclass(frozen=True)
class Euclidean(Distance):
    """d = |x - w|^2, dd/dw = 2 (w - x), over the observed features."""

    sparse: ClassVar[bool] = True

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        D = rows.X @ (-2 * W.T)
        D += rows.squared_norms[:, None]
        D += (W * W).sum(axis=1) if rows.seen is None else rows.seen @ (W * W).T
        np.maximum(D, 0, out=D)

        def pull(R: Array) -> tuple[Array, Array | None]:
            return 2 * (rows.weight_sums(R) * W - R.T @ rows.X), None

        return D, pull
