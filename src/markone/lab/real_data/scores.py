"""Scores of one fold, by scikit-learn."""

import numpy as np
from sklearn.metrics import precision_recall_fscore_support

from markone.numerics.arrays import Array

NAMES = ("accuracy", "precision", "recall", "f1")


def scores(y: Array, predicted: Array, average: str) -> tuple[float, float, float, float]:
    """Precision and recall of the class +1 ("binary") or their mean over the classes ("macro").

    A fold where nothing is called positive has precision 0, as in the seed's tables.
    """
    p, r, f, _ = precision_recall_fscore_support(
        y, predicted, average=average, pos_label=1, zero_division=0.0
    )
    return float(np.mean(y == predicted)), float(p), float(r), float(f)
