"""Chance, and how often it has been asked."""

from __future__ import annotations

import numpy as np
from scipy import stats

from markone.numerics.arrays import Array

# The chance that any of the columns is named although nothing is there.
LEVEL = 0.01


def depends_on_class(mask: Array, codes: Array) -> float:
    """Fisher's exact test of a mask against each class and the rest, times the number of classes."""
    K = int(codes.max()) + 1
    inside, total = np.bincount(codes[mask], minlength=K), np.bincount(codes, minlength=K)
    outside, least = total - inside, 1.0
    for k in range(K if K > 2 else 1):
        mine = [inside[k], outside[k]]
        rest = [inside.sum() - inside[k], outside.sum() - outside[k]]
        least = min(least, float(stats.fisher_exact([mine, rest])[1]))
    return min(1.0, least * (K if K > 2 else 1))
