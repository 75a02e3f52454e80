"""What each column is worth: the balanced accuracy lost when its values are dealt out anew among
left-out rows."""

from __future__ import annotations

import numpy as np

from markone.tables.scores import Interval, resampled
from markone.tables.validation import Validation


def importance(validation: Validation) -> dict[str, Interval]:
    """Of each column that was shuffled, the largest loss first; empty if none was."""
    folds = [fold for fold in validation.folds if fold.look.needed]
    if not folds:
        return {}
    values = {name: [fold.look.needed[name] for fold in folds] for name in folds[0].look.needed}
    tests = [len(fold.test) for fold in folds]
    used = np.array([len(fold.test) + fold.train_size for fold in folds])
    found = {
        name: resampled({"difference": losses}, tests, used)["difference"] for name, losses in values.items()
    }
    return dict(sorted(found.items(), key=lambda pair: -pair[1].mean))
