"""Comparison of median, indicator and mask for missing values, on the same folds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from markone.tables.scoring import Interval, resampled_intervals
from markone.tables.validation import Validation


@dataclass(frozen=True)
class MissingTreatment:
    """Balanced accuracy of one treatment, and its paired difference from the chosen one."""

    way: str
    score: Interval
    better: Interval | None


def compare_treatments(
    chosen: Validation, name: str, scored: Callable[[str], Validation], masks: bool
) -> list[MissingTreatment]:
    """Compare the treatments; `scored` validates one, `masks` is whether the model can skip missing values.

    --missing drop uses fewer rows, hence other folds: no difference is given.
    """
    found = [MissingTreatment(name, chosen.estimates["balanced_accuracy"], None)]
    for way in ("median", "indicator", *(["mask"] if masks else [])):
        if way != name:
            other = scored(way)
            found.append(
                MissingTreatment(
                    way, other.estimates["balanced_accuracy"], _paired_accuracy_difference(other, chosen)
                )
            )
    return found


def _paired_accuracy_difference(other: Validation, chosen: Validation) -> Interval | None:
    """Difference of balanced accuracy with corrected interval; None if the folds differ."""
    folds = list(zip(other.folds, chosen.folds, strict=False))
    same = len(other.folds) == len(chosen.folds) and all(np.array_equal(a.test, b.test) for a, b in folds)
    if not same or chosen.how.leave_one_out:
        return None
    gains = [
        {"difference": a.measures["balanced_accuracy"] - b.measures["balanced_accuracy"]} for a, b in folds
    ]
    used = np.array([len(b.test) + b.train_size for _, b in folds])
    return resampled_intervals(gains, [len(b.test) for _, b in folds], used)["difference"]
