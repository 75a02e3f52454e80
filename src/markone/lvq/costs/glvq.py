"""Cost of generalised LVQ: relative distance of the nearest right and wrong prototype   (5.5)."""

from dataclasses import dataclass

import numpy as np

from markone.lvq.costs.base import PhiCost, Targets
from markone.numerics.arrays import Array


@dataclass(frozen=True)
class GLVQCost(PhiCost):
    """E = mean Phi(e), e = (d_J - d_K) / (d_J + d_K), J nearest right, K nearest wrong prototype."""

    phi: str = "identity"

    def _nearest_pairs(self, D: Array, targets: Targets) -> tuple[Array, Array, Array, Array, Array]:
        """K, the flat indices of d_J and d_K in D, d_J and d_K."""
        J, K = (D + targets.wrong_excluded).argmin(axis=1), (D + targets.right_excluded).argmin(axis=1)
        at_J, at_K = targets.row_offsets + J, targets.row_offsets + K
        return K, at_J, at_K, D.take(at_J), D.take(at_K)

    def _priced_weights(self, targets: Targets, K: Array) -> Array | float:
        """Weight of each example, times the price of predicting the class of K."""
        if targets.prices is None:
            return targets.mean_weights
        return targets.mean_weights * targets.prices[targets.y, targets.c[K]]

    def value(self, D: Array, targets: Targets, sigma2: float) -> float:
        K, _, _, right, wrong = self._nearest_pairs(D, targets)
        total = right + wrong
        e = (right - wrong) / np.where(total > 0, total, 1)
        return float((self._priced_weights(targets, K) * self.value_and_slope(e)[0]).sum(dtype=np.float64))

    def evaluate(self, D: Array, targets: Targets, sigma2: float) -> tuple[float, Array, float]:
        K, at_J, at_K, right, wrong = self._nearest_pairs(D, targets)
        total = right + wrong
        # Both distances zero: e = 0 with zero gradient.
        total[total <= 0] = np.inf
        e = (right - wrong) / total
        value, slope = self.value_and_slope(e)
        share = self._priced_weights(targets, K)
        R = np.zeros(D.size, D.dtype)
        # Two divisions: the square of a tiny sum would underflow.
        R[at_J] = 2 * share * slope * (wrong / total) / total
        R[at_K] = -2 * share * slope * (right / total) / total
        return float((share * value).sum(dtype=np.float64)), R.reshape(D.shape), 0.0
