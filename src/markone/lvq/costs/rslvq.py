"""Cost of robust soft LVQ: cross-entropy of the posterior probabilities of a Gaussian mixture."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from markone.lvq.costs.base import Cost, Targets
from markone.numerics.arrays import Array


def mixture_posteriors(D: Array, c: Array, sigma2: float, C: int = 0) -> Array:
    """P(k|x) = sum over prototypes of class k of exp(-d/2 sigma^2), normalised: by log-sum-exp.

    C: number of classes, more than in `c` if some have no prototype yet.
    """
    f = -D / (2 * sigma2)
    f = np.exp(f - f.max(axis=1, keepdims=True))
    mass = np.stack([f[:, c == k].sum(axis=1) for k in range(C or int(c.max()) + 1)], axis=1)
    return mass / mass.sum(axis=1, keepdims=True)


@dataclass(frozen=True)
class RSLVQCost(Cost):
    """E = -mean ln( sum_{right j} e^f_j / sum_j e^f_j ), f = -d / (2 sigma^2).

    A price multiplies the weight of the wrong class in the denominator: a larger distance from classes
    whose confusion is expensive.
    """

    scale_free: ClassVar[bool] = False

    def evaluate(self, D: Array, targets: Targets, sigma2: float) -> tuple[float, Array, float]:
        f = -D / (2 * sigma2)
        if targets.prices is not None:
            price = np.where(targets.is_right, 1.0, targets.prices[targets.y[:, None], targets.c[None]])
            f = f + np.log(price)
        # All sums relative to their largest term; those of the right class to its own.
        f = f - f.max(axis=1, keepdims=True)
        own = f - targets.wrong_excluded
        best = own.max(axis=1, keepdims=True)
        all_, right = np.exp(f), np.exp(own - best)
        total, mine = all_.sum(axis=1, keepdims=True), right.sum(axis=1, keepdims=True)
        # Q = P_y(j|x) - P(j|x), and dE/df = -Q.
        Q = right / mine - all_ / total
        share = targets.mean_weights
        E = float((share * (np.log(total / mine) - best)[:, 0]).sum(dtype=np.float64))
        R = Q * np.reshape(share, (-1, 1)) / (2 * sigma2)
        return E, R.astype(D.dtype, copy=False), float(-(R * D).sum(dtype=np.float64))

    def cost_sharpness(self, d: float, sigma2: float) -> float:
        return max(1.0, d / (2 * sigma2))
