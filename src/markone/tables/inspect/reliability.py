"""Reliability of probabilities: calibration curve and Brier score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from markone.numerics.arrays import Array
from markone.tables.inspect.per_class import proportion_interval
from markone.tables.scoring import ClassScoring, Interval, resampled_intervals
from markone.tables.validation import Validation

BINS = 10


@dataclass(frozen=True)
class ReliabilityBin:
    """Rows (each counted once) of similar predicted probability, and the observed share."""

    said: float
    true: Interval
    rows: float


@dataclass(frozen=True)
class Reliability:
    """Brier score (0 is best), that of predicting the class frequencies, and the calibration curve.

    The curve is that of the positive class, or with more classes of the predicted one.
    """

    brier: Interval
    base: float
    of: str
    bins: list[ReliabilityBin]


def compute_reliability(judge: ClassScoring, validation: Validation, y: Array) -> Reliability | None:
    """Compute the reliability; None if some fold has no probabilities."""
    shares = [fold.look.shares for fold in validation.folds]
    if any(part is None for part in shares):
        return None
    truth = [np.stack([y[f.test] == label for label in judge.classes], axis=1) for f in validation.folds]
    # Half the sum over classes: for two classes the usual (p - y)^2 of one of them.
    each = [0.5 * ((np.asarray(p) - t) ** 2).sum(axis=1) for p, t in zip(shares, truth, strict=True)]
    used = np.array([len(fold.test) + fold.train_size for fold in validation.folds])
    brier = resampled_intervals([{"brier": float(e.mean())} for e in each], [len(e) for e in each], used)[
        "brier"
    ]
    every, is_class = np.concatenate([np.asarray(p) for p in shares]), np.concatenate(truth)
    frequency = is_class.mean(axis=0)
    base = float(0.5 * ((frequency - is_class) ** 2).sum(axis=1).mean())
    if len(judge.classes) == 2:
        k = judge.classes.index(judge.positive)
        said, so, of = every[:, k], is_class[:, k], judge.positive
    else:
        best = every.argmax(axis=1)
        rows = np.arange(len(every))
        said, so, of = every[rows, best], is_class[rows, best], ""
    return Reliability(brier, base, of, _calibration_curve(said, so, validation.how.repeats))


def _calibration_curve(said: Array, so: Array, repeats: int) -> list[ReliabilityBin]:
    """Calibration curve; bins of equal width resolve the few large probabilities of a rare class."""
    bins = np.minimum((said * BINS).astype(int), BINS - 1)
    found = []
    for k in np.unique(bins):
        mine = bins == k
        n = float(mine.sum()) / repeats
        found.append(
            ReliabilityBin(float(said[mine].mean()), proportion_interval(float(so[mine].mean()) * n, n), n)
        )
    return found
