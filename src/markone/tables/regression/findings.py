"""Checks of a regression: what could make its score misleading."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.stats import rankdata, spearmanr

from markone.numerics.arrays import Array
from markone.numerics.statistics import holm
from markone.numerics.text import shortened
from markone.tables.findings.finding import TableFinding
from markone.tables.findings.significance import LEVEL, depends_on_number
from markone.tables.regression.validation import NumberValidation

# Rank correlation from which on a column is a copy of the target.
SAME = 0.999
# Robust standard deviations from the median.
FAR = 10.0
SURE = 1e-4


def doubts(X: Array, y: Array, names: list[str]) -> list[TableFinding]:
    """Findings that question the score."""
    ranks = rankdata(y)
    return [*decides_alone(X, ranks, names), *missing_tells(X, ranks, names), *order_tells(y)]


def doubt(kind: str, sentence: str, advice: str, columns: Sequence[str] = ()) -> list[TableFinding]:
    return [TableFinding(kind, sentence, advice, True, tuple(columns))]


def remarks(y: Array, validation: NumberValidation, rows: list[int]) -> list[TableFinding]:
    return [*far_away(y, rows), *spread_grows(y, validation)]


def decides_alone(X: Array, ranks: Array, names: list[str]) -> list[TableFinding]:
    full = ~np.isnan(X).any(axis=0)
    found = []
    for k in np.flatnonzero(full & (np.ptp(np.where(full, X, 0.0), axis=0) > 0)):
        if abs(np.corrcoef(rankdata(X[:, k]), ranks)[0, 1]) > SAME:
            found.append(names[k])
    if not found:
        return []
    return doubt(
        "target in other words",
        f"{shortened(found)} orders the rows as the target does: is it a copy of the target, known only "
        "afterwards?",
        "Then leave it out with --drop.",
        found,
    )


def missing_tells(X: Array, ranks: Array, names: list[str]) -> list[TableFinding]:
    """Rank test of whether missing values depend on the target, corrected for all columns."""
    absent = np.isnan(X)
    columns = [k for k in range(X.shape[1]) if 2 <= absent[:, k].sum() <= len(X) - 2]
    if not columns:
        return []
    p = holm([depends_on_number(absent[:, k], ranks) for k in columns])
    found = {names[k]: f"{names[k]} (p = {p[i]:.1g})" for i, k in enumerate(columns) if p[i] < LEVEL}
    if not found:
        return []
    return doubt(
        "missing by target",
        f"Whether {shortened(list(found.values()))} is missing depends on the target: the score may reflect "
        "how the data were collected.",
        "Find out why values are missing.",
        list(found),
    )


def order_tells(y: Array) -> list[TableFinding]:
    r, p = spearmanr(np.arange(len(y)), y)
    if not p < SURE or abs(r) < 0.2:
        return []
    return doubt(
        "order by target",
        f"The target goes {'up' if r > 0 else 'down'} with the number of the row (rank correlation {r:.2f}): "
        "if rows are ordered in time, random folds give optimistic scores.",
        "Then train on earlier and test on later rows (--time COLUMN).",
    )


def far_away(y: Array, rows: list[int]) -> list[TableFinding]:
    middle = np.median(y)
    spread = 1.4826 * float(np.median(np.abs(y - middle)))
    far = np.flatnonzero(np.abs(y - middle) > FAR * spread) if spread > 0 else np.zeros(0, int)
    if not len(far):
        return []
    shown = shortened([str(rows[k]) for k in far], 5)
    target = "target of one row lies" if len(far) == 1 else f"targets of {len(far)} rows lie"
    return [
        TableFinding(
            "target far away",
            f"The {target} more than {FAR:.0f} robust deviations from the median (row {shown}), and may "
            "dominate the root mean square error.",
            "Check them, and use the mean absolute error.",
            numbers={"rows": float(len(far))},
        )
    ]


def spread_grows(y: Array, validation: NumberValidation) -> list[TableFinding]:
    """Heteroscedasticity: the size of the residual depends on the prediction (first repeat only)."""
    folds = validation.folds[: len(validation.folds) // validation.how.repeats]
    predicted = np.concatenate([fold.predicted for fold in folds])
    sizes = np.abs(np.concatenate([y[fold.test] - fold.predicted for fold in folds]))
    if np.ptp(predicted) == 0:
        return []
    r, p = spearmanr(predicted, sizes)
    if not p < SURE or abs(r) < 0.2:
        return []
    where = "large" if r > 0 else "small"
    helps = (
        "The logarithm of the target may help."
        if r > 0 and y.min() > 0
        else "Intervals are unreliable there."
    )
    return [
        TableFinding(
            "errors grow",
            f"Errors are larger where the prediction is {where} (rank correlation {r:.2f}): an interval of "
            "constant width is too narrow there.",
            helps,
            numbers={"r": float(r), "p": float(p)},
        )
    ]
