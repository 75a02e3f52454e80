"""Permutation importance of each column on left-out rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from markone.numerics.arrays import Array
from markone.tables.scores import Interval, resampled_intervals
from markone.tables.validation import Validation

IntervalOf = Callable[[list[float], list[int], Array], Interval]


def column_importance(validation: Validation) -> dict[str, Interval]:
    """Decrease of balanced accuracy per permuted column; empty if none was permuted."""
    folds = [fold for fold in validation.folds if fold.look.needed]
    sizes = [(len(fold.test), fold.train_size) for fold in folds]
    return importance_over_folds([fold.look.needed for fold in folds], sizes, _accuracy_loss_interval)


def _accuracy_loss_interval(losses: list[float], tests: list[int], used: Array) -> Interval:
    return resampled_intervals({"difference": losses}, tests, used)["difference"]


def importance_over_folds(
    lost: Sequence[Mapping[str, float]], sizes: Sequence[tuple[int, int]], over: IntervalOf
) -> dict[str, Interval]:
    """Mean over folds with interval per column, largest first; `sizes` are (test, train) rows."""
    if not lost:
        return {}
    tests, used = [test for test, _ in sizes], np.array([test + train for test, train in sizes])
    found = {name: over([fold[name] for fold in lost], tests, used) for name in lost[0]}
    return dict(sorted(found.items(), key=lambda pair: -pair[1].mean))
