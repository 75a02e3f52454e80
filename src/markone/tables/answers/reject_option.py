"""Threshold of `--reject`, from the left-out rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from markone.errors import BadTable
from markone.lvq.inspect.rejection import accuracy_reject_curve
from markone.numerics.arrays import Array
from markone.tables.validation import Validation


@dataclass(frozen=True)
class RejectionThreshold:
    """Rows of at least the certainty `threshold`: their `accuracy` and their share `answered` of all rows."""

    asked: float
    threshold: float
    answered: float
    accuracy: float


def rejection_threshold(
    validation: Validation, y: Array, accuracy: float | None
) -> RejectionThreshold | None:
    """Lowest threshold above which the left-out rows reach the requested accuracy."""
    if accuracy is None:
        return None
    if not 0 < accuracy <= 1:
        raise ValueError(f"--reject {accuracy} is the share of correct predictions: it must be in (0, 1].")
    certainties = [fold.look.certainty for fold in validation.folds]
    if any(each is None for each in certainties):
        raise BadTable("This model gives labels but no scores: --reject needs a model with scores.")
    right = np.concatenate([fold.predicted == y[fold.test] for fold in validation.folds])
    curve = accuracy_reject_curve(right, np.concatenate([np.asarray(each) for each in certainties]))
    good = np.flatnonzero(curve.accuracy >= accuracy)
    if not len(good):
        return RejectionThreshold(accuracy, float("inf"), 0.0, float("nan"))
    last = good[-1]
    return RejectionThreshold(
        accuracy, float(curve.threshold[last]), float(curve.answered[last]), float(curve.accuracy[last])
    )
