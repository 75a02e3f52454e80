"""The (generalised) Kullback-Leibler divergence."""

from dataclasses import dataclass

import numpy as np
from scipy.special import xlogy

from markone.lvq.distances.base import Pull, Rows
from markone.lvq.distances.divergences.histograms import Divergence
from markone.numerics.arrays import Array


@dataclass(frozen=True)
class KullbackLeibler(Divergence):
    """d = sum_j x_j ln(x_j / w_j) - x_j + w_j, dd/dw = 1 - x/w."""

    def evaluate(self, rows: Rows, W: Array, Omega: Array | None = None) -> tuple[Array, Pull]:
        X = rows.X
        D = (xlogy(X, X) - X).sum(axis=1)[:, None] - X @ np.log(W).T + W.sum(axis=1)

        def pull(R: Array) -> tuple[Array, Array | None]:
            return R.sum(axis=0)[:, None] - (R.T @ X) / W, None

        return np.maximum(D, 0), pull
