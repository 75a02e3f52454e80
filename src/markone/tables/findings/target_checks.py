"""Missing values that depend on the class, separable classes, and labels with typing errors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from scipy.stats import rankdata, spearmanr

from markone.data.reading.cell_table import CellTable
from markone.numerics.arrays import Array
from markone.numerics.statistics import holm_adjusted
from markone.numerics.text import format_count, format_number, shorten_list
from markone.perceptron import separation
from markone.tables.findings.evidence import (
    LEVEL,
    Evidence,
    TableFinding,
    class_count_p_value,
    number_dependence_p_value,
)
from markone.tables.plan.column_kinds import shell_quote
from markone.tables.plan.target import REGRESSION
from markone.tables.validation import Validation

GAP_ADVICE = (
    "The model may use the gaps instead of the values, and will fail where gaps arise differently. "
    "Find out why cells are empty; compare with a fit without the column (--drop {})."
)
# Entries of the table up to which separation is diagnosed: about a second.
MOST_ENTRIES = 2_000_000


def find_infinite_coefficients(X: Array, y: Array, names: Sequence[str]) -> list[TableFinding]:
    """Coefficients of a logistic regression of two classes that have no finite estimate without a penalty."""
    known = ~np.isnan(X).any(axis=1)
    if X.size > MOST_ENTRIES or len(np.unique(y[known])) != 2 or len(np.unique(y)) != 2:
        return []
    found = separation(X[known], y[known], names=names)
    if not found.infinite:
        return []
    return [
        TableFinding(
            "infinite coefficients",
            found.message,
            "The penalty alone decides how large they become: do not interpret their size.",
            columns=tuple(name for name in found.infinite if name in names),
            numbers={"rows": float(len(found.rows))},
        )
    ]


def find_missing_by_class(seen: Evidence) -> Iterator[TableFinding]:
    gaps = {c.name: seen.get_column(c.name).missing for c in seen.plan.used_columns}
    gaps = {name: mask for name, mask in gaps.items() if mask.any()}
    if not gaps:
        return
    K = len(seen.classes)
    inside = np.stack([np.bincount(seen.class_codes[mask], minlength=K) for mask in gaps.values()], axis=1)
    total = np.bincount(seen.class_codes, minlength=K)
    known, base = accuracy_from_gaps(np.stack(list(gaps.values()), axis=1), seen.class_codes)
    yield from missing_dependence(
        list(gaps),
        seen.classes,
        inside,
        total,
        f" From the empty cells alone, {100 * known:.1f} % of the rows can be classified correctly; by "
        f"always predicting the most frequent class, {100 * base:.1f} %.",
        {"told_by_gaps": known, "most_frequent": base},
    )


def missing_dependence(
    names: list[str],
    classes: list[str],
    inside: Array,
    total: Array,
    more: str = "",
    numbers: Mapping[str, float] = MappingProxyType({}),
    advice: str = GAP_ADVICE,
) -> Iterator[TableFinding]:
    """Whether missing values (`inside`, classes x columns, of `total` rows) depend on the class, by Holm."""
    p = np.array(holm_adjusted([class_count_p_value(gaps, total) for gaps in inside.T]))
    found = sorted((float(p[k]), names[k], k) for k in range(len(names)) if p[k] < LEVEL)
    if not found:
        return
    least, name, column = found[0]
    others = f" ({len(found) - 1} more such columns)" if len(found) > 1 else ""
    order = np.argsort(-inside[:, column] / total, kind="stable")
    shares = [f"in {inside[k, column]} of {total[k]} rows of {classes[k]!r}" for k in (order[0], order[-1])]
    yield TableFinding(
        kind="missing by class",
        sentence=f"Whether {name!r} is missing depends on the class{others}: {', '.join(shares)} (p = "
        f"{least:.1g} after correction for {format_count(len(names), 'column')}).{more}",
        advice=advice.format(shell_quote(name)),
        doubts_score=True,
        columns=tuple(name for _, name, _ in found),
        numbers={"p": least, **numbers},
    )


def accuracy_from_gaps(gaps: Array, codes: Array) -> tuple[float, float]:
    """Leave-one-out accuracy of predicting the class from the pattern of gaps, and that of a constant."""
    _, pattern = np.unique(gaps, axis=0, return_inverse=True)
    return _leave_one_out_accuracy(pattern.ravel(), codes), float(np.bincount(codes).max() / len(codes))


def _leave_one_out_accuracy(level: Array, codes: Array) -> float:
    """Share of rows whose class is the most frequent one among the other rows of their level."""
    counts = np.zeros((int(level.max()) + 1, int(codes.max()) + 1))
    np.add.at(counts, (level, codes), 1)
    others = counts[level]
    others[np.arange(len(codes)), codes] -= 1
    best = others.max(axis=1)
    mine = others[np.arange(len(codes)), codes]
    ties = (others == best[:, None]).sum(axis=1)
    # Ties are guesses; a level with one row counts as wrong.
    return float(np.mean(np.where((mine == best) & (best > 0), 1 / ties, 0.0)))


# A typing error is rare, and so much rarer than the label; short labels may be one letter apart.
MOST_SHARE, LEAST_RATIO, LEAST_LETTERS = 0.02, 10, 4


def find_label_typos(table: CellTable, target: str, task: str) -> list[TableFinding]:
    """Rare labels one edit, or one exchange of neighbouring letters, away from a frequent one."""
    if task == REGRESSION:
        return []
    counts = table.columns[target].as_text().count_texts()
    found = []
    for rare, n in counts.items():
        if len(rare) < LEAST_LETTERS or n > MOST_SHARE * sum(counts.values()):
            continue
        near = [
            word for word, times in counts.items() if times >= LEAST_RATIO * n and one_edit_apart(rare, word)
        ]
        if near:
            found.append(_typo_finding(target, rare, n, near[0]))
    return found


def _typo_finding(target: str, rare: str, n: int, label: str) -> TableFinding:
    return TableFinding(
        "label typo",
        f"Class {rare!r} of {target!r}, in {format_count(n, 'row')}, is one letter away from {label!r}.",
        "Correct it if it is a typing error: as it is, these rows are a class of their own, or left out.",
        doubts_score=True,
        columns=(target,),
        numbers={"rows": float(n)},
    )


def one_edit_apart(one: str, other: str) -> bool:
    """Whether one letter more, less or different, or two neighbours exchanged, makes the words equal.

    Words that differ in a digit are different codes.
    """
    if one == other or re.sub(r"\D", "", one) != re.sub(r"\D", "", other):
        return False
    k = next(
        (k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    a, b = one[k:], other[k:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[:2] == b[1::-1] and len(b) > 1 and a[2:] == b[2:])


# Rank correlation from which on a column is a copy of the target.
COPY_CORRELATION = 0.999
# Robust standard deviations from the median.
OUTLIER_DEVIATIONS = 10.0
# Share of the squared deviations from which on few rows decide the score.
DOMINANT_SHARE = 0.5
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
        f"Whether {shorten_list(list(found.values()))} is missing depends on the target: the score may "
        "reflect how the data were collected.",
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


def find_target_outliers(y: Array, rows: Array) -> list[TableFinding]:
    """Rows far from the median; they question the score if a few have most of the squared deviations."""
    off = np.abs(y - np.median(y))
    spread = 1.4826 * float(np.median(off))
    far = np.flatnonzero(off > OUTLIER_DEVIATIONS * spread) if spread > 0 else np.zeros(0, int)
    if not len(far):
        return []
    shown = shorten_list([f"{rows[k]}: {format_number(float(y[k]), 6)}" for k in far], 5)
    target = "target of one row lies" if len(far) == 1 else f"targets of {len(far)} rows lie"
    share = float((off[far] ** 2).sum() / (off**2).sum())
    dominant = share > DOMINANT_SHARE and len(far) <= max(1, MOST_SHARE * len(y))
    effect = (
        f"with {100 * share:.0f} % of the squared deviations of all rows: the root mean square error and R2 "
        "are mostly theirs"
        if dominant
        else "and may dominate the root mean square error"
    )
    return [
        TableFinding(
            "target far away",
            f"The {target} more than {OUTLIER_DEVIATIONS:.0f} robust deviations from the median (row "
            f"{shown}), {effect}.",
            "Check them, and use the mean absolute error.",
            dominant,
            numbers={"rows": float(len(far)), "share": share},
        )
    ]


def find_heteroscedasticity(y: Array, validation: Validation) -> list[TableFinding]:
    """Heteroscedasticity: the size of the residual depends on the prediction (first repeat only)."""
    folds = validation.first_repeat
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
