"""Checks of a regression: what could make its score misleading."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.stats import rankdata, spearmanr

from markone.numerics.arrays import Array
from markone.numerics.statistics import holm_adjusted
from markone.numerics.text import shorten_list
from markone.tables.findings.evidence import LEVEL, TableFinding, number_dependence_p_value
from markone.tables.validation import Validation

# Rank correlation from which on a column is a copy of the target.
COPY_CORRELATION = 0.999
# Robust standard deviations from the median.
OUTLIER_DEVIATIONS = 10.0
TREND_LEVEL = 1e-4


def number_findings(X: Array, y: Array, names: list[str]) -> list[TableFinding]:
    """Findings that question the score."""
    ranks = rankdata(y)
    return [
        *_find_target_copies(X, ranks, names),
        *_find_missing_by_target(X, ranks, names),
        *_find_order_by_target(y),
    ]


def _score_doubt(kind: str, sentence: str, advice: str, columns: Sequence[str] = ()) -> list[TableFinding]:
    return [TableFinding(kind, sentence, advice, True, tuple(columns))]


def residual_findings(y: Array, validation: Validation, rows: list[int]) -> list[TableFinding]:
    return [*_find_target_outliers(y, rows), *_find_heteroscedasticity(y, validation)]


def _find_target_copies(X: Array, ranks: Array, names: list[str]) -> list[TableFinding]:
    full = ~np.isnan(X).any(axis=0)
    found = []
    for k in np.flatnonzero(full & (np.ptp(np.where(full, X, 0.0), axis=0) > 0)):
        if abs(np.corrcoef(rankdata(X[:, k]), ranks)[0, 1]) > COPY_CORRELATION:
            found.append(names[k])
    if not found:
        return []
    return _score_doubt(
        "target in other words",
        f"{shorten_list(found)} orders the rows as the target does: is it a copy of the target, known only "
        "afterwards?",
        "Then leave it out with --drop.",
        found,
    )


def _find_missing_by_target(X: Array, ranks: Array, names: list[str]) -> list[TableFinding]:
    """Rank test of whether missing values depend on the target, corrected for all columns."""
    absent = np.isnan(X)
    columns = [k for k in range(X.shape[1]) if 2 <= absent[:, k].sum() <= len(X) - 2]
    if not columns:
        return []
    p = holm_adjusted([number_dependence_p_value(absent[:, k], ranks) for k in columns])
    found = {names[k]: f"{names[k]} (p = {p[i]:.1g})" for i, k in enumerate(columns) if p[i] < LEVEL}
    if not found:
        return []
    return _score_doubt(
        "missing by target",
        f"Whether {shorten_list(list(found.values()))} is missing depends on the target: "
        "the score may reflect "
        "how the data were collected.",
        "Find out why values are missing.",
        list(found),
    )


def _find_order_by_target(y: Array) -> list[TableFinding]:
    r, p = spearmanr(np.arange(len(y)), y)
    if not p < TREND_LEVEL or abs(r) < 0.2:
        return []
    return _score_doubt(
        "order by target",
        f"The target goes {'up' if r > 0 else 'down'} with the number of the row (rank correlation {r:.2f}): "
        "if rows are ordered in time, random folds give optimistic scores.",
        "Then train on earlier and test on later rows (--time COLUMN).",
    )


def _find_target_outliers(y: Array, rows: list[int]) -> list[TableFinding]:
    middle = np.median(y)
    spread = 1.4826 * float(np.median(np.abs(y - middle)))
    far = np.flatnonzero(np.abs(y - middle) > OUTLIER_DEVIATIONS * spread) if spread > 0 else np.zeros(0, int)
    if not len(far):
        return []
    shown = shorten_list([str(rows[k]) for k in far], 5)
    target = "target of one row lies" if len(far) == 1 else f"targets of {len(far)} rows lie"
    return [
        TableFinding(
            "target far away",
            f"The {target} more than {OUTLIER_DEVIATIONS:.0f} robust deviations from the "
            f"median (row {shown}), and may "
            "dominate the root mean square error.",
            "Check them, and use the mean absolute error.",
            numbers={"rows": float(len(far))},
        )
    ]


def _find_heteroscedasticity(y: Array, validation: Validation) -> list[TableFinding]:
    """Heteroscedasticity: the size of the residual depends on the prediction (first repeat only)."""
    folds = validation.folds[: len(validation.folds) // validation.how.repeats]
    predicted = np.concatenate([fold.predicted for fold in folds])
    sizes = np.abs(np.concatenate([y[fold.test] - fold.predicted for fold in folds]))
    if np.ptp(predicted) == 0:
        return []
    r, p = spearmanr(predicted, sizes)
    if not p < TREND_LEVEL or abs(r) < 0.2:
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
