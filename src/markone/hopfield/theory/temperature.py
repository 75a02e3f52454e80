"""Retrieval at temperature T > 0 with Hebbian couplings (Amit, Gutfreund, Sompolinsky 1985, 1987).

Replica symmetric, alpha = P/N, N -> infinity, w_ij = (1/N) sum xi xi, w_ii = 0, one neuron at a time:

    m = int Dz tanh((m + sqrt(alpha r) z)/T),   q = int Dz tanh^2(...),   r = q/(1 - (1 - q)/T)^2.

T = 0 is in `retrieval`. Relative accuracy 1e-9, less within 1e-3 of the line where retrieval ends.
"""

import math
from functools import lru_cache
from typing import Any

import numpy as np

from markone.hopfield.theory import retrieval
from markone.numerics.arrays import apply_elementwise
from markone.numerics.gaussian import phi

# The trapezium rule converges exponentially for smooth functions on the whole line; tanh has a width of
# T/sqrt(alpha r), in which there are about five points at the lowest temperature allowed.
Z = np.linspace(-9.0, 9.0, 4001)
WEIGHTS = phi(Z) * (Z[1] - Z[0])
COLDEST = 0.01
MANY = 100_000


@lru_cache(maxsize=10_000)
def _retrieval_state(alpha: float, T: float) -> tuple[float, float, float]:
    """m, q, r reached from m = 1; m = 0 where the retrieval state is lost."""
    m, q, r = 1.0, 1.0, 1.0
    for _ in range(MANY):
        slope = 1.0 - (1.0 - q) / T
        # At low T all is frozen and slope is near 1; if it is not positive the iteration has not converged.
        r = q / max(slope, 1e-3) ** 2
        t = np.tanh((m + math.sqrt(alpha * r) * Z) / T)
        new_m, new_q = float(WEIGHTS @ t), float(WEIGHTS @ (t * t))
        change = abs(new_m - m) + abs(new_q - q)
        m, q = new_m, new_q
        if change < 1e-13 or m < 1e-4:
            break
    return (m, q, r) if m >= 1e-4 else (0.0, q, r)


@apply_elementwise
def overlap(alpha: float, T: float = 0.0) -> Any:
    """m(alpha, T) of the retrieval state; NaN where there is none (0 for alpha = 0, T >= 1).

    alpha = 0: m = tanh(m/T). T = 0 or 0.01 <= T.
    """
    if alpha < 0 or T < 0 or 0 < T < COLDEST:
        raise ValueError(
            f"alpha = {alpha:g} and T = {T:g}: alpha must be 0 or more, T must be 0 or at least {COLDEST:g}."
        )
    if T == 0:
        return float(retrieval.overlap(alpha))
    if not alpha <= retrieval.capacity():
        return math.nan
    if alpha == 0:
        return _retrieval_state(0.0, float(T))[0] if T < 1 else 0.0
    m = _retrieval_state(float(alpha), float(T))[0]
    return m if m > 0 else math.nan
