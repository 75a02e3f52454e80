"""Diagnostics of a validation: permutation importance, reliability, missing values, rejection threshold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.stats import beta

from markone.errors import BadTable
from markone.evaluation import margin_thresholds
from markone.numerics.arrays import Array
from markone.tables.row_intervals import proportion_interval
from markone.tables.scoring import ClassScoring, Interval, resampled_intervals
from markone.tables.validation import Fold, Validation


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


# Probability with which the accuracy of the answered rows is promised.
CONFIDENCE = 0.9


@dataclass(frozen=True)
class RejectionThreshold:
    """Rows of at least the certainty `threshold`: their `accuracy` and their share `answered` of all rows.

    `promised`: lower bound of the accuracy on new rows, with probability CONFIDENCE.
    """

    asked: float
    threshold: float
    answered: float
    accuracy: float
    promised: float = float("nan")


def rejection_threshold(
    validation: Validation, y: Array, accuracy: float | None
) -> RejectionThreshold | None:
    """Lowest threshold above which new rows reach the requested accuracy, with probability CONFIDENCE.

    From the left-out rows of the first repeat: the bounds need each row once.
    """
    if accuracy is None:
        return None
    if not 0 < accuracy < 1:
        raise ValueError(
            f"--reject {accuracy} is the share of correct predictions: it must be between 0 and 1, as 0.99."
        )
    folds = first_repeat(validation)
    if any(fold.look.margins is None for fold in folds):
        raise BadTable("This model gives labels but no scores: --reject needs a model with scores.")
    right = np.concatenate([fold.predicted == y[fold.test] for fold in folds])
    sure = np.concatenate([np.asarray(fold.look.margins).max(axis=1) for fold in folds])
    n, threshold = guaranteed_threshold(right, sure, accuracy)
    if not n:
        return RejectionThreshold(accuracy, float("inf"), 0.0, float("nan"))
    answered = sure >= threshold
    hits = int(right[answered].sum())
    promised = lowest_accuracy(hits, int(answered.sum()))
    return RejectionThreshold(
        accuracy, threshold, float(answered.mean()), hits / int(answered.sum()), promised
    )


def first_repeat(validation: Validation) -> list[Fold]:
    """The folds of the first repeat: each row is in one test part."""
    return validation.folds[: len(validation.folds) // validation.how.repeats]


def guaranteed_threshold(right: Array, sure: Array, accuracy: float) -> tuple[int, float]:
    """Number of answered rows and least certainty, so that the bound of their accuracy is `accuracy`.

    The most certain rows are tested first, then 2 % more of all rows at a time until the bound fails: a fixed
    sequence of tests, so that the probability of any wrong promise is 1 - CONFIDENCE (Angelopoulos et
    al. 2021). (0, inf) if the first test fails.
    """
    order = np.argsort(-sure, kind="stable")
    hits, values, P = np.cumsum(right[order]), sure[order], len(right)
    last = np.searchsorted(-values, -values, side="right")
    # Twice the rows that would do if all were right: one or two errors are allowed.
    first = min(P, max(2 * int(np.ceil(np.log(1 - CONFIDENCE) / np.log(accuracy))), P // 5))
    found, threshold = 0, float("inf")
    for n in [*range(first, P, max(1, P // 50)), P]:
        tested = int(last[n - 1])  # rows of equal certainty are answered together
        if lowest_accuracy(int(hits[tested - 1]), tested) < accuracy:
            break
        found, threshold = tested, float(values[tested - 1])
    return found, threshold


def lowest_accuracy(hits: int, n: int) -> float:
    """Clopper and Pearson's lower bound of a proportion, with probability CONFIDENCE."""
    return float(beta.ppf(1 - CONFIDENCE, hits, n - hits + 1)) if hits else 0.0


@dataclass(frozen=True)
class PredictionSets:
    """Least margin of each class in a set of the asked coverage `level`, and the sets of left-out rows.

    `covered`: share of the sets that contain the true class, by thresholds of the other folds; `size`: mean
    number of classes; `single`: share of the sets of one class.
    """

    level: float
    thresholds: list[float]
    covered: float
    size: float
    single: float


def prediction_sets(
    judge: ClassScoring, validation: Validation, y: Array, level: float | None, per_class: bool
) -> PredictionSets | None:
    """Conformal prediction sets from the left-out rows of the first repeat."""
    if level is None:
        return None
    if not 0 < level < 1:
        raise ValueError(f"--sets {level} is the share of sets with the true class: between 0 and 1, as 0.9.")
    folds = first_repeat(validation)
    if any(fold.look.margins is None for fold in folds):
        raise BadTable("This model gives labels but no scores: --sets needs a model with scores.")
    margins = [np.asarray(fold.look.margins) for fold in folds]
    true = [np.searchsorted(judge.classes, y[fold.test]) for fold in folds]
    inside = []
    for k, own in enumerate(margins):
        others = [j for j in range(len(folds)) if j != k]
        cut = margin_thresholds(
            np.concatenate([margins[j] for j in others]),
            np.concatenate([true[j] for j in others]),
            level,
            per_class,
        )
        inside.append(own >= cut)
    sets, every = np.concatenate(inside), np.concatenate(true)
    cut = margin_thresholds(np.concatenate(margins), every, level, per_class)
    sizes = sets.sum(axis=1)
    covered = float(sets[np.arange(len(every)), every].mean())
    return PredictionSets(level, cut.tolist(), covered, float(sizes.mean()), float((sizes == 1).mean()))
