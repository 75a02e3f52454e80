"""The Cauchy-Schwarz divergence."""

from dataclasses import dataclass

import numpy as np

from markone.lvq.distances.base import Pull, Rows
from markone.lvq.distances.divergences.histograms import Divergence
from markone.numerics.arrays import Array


@dataclass(frozen=True)
class CauchySchwarz(Divergence):
    """d = ln(|x| |w| / x.w), dd/dw = w/|w|^2 - x/x.w: symmetric, the gamma divergence of gamma = 1."""

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        S, ww = rows.X @ W.T, (W * W).sum(axis=1)
        D = 0.5 * np.log(rows.squared_norms)[:, None] + 0.5 * np.log(ww) - np.log(S)

        def pull(R: Array) -> tuple[Array, Array | None]:
            return (R.sum(axis=0) / ww)[:, None] * W - (R / S).T @ rows.X, None

        return np.maximum(D, 0), pull
