"""Intervals from the finite number of rows: scores of each class, least width of intervals over folds.

Stratified folds can agree by construction: a constant prediction has the same accuracy in each of them, and a
model without errors no spread at all. The rows themselves are still a sample.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite, nan

import numpy as np

from markone.evaluation.measures.score_table import confusion_scores
from markone.numerics.arrays import Array
from markone.numerics.intervals import jeffreys_interval, roc_area_interval
from markone.tables.scoring import EVALUATION_NAMES, ClassScoring, Interval


@dataclass(frozen=True)
class ClassScores:
    """Scores of a class with `rows` rows, predicted for `called` rows, mostly `mistaken_for` another."""

    label: str
    rows: float
    called: float
    recall: Interval
    precision: Interval
    f1: float
    mistaken_for: str


def scores_per_class(judge: ClassScoring, confusion: Array) -> list[ClassScores]:
    """Scores of each class from the confusion matrix (mean over the repeats: each row counts once)."""
    found = []
    for k, label in enumerate(judge.classes):
        rows, called, hits = confusion[k].sum(), confusion[:, k].sum(), confusion[k, k]
        others = np.delete(confusion[k], k)
        names = [name for name in judge.classes if name != label]
        wrong = names[int(others.argmax())] if others.max(initial=0.0) > 0 else ""
        f1 = 2 * hits / (rows + called) if rows + called else nan
        found.append(
            ClassScores(
                label,
                float(rows),
                float(called),
                proportion_interval(hits, rows),
                proportion_interval(hits, called),
                float(f1),
                wrong,
            )
        )
    return found


def proportion_interval(hits: float, n: float) -> Interval:
    """Jeffreys' interval of a proportion of n rows; it ignores the variation of the model with other rows."""
    if n <= 0:
        return Interval(nan, nan, nan, nan)
    return Interval(float(hits / n), *jeffreys_interval(hits, n), nan)


AT_LEAST = (
    "No interval is narrower than that of as many rows drawn once (Jeffreys' prior on the confusion matrix, "
    "Newcombe's for the AUC)."
)


def widen_intervals(
    estimates: dict[str, Interval], judge: ClassScoring, confusion: Array
) -> dict[str, Interval]:
    """Widen the intervals over folds so that each covers that of the rows.

    `confusion` is the mean over the repeats: each row counts once.
    """
    at_best = _row_intervals(estimates, judge, confusion)
    found = dict(estimates)
    for name, (low, high) in at_best.items():
        old = found[name]
        # NaN (one fold) stays NaN.
        if isfinite(old.low) and isfinite(low):
            found[name] = replace(old, low=min(old.low, low), high=max(old.high, high))
    return found


def _row_intervals(
    estimates: dict[str, Interval], judge: ClassScoring, confusion: Array
) -> dict[str, tuple[float, float]]:
    rows = confusion.sum(axis=1)
    present = rows[rows > 0]
    if len(judge.classes) == 2:
        # The positive class second, as the measures of two classes expect it.
        order = [1, 0] if judge.positive == judge.classes[0] else [0, 1]
        scored = {row.measure: row for row in confusion_scores(confusion[np.ix_(order, order)])}
        known = {
            name: scored[EVALUATION_NAMES.get(name, name)] for name in ("balanced_accuracy", "f1", "mcc")
        }
        found = {name: (float(row.low), float(row.high)) for name, row in known.items()}
        # Class sizes are not held fixed: another sample has other ones.
        found["accuracy"] = _interval_ends(proportion_interval(np.trace(confusion), rows.sum()))
    else:
        found = _many_class_intervals(estimates, confusion, present)
    area = estimates["auc"].mean
    if isfinite(area) and len(present) == len(rows):
        every = [roc_area_interval(area, n, rows.sum() - n) for n in rows]
        # Means of the ends: the areas of several classes share their rows.
        found["auc"] = (float(np.mean([a for a, _ in every])), float(np.mean([b for _, b in every])))
    if judge.prices is not None and estimates["cost"].error == 0:
        wrong = proportion_interval(rows.sum() - np.trace(confusion), rows.sum())
        found["cost"] = (estimates["cost"].low, wrong.high * float(np.max(judge.prices)))
    return found


def _many_class_intervals(
    estimates: dict[str, Interval], confusion: Array, present: Array
) -> dict[str, tuple[float, float]]:
    """Intervals for more than two classes: each measure is treated as one proportion.

    A prior for each class would add up to a bias.

    The mean of K recalls with one error rate varies as a share of K^2 / sum(1/n) rows does.
    """
    n, right = float(confusion.sum()), float(np.trace(confusion))
    found = {"accuracy": _interval_ends(proportion_interval(right, n))}
    alike = len(present) ** 2 / float((1 / present).sum())
    for name in ("balanced_accuracy", "f1"):
        found[name] = _interval_ends(proportion_interval(estimates[name].mean * alike, alike))
    # Matthews' coefficient is near the accuracy beyond that of chance.
    chance = float((confusion.sum(axis=0) * confusion.sum(axis=1)).sum()) / n**2
    (low, high), mcc = found["accuracy"], estimates["mcc"].mean
    if chance < 1:
        down, up = (right / n - low) / (1 - chance), (high - right / n) / (1 - chance)
        found["mcc"] = (max(mcc - down, -1.0), min(mcc + up, 1.0))
    return found


def _interval_ends(found: Interval) -> tuple[float, float]:
    return found.low, found.high
