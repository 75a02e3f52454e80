"""What each column is worth: what is lost when its values are dealt out anew among left-out rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from markone.numerics.arrays import Array
from markone.tables.scores import Interval, resampled
from markone.tables.validation import Validation

Over = Callable[[list[float], list[int], Array], Interval]


def importance(validation: Validation) -> dict[str, Interval]:
    """Of each column that was shuffled, the balanced accuracy lost; empty if none was."""
    folds = [fold for fold in validation.folds if fold.look.needed]
    sizes = [(len(fold.test), fold.train_size) for fold in folds]
    return largest_first([fold.look.needed for fold in folds], sizes, share_lost)


def share_lost(losses: list[float], tests: list[int], used: Array) -> Interval:
    return resampled({"difference": losses}, tests, used)["difference"]


def largest_first(
    lost: Sequence[Mapping[str, float]], sizes: Sequence[tuple[int, int]], over: Over
) -> dict[str, Interval]:
    """The mean over folds with its interval, of each column; `sizes` are the rows tested and trained."""
    if not lost:
        return {}
    tests, used = [test for test, _ in sizes], np.array([test + train for test, train in sizes])
    found = {name: over([fold[name] for fold in lost], tests, used) for name in lost[0]}
    return dict(sorted(found.items(), key=lambda pair: -pair[1].mean))
