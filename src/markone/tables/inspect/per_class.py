"""Recall and precision of each class."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np
from scipy.stats import beta

from markone.numerics.arrays import Array
from markone.tables.scoring import ClassScoring, Interval


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
    low, high = beta.ppf([0.025, 0.975], hits + 0.5, n - hits + 0.5)
    value = float(hits / n)
    return Interval(value, float(low) if hits > 0 else 0.0, float(high) if hits < n else 1.0, nan)
