"""Permutation importance of each column on left-out rows."""

from __future__ import annotations

import numpy as np

from markone.tables.scoring import Interval, resampled_intervals
from markone.tables.validation import Validation


def column_importance(validation: Validation) -> dict[str, Interval]:
    """Loss of balanced accuracy, or increase of the error, per permuted column; the largest first."""
    folds = [fold for fold in validation.folds if fold.look.needed]
    if not folds:
        return {}
    # The loss of accuracy is bounded, the increase of an error is not.
    measure = "gain" if validation.coverage else "difference"
    tests = [len(fold.test) for fold in folds]
    used = np.array([len(fold.test) + fold.train_size for fold in folds])
    found = {}
    for name in folds[0].look.needed:
        losses = [{measure: fold.look.needed[name]} for fold in folds]
        found[name] = resampled_intervals(losses, tests, used)[measure]
    return dict(sorted(found.items(), key=lambda pair: -pair[1].mean))
