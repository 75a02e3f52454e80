"""Diagnostics of a validation: permutation importance, rejection threshold, sets."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.stats import beta
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

from markone.errors import BadTable
from markone.evaluation import margin_thresholds
from markone.numerics.arrays import Array
from markone.tables import row_splits
from markone.tables.answers.decision import ScoreCalibration, calibrate_scores, label_scores
from markone.tables.inspect.row_intervals import proportion_interval
from markone.tables.row_splits import RowTies
from markone.tables.scoring import ClassScoring, Interval, resampled_intervals
from markone.tables.validation import Validation


def column_importance(validation: Validation) -> dict[str, Interval]:
    """Loss of balanced accuracy, or increase of the error, per permuted column; the largest first."""
    folds = [fold for fold in validation.folds if fold.needed]
    if not folds:
        return {}
    # The loss of accuracy is bounded, the increase of an error is not.
    measure = "gain" if validation.coverage else "difference"
    tests = [len(fold.test) for fold in folds]
    used = np.array([len(fold.test) + fold.train_size for fold in folds])
    found = {}
    for name in folds[0].needed:
        losses = [{measure: fold.needed[name]} for fold in folds]
        found[name] = resampled_intervals(losses, tests, used)[measure]
    return dict(sorted(found.items(), key=lambda pair: -pair[1].mean))


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
    folds = validation.first_repeat
    if any(fold.margins is None for fold in folds):
        raise BadTable("This model gives labels but no scores: --reject needs a model with scores.")
    right = np.concatenate([fold.predicted == y[fold.test] for fold in folds])
    sure = np.concatenate([np.asarray(fold.margins).max(axis=1) for fold in folds])
    n, threshold = guaranteed_threshold(right, sure, accuracy)
    if not n:
        return RejectionThreshold(accuracy, float("inf"), 0.0, float("nan"))
    answered = sure >= threshold
    hits = int(right[answered].sum())
    promised = lowest_accuracy(hits, int(answered.sum()))
    return RejectionThreshold(
        accuracy, threshold, float(answered.mean()), hits / int(answered.sum()), promised
    )


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
    folds = validation.first_repeat
    if any(fold.margins is None for fold in folds):
        raise BadTable("This model gives labels but no scores: --sets needs a model with scores.")
    margins = [np.asarray(fold.margins) for fold in folds]
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


BINS = 10
# Leave-one-out has a fold for each row: scores are calibrated by those of at most so many parts.
MOST_PARTS = 10
# Cells of a table above which the regression that it is compared with would take longer than the fits.
MOST_CELLS = 20_000_000
LEAST_PROBABILITY = 1e-15


@dataclass(frozen=True)
class ReliabilityBin:
    """Rows of similar predicted probability, and the observed share."""

    said: float
    true: Interval
    rows: int


@dataclass(frozen=True)
class ProbabilityScores:
    """Log loss and Brier score of rows left out: of the model, of class frequencies, of logistic regression.

    The reliability in `bins` is that of the positive class `of`, or with more classes of the predicted one.
    """

    scores: dict[str, Interval]
    frequencies: dict[str, float]
    of: str
    bins: list[ReliabilityBin]
    logistic: dict[str, Interval] | None = None
    logistic_bins: list[ReliabilityBin] | None = None


@dataclass(frozen=True)
class LeftOutShares:
    """Probabilities and class membership of the test rows of each fold, and the rows of its training part."""

    shares: list[Array]
    truth: list[Array]
    train_sizes: list[int]


def calibrate_validated(judge: ClassScoring, validation: Validation, y: Array) -> ScoreCalibration:
    """The calibration of the final model, by the scores of the left-out rows of the first repeat."""
    scores, truth, _ = _left_out_scores(judge, validation, y)
    return calibrate_scores(np.concatenate(scores), np.concatenate(truth))


def _left_out_scores(
    judge: ClassScoring, validation: Validation, y: Array
) -> tuple[list[Array], list[Array], list[int]]:
    """Scores, labels and training rows of each fold of the first repeat."""
    folds = validation.first_repeat
    scores = [label_scores(f.predicted, judge.classes) if f.scores is None else f.scores for f in folds]
    return scores, [y[f.test] for f in folds], [f.train_size for f in folds]


def calibrated_shares(judge: ClassScoring, validation: Validation, y: Array) -> LeftOutShares:
    """Probabilities of each fold, calibrated by the scores of the others."""
    scores, labels, sizes = _left_out_scores(judge, validation, y)
    part = np.arange(len(scores)) % MOST_PARTS
    found: list[Array] = [np.empty(0)] * len(scores)
    for k in np.unique(part):
        others, own = np.flatnonzero(part != k), np.flatnonzero(part == k)
        calibration = calibrate_scores(*(np.concatenate([s[i] for i in others]) for s in (scores, labels)))
        for i in own:
            found[i] = calibration.probabilities(scores[i], judge.classes)
    return LeftOutShares(found, [label_scores(part, judge.classes) for part in labels], sizes)


def logistic_shares(
    judge: ClassScoring, X: Array, y: Array, validation: Validation, ties: RowTies, seed: int, scaling: Any
) -> LeftOutShares | None:
    """Probabilities of LogisticRegression on the folds of the first repeat; None if it would take long."""
    if X.size > MOST_CELLS or validation.how.leave_one_out:
        return None
    splits = row_splits.make_splits(replace(validation.how, repeats=1), y, seed, ties)
    shares, truth, sizes = [], [], []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for train, test in splits:
            scaled, model = clone(scaling).set_params(fill="median"), LogisticRegression(max_iter=1000)
            model.fit(scaled.fit_transform(X[train], y[train]), y[train])
            own = ScoreCalibration(1.0, model).probabilities(scaled.transform(X[test]), judge.classes)
            shares.append(own)
            truth.append(label_scores(y[test], judge.classes))
            sizes.append(len(train))
    return LeftOutShares(shares, truth, sizes)


def score_probabilities(
    judge: ClassScoring, ours: LeftOutShares, logistic: LeftOutShares | None
) -> ProbabilityScores:
    truth = np.concatenate(ours.truth)
    base = np.broadcast_to(truth.mean(axis=0), truth.shape)
    of = judge.positive if len(judge.classes) == 2 else ""
    return ProbabilityScores(
        _score_folds(ours),
        _probability_errors(base, truth),
        of,
        _calibration_curve(judge, ours),
        None if logistic is None else _score_folds(logistic),
        None if logistic is None else _calibration_curve(judge, logistic),
    )


def _probability_errors(shares: Array, truth: Array) -> dict[str, float]:
    """Log loss, and half the sum of squares over classes: for two classes the usual (p - y)^2 of one."""
    own = np.maximum((shares * truth).sum(axis=1), LEAST_PROBABILITY)
    return {
        "log_loss": float(-np.log(own).mean()),
        "brier": float(0.5 * ((shares - truth) ** 2).sum(axis=1).mean()),
    }


def _score_folds(found: LeftOutShares) -> dict[str, Interval]:
    folds = [_probability_errors(p, t) for p, t in zip(found.shares, found.truth, strict=True)]
    tests = [len(part) for part in found.truth]
    return resampled_intervals(folds, tests, np.array(tests) + np.array(found.train_sizes))


def _calibration_curve(judge: ClassScoring, found: LeftOutShares) -> list[ReliabilityBin]:
    """Calibration curve; bins of equal width resolve the few large probabilities of a rare class."""
    shares, truth = np.concatenate(found.shares), np.concatenate(found.truth)
    rows = np.arange(len(shares))
    k = judge.classes.index(judge.positive) if len(judge.classes) == 2 else shares.argmax(axis=1)
    said, so = shares[rows, k], truth[rows, k]
    bins = np.minimum((said * BINS).astype(int), BINS - 1)
    members: Iterable[Array] = (bins == b for b in np.unique(bins))
    return [
        ReliabilityBin(float(said[own].mean()), proportion_interval(so[own].sum(), own.sum()), int(own.sum()))
        for own in members
    ]
