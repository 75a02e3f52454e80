"""No answer where too many would be wrong: the threshold of `--reject`, from rows that were left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from markone.errors import BadTable
from markone.lvq.inspect.rejection import accuracy_reject_curve
from markone.numerics.arrays import Array
from markone.tables.validation import Validation


@dataclass(frozen=True)
class Rejection:
    """Answers of at least this certainty were right in the share `accuracy`; `answered` of all rows have
    it."""

    asked: float
    threshold: float
    answered: float
    accuracy: float


def rejection(validation: Validation, y: Array, accuracy: float | None) -> Rejection | None:
    """The lowest threshold whose answers on left-out rows are right as often as asked."""
    if accuracy is None:
        return None
    if not 0 < accuracy <= 1:
        raise ValueError(f"--reject {accuracy} is a share of right answers: it must lie in (0, 1].")
    sure = [fold.look.certainty for fold in validation.folds]
    if any(each is None for each in sure):
        raise BadTable("This model gives labels but no scores: --reject needs a model that orders the rows.")
    right = np.concatenate([fold.predicted == y[fold.test] for fold in validation.folds])
    curve = accuracy_reject_curve(right, np.concatenate([np.asarray(each) for each in sure]))
    good = np.flatnonzero(curve.accuracy >= accuracy)
    if not len(good):
        return Rejection(accuracy, float("inf"), 0.0, float("nan"))
    last = good[-1]
    return Rejection(
        accuracy, float(curve.threshold[last]), float(curve.answered[last]), float(curve.accuracy[last])
    )
