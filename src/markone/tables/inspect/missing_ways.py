"""Median, indicator or mask: the ways to treat missing values, on the same folds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from markone.tables.scores import Interval, resampled
from markone.tables.validation import Validation


@dataclass(frozen=True)
class MissingWay:
    """Balanced accuracy of one way, and how much better it is than the one that was chosen, fold by fold."""

    way: str
    score: Interval
    better: Interval | None


def compare(
    chosen: Validation, name: str, scored: Callable[[str], Validation], masks: bool
) -> list[MissingWay]:
    """`scored` validates one way; `masks` says whether the model can skip a missing value.

    Rows that --missing drop leaves out are in all other ways: their folds are others, so no difference is
    given.
    """
    found = [MissingWay(name, chosen.estimates["balanced_accuracy"], None)]
    for way in ("median", "indicator", *(["mask"] if masks else [])):
        if way != name:
            other = scored(way)
            found.append(MissingWay(way, other.estimates["balanced_accuracy"], difference(other, chosen)))
    return found


def difference(other: Validation, chosen: Validation) -> Interval | None:
    """Of the balanced accuracy, with the corrected interval of folds that share their rows."""
    folds = list(zip(other.folds, chosen.folds, strict=False))
    same = len(other.folds) == len(chosen.folds) and all(np.array_equal(a.test, b.test) for a, b in folds)
    if not same or chosen.how.leave_one_out:
        return None
    gains = [a.measures["balanced_accuracy"] - b.measures["balanced_accuracy"] for a, b in folds]
    used = np.array([len(b.test) + b.train_size for _, b in folds])
    return resampled({"difference": gains}, [len(b.test) for _, b in folds], used)["difference"]
