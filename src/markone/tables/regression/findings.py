"""What may make the score of a regression untrue, each in one sentence with what to do."""

from __future__ import annotations

import numpy as np
from scipy.stats import rankdata, spearmanr

from markone.numerics.arrays import Array
from markone.numerics.text import shortened
from markone.tables.regression.validation import NumberValidation

# A rank correlation that no measurement reaches.
SAME = 0.999
# Robust standard deviations from the median.
FAR = 10.0
SURE = 1e-4


def doubts(X: Array, y: Array, names: list[str]) -> list[str]:
    """What belongs into the headline."""
    ranks = rankdata(y)
    return [*decides_alone(X, ranks, names), *missing_tells(X, ranks, names), *order_tells(y)]


def remarks(y: Array, validation: NumberValidation, rows: list[int]) -> list[str]:
    return [*far_away(y, rows), *spread_grows(y, validation)]


def decides_alone(X: Array, ranks: Array, names: list[str]) -> list[str]:
    full = ~np.isnan(X).any(axis=0)
    found = []
    for k in np.flatnonzero(full & (np.ptp(np.where(full, X, 0.0), axis=0) > 0)):
        if abs(np.corrcoef(rankdata(X[:, k]), ranks)[0, 1]) > SAME:
            found.append(names[k])
    if not found:
        return []
    return [
        f"{shortened(found)} orders the rows as the target does: is it the target in other words, known only "
        "afterwards? Then leave it out with --drop."
    ]


def missing_tells(X: Array, ranks: Array, names: list[str]) -> list[str]:
    """Whether a value is missing must not depend on the target: p of a rank test, times the columns."""
    from scipy.stats import mannwhitneyu

    absent = np.isnan(X)
    columns = [k for k in range(X.shape[1]) if 2 <= absent[:, k].sum() <= len(X) - 2]
    found = []
    for k in columns:
        p = float(mannwhitneyu(ranks[absent[:, k]], ranks[~absent[:, k]]).pvalue) * len(columns)
        if p < 0.01:
            found.append(f"{names[k]} (p = {p:.1g})")
    if not found:
        return []
    return [
        f"Whether {shortened(found)} is missing depends on the target: the score may tell how the table was "
        "made rather than what it measures. Find out why values are missing."
    ]


def order_tells(y: Array) -> list[str]:
    r, p = spearmanr(np.arange(len(y)), y)
    if not p < SURE or abs(r) < 0.2:
        return []
    return [
        f"The target goes {'up' if r > 0 else 'down'} with the number of the row (rank correlation {r:.2f}): "
        "if rows are ordered in time, folds drawn at random flatter every model of tomorrow."
    ]


def far_away(y: Array, rows: list[int]) -> list[str]:
    middle = np.median(y)
    spread = 1.4826 * float(np.median(np.abs(y - middle)))
    far = np.flatnonzero(np.abs(y - middle) > FAR * spread) if spread > 0 else np.zeros(0, int)
    if not len(far):
        return []
    shown = shortened([str(rows[k]) for k in far], 5)
    return [
        f"The target of {len(far)} rows lies more than {FAR:.0f} robust deviations from the median (row "
        f"{shown}): they decide the root mean square. Look at them, and at the mean absolute error."
    ]


def spread_grows(y: Array, validation: NumberValidation) -> list[str]:
    """Heteroscedastic: the size of the residual goes with the prediction; in the first repeat alone."""
    folds = validation.folds[: len(validation.folds) // validation.how.repeats]
    predicted = np.concatenate([fold.predicted for fold in folds])
    sizes = np.abs(np.concatenate([y[fold.test] - fold.predicted for fold in folds]))
    if np.ptp(predicted) == 0:
        return []
    r, p = spearmanr(predicted, sizes)
    if not p < SURE or abs(r) < 0.2:
        return []
    where = "large" if r > 0 else "small"
    return [
        f"Errors are larger where the prediction is {where} (rank correlation {r:.2f}): a band of one width "
        f"is too narrow there{'; the logarithm of the target may help' if r > 0 and y.min() > 0 else ''}."
    ]
