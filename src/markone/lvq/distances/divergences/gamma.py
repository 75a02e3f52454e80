"""The gamma divergences, Cauchy-Schwarz at gamma = 1, Kullback-Leibler as gamma -> 0."""

from dataclasses import dataclass

import numpy as np

from markone.lvq.distances.base import Distance, Pull, Rows
from markone.lvq.distances.divergences.histograms import Divergence
from markone.numerics.arrays import Array


@dataclass(frozen=True)
class Gamma(Divergence):
    """d = ln[ (sum x^(g+1))^(1/(g(g+1))) (sum w^(g+1))^(1/(g+1)) / (sum x w^g)^(1/g) ].

    dd/dw = w^g / sum w^(g+1) - x w^(g-1) / sum x w^g.

    Parameters
    ----------
    g : float, default=0.5
        The exponent gamma, positive.
    """

    g: float = 0.5

    def fit_constants(self, X: Array, y: Array, c: Array, weights: Array | None = None) -> Distance:
        if not self.g > 0:
            raise ValueError(
                f"The gamma divergence needs g > 0; g is {self.g}. Its limit is kullback_leibler."
            )
        return self

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        g, Wg = self.g, W**self.g
        S, ww = rows.X @ Wg.T, (Wg * W).sum(axis=1)
        xx = (rows.X ** (g + 1)).sum(axis=1)
        D = np.log(xx)[:, None] / (g * (g + 1)) + np.log(ww) / (g + 1) - np.log(S) / g

        def pull(R: Array) -> tuple[Array, Array | None]:
            return (R.sum(axis=0) / ww)[:, None] * Wg - ((R / S).T @ rows.X) * (Wg / W), None

        return np.maximum(D, 0), pull
