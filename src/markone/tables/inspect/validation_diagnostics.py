"""Diagnostics of a validation: permutation importance, reliability, missing values, rejection threshold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from markone.errors import BadTable
from markone.lvq.inspect.rejection import accuracy_reject_curve
from markone.numerics.arrays import Array
from markone.tables.row_intervals import proportion_interval
from markone.tables.scoring import ClassScoring, Interval, resampled_intervals
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
