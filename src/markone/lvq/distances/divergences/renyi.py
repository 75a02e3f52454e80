"""The Renyi divergences, Kullback-Leibler as a -> 1."""

from dataclasses import dataclass

import numpy as np

from markone.lvq.distances.base import Distance, Pull, Rows
from markone.lvq.distances.divergences.histograms import Divergence
from markone.numerics.arrays import Array


@dataclass(frozen=True)
class Renyi(Divergence):
    """d = ln(sum_j x_j^a w_j^(1-a)) / (a - 1), dd/dw = -x^a w^-a / sum x^a w^(1-a).

    Parameters
    ----------
    a : float, default=0.5
        The order, positive and not one.
    """

    a: float = 0.5

    def fit_constants(self, X: Array, y: Array, c: Array, weights: Array | None = None) -> Distance:
        if not self.a > 0 or self.a == 1:
            raise ValueError(
                f"The Renyi divergence needs an order a > 0 other than 1; a is {self.a}. Its limit for "
                "a -> 1 is kullback_leibler."
            )
        return self

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        Xa = rows.X**self.a
        S = Xa @ (W ** (1 - self.a)).T
        D = np.log(S) / (self.a - 1)

        def pull(R: Array) -> tuple[Array, Array | None]:
            return -((R / S).T @ Xa) * W**-self.a, None

        return np.maximum(D, 0), pull
