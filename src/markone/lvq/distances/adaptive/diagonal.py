"""Adaptive weights of the features: (5.13) with a diagonal matrix (relevance learning)."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from markone.lvq.distances.base import Distance, Pull, Rows
from markone.numerics.arrays import Array


@dataclass(frozen=True)
class Diagonal(Distance):
    """d = sum_i lambda_i (x_i - w_i)^2 with lambda = omega^2; Omega is one row (1, N) of omega."""

    adapts: ClassVar[str] = "diagonal"

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        assert Omega is not None
        relevance = (Omega * Omega)[0]
        WL = W * relevance
        D = rows.X @ (-2 * WL.T)
        D += (rows.squared_values @ relevance)[:, None]
        D += (W * WL).sum(axis=1) if rows.seen is None else rows.seen @ (W * WL).T
        np.maximum(D, 0, out=D)

        def pull(R: Array) -> tuple[Array, Array | None]:
            RX, counts = R.T @ rows.X, rows.weight_sums(R)
            dW = 2 * relevance * (counts * W - RX)
            d_relevance = R.sum(axis=1) @ rows.squared_values + (W * (counts * W - 2 * RX)).sum(axis=0)
            return dW, 2 * Omega * d_relevance

        return D, pull
