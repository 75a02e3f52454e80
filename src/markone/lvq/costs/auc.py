"""The area under the ROC curve of two classes as a cost: correctly ordered pairs."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from markone.lvq.costs.base import PhiCost, Targets
from markone.numerics.arrays import Array

# Number of pairs compared at a time: memory stays linear in the number of examples.
PAIRS = 2**20


@dataclass(frozen=True)
class AUC(PhiCost):
    """E = -mean over pairs Phi(s_i - s_k), i of class 1, k of class 0, s = (d_0 - d_1) / (d_0 + d_1).

    With Phi a steep sigmoid this is minus the area under the ROC curve of the scores s.
    """

    phi: str = "sigmoid"

    # Largest |difference| of two scores.
    reach: ClassVar[float] = 2.0
    usual_phi: ClassVar[str] = "sigmoid"
    additive: ClassVar[bool] = False

    def check_targets(self, targets: Targets) -> None:
        C = int(targets.c.max()) + 1
        if C != 2:
            raise ValueError(f'cost="auc" compares two classes; y holds {C}. Use the default cost.')
        if targets.prices is not None:
            raise ValueError('cost="auc" counts pairs, not errors: it takes no cost_matrix.')

    def _cost_and_slopes(self, s: Array, targets: Targets) -> tuple[float, Array]:
        """E and dE/ds."""
        w = np.ones(len(s)) if targets.weights is None else targets.weights
        one, zero = np.flatnonzero(targets.y == 1), np.flatnonzero(targets.y == 0)
        r, E = np.zeros(len(s)), 0.0
        if not len(one) or not len(zero):
            # A mini-batch of one class has no pairs.
            return E, r
        scale = 1 / (w[one].sum() * w[zero].sum())
        step = max(1, PAIRS // len(zero))
        for start in range(0, len(one), step):
            part = one[start : start + step]
            value, slope = self.value_and_slope(s[part][:, None] - s[zero][None])
            pair = scale * w[part][:, None] * w[zero][None]
            E -= float((pair * value).sum())
            slope = slope * pair
            r[part] -= slope.sum(axis=1)
            r[zero] += slope.sum(axis=0)
        return E, r

    def evaluate(self, D: Array, targets: Targets, sigma2: float) -> tuple[float, Array, float]:
        rows = np.arange(len(D))
        best = [np.flatnonzero(targets.c == k)[D[:, targets.c == k].argmin(axis=1)] for k in (0, 1)]
        d0, d1 = D[rows, best[0]].astype(np.float64), D[rows, best[1]].astype(np.float64)
        total = d0 + d1
        total[total <= 0] = np.inf
        E, r = self._cost_and_slopes((d0 - d1) / total, targets)
        R = np.zeros_like(D)
        R[rows, best[0]] = 2 * r * (d1 / total) / total
        R[rows, best[1]] = -2 * r * (d0 / total) / total
        return E, R, 0.0
