"""Significance tests of the checks."""

from __future__ import annotations

import numpy as np
from scipy import stats

from markone.numerics.arrays import Array

# Probability of a false finding among all columns.
LEVEL = 0.01


# Rows above which the chi-square approximation is accurate enough, and fast.
MANY_ROWS = 100_000


def class_dependence_p_value(mask: Array, codes: Array) -> float:
    """Fisher's exact test of a mask against each class and the rest, times the number of classes."""
    K = int(codes.max()) + 1
    return class_count_p_value(np.bincount(codes[mask], minlength=K), np.bincount(codes, minlength=K))


def class_count_p_value(inside: Array, total: Array) -> float:
    """The same test from counts: `inside` of the `total` rows of each class are in the mask."""
    K, outside, least = len(total), total - inside, 1.0
    for k in range(K if K > 2 else 1):
        mine = [inside[k], outside[k]]
        rest = [inside.sum() - inside[k], outside.sum() - outside[k]]
        least = min(least, _four_fold_p_value(np.array([mine, rest])))
    return min(1.0, least * (K if K > 2 else 1))


def _four_fold_p_value(counts: Array) -> float:
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    if rows.min() == 0 or columns.min() == 0:
        return 1.0
    least = float(rows.min()) * float(columns.min()) / float(counts.sum())
    if counts.sum() > MANY_ROWS and least > 5:
        return float(stats.chi2_contingency(counts, correction=False).pvalue)
    return float(stats.fisher_exact(counts)[1])


def number_dependence_p_value(mask: Array, y: Array) -> float:
    """Mann-Whitney test of a mask against a numeric target."""
    if not 0 < int(mask.sum()) < len(mask):
        return 1.0
    return float(stats.mannwhitneyu(y[mask], y[~mask]).pvalue)
