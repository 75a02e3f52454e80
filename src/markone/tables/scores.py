"""Measures of one fold, and their mean with an interval corrected for shared training rows."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan
from typing import Any

import numpy as np
from sklearn import metrics

from markone.evaluation import FoldTable, area_under_roc, scores
from markone.numerics.arrays import Array

NAMES = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "f1": "F1",
    "auc": "AUC",
    "mcc": "MCC",
    "cost": "cost per row",
}
# Bounds of the measures; default 0 and 1.
LEAST, MOST = {"mcc": -1.0, "difference": -1.0}, {"cost": inf}
ROUNDING = 1e-12
RESAMPLED = (
    "Intervals: 95 %, mean over the folds with the corrected resampled standard error of Nadeau and Bengio, "
    "s sqrt(1/J + n_test/n_train) over J folds, and Student's t with J - 1 degrees of freedom."
)
POSTERIOR = (
    "Intervals: 95 %, of the confusion matrix drawn from its posterior (Jeffreys' prior), Newcombe's for the "
    "AUC of two classes; they do not include the variation of the model with other training rows."
)
# Names of the same measures in markone.evaluation.
EVALUATION_NAMES = {"auc": "roc_auc", "mcc": "matthews"}


@dataclass(frozen=True)
class ClassScoring:
    """The classes, the positive one of two, and the decision options.

    `prices[k][l]` is the cost of predicting class l for class k (None: all errors cost the same); with
    `calibrate` scores are calibrated to probabilities.
    """

    classes: list[str]
    positive: str
    prices: list[list[float]] | None = None
    calibrate: bool = False

    def measure(self, y: Array, predicted: Array, g: Array | None) -> dict[str, float]:
        """Compute all measures of one set of predictions; AUC is NaN without scores or with one class."""
        binary = len(self.classes) == 2
        priced = {} if self.prices is None else {"cost": float(np.mean(self.prediction_costs(y, predicted)))}
        how: dict[str, Any] = {"pos_label": self.positive} if binary else {"average": "macro"}
        return {
            "accuracy": float(np.mean(y == predicted)),
            "balanced_accuracy": balanced_accuracy(y, predicted),
            "f1": float(metrics.f1_score(y, predicted, zero_division=0.0, **how)),
            "auc": self.mean_auc(y, g),
            "mcc": _matthews_coefficient(y, predicted),
            **priced,
        }

    def prediction_costs(self, y: Array, predicted: Array) -> Array:
        """Cost of each prediction."""
        place = {label: k for k, label in enumerate(self.classes)}
        prices = np.asarray(self.prices)
        return prices[[place[str(a)] for a in y], [place[str(a)] for a in predicted]]

    def mean_auc(self, y: Array, g: Array | None) -> float:
        """Area under the ROC curve; for more than two classes the mean over one-against-rest."""
        if g is None or len(np.unique(y)) < len(self.classes):
            return nan
        curves = self.against_rest(y, g)
        return float(np.mean([area_under_roc(S, s) for S, s in curves.values()]))

    def against_rest(self, y: Array, g: Array) -> dict[str, tuple[Array, Array]]:
        """For each ROC curve: its name, class membership and scores."""
        if len(self.classes) == 2:
            sign = 1.0 if self.positive == self.classes[1] else -1.0
            return {self.positive: (y == self.positive, sign * g)}
        return {label: (y == label, g[:, k]) for k, label in enumerate(self.classes)}

    def constant_baseline(self, y: Array) -> dict[str, float]:
        """Measures of always predicting the most frequent class."""
        labels, counts = np.unique(y, return_counts=True)
        always = np.full(len(y), labels[counts.argmax()])
        found = {**self.measure(y, always, None), "auc": 0.5}
        if self.prices is not None:
            found["cost"] = min(
                float(np.mean(self.prediction_costs(y, np.full(len(y), label)))) for label in labels
            )
        return found


def balanced_accuracy(y: Array, predicted: Array) -> float:
    """Balanced accuracy: mean recall over the classes."""
    return float(np.mean([np.mean(predicted[y == label] == label) for label in np.unique(y)]))


def _matthews_coefficient(y: Array, predicted: Array) -> float:
    """Matthews' coefficient; 0 if only one class occurs, true and predicted."""
    if len(np.union1d(y, predicted)) < 2:
        return 0.0
    return float(metrics.matthews_corrcoef(y, predicted))


def decision_scores(model: Any, X: Array) -> Array | None:
    """Decision function, or probabilities if there is none; of the second of two classes."""
    if hasattr(model, "decision_function"):
        return _equalise_rounding(np.asarray(model.decision_function(X)))
    if hasattr(model, "predict_proba"):
        shares = np.asarray(model.predict_proba(X))
        return shares[:, 1] if shares.shape[1] == 2 else shares
    return None


def _equalise_rounding(g: Array) -> Array:
    """Make scores equal that differ by rounding only: weights of 1e-15 carry no order."""
    most = np.abs(g).max(axis=0, initial=0.0)
    return np.where(np.ptp(g, axis=0) <= ROUNDING * most, np.mean(g, axis=0), g) if len(g) else g


@dataclass(frozen=True)
class Interval:
    mean: float
    low: float
    high: float
    error: float


def resampled_intervals(
    values: dict[str, list[float]], tests: list[int], P: int | Array
) -> dict[str, Interval]:
    """Means over folds, with intervals corrected for shared training rows.

    P is the number of rows, or for each fold the number of training and test rows.
    """
    sizes = np.array(tests)
    folds = FoldTable({name: np.array(v) for name, v in values.items()}, P - sizes, sizes)
    found = {}
    for row in folds.rows():
        # NaN (one fold, no interval) passes through both.
        low = float(np.maximum(row.low, LEAST.get(row.measure, 0.0)))
        high = float(np.minimum(row.high, MOST.get(row.measure, 1.0)))
        found[row.measure] = Interval(row.mean, low, high, folds.corrected_error(row.measure))
    return found


def pooled_intervals(
    judge: ClassScoring, y: Array, predicted: Array, g: Array | None, seed: int
) -> dict[str, Interval]:
    """Estimates of leave-one-out, from the pooled predictions: a fold of one row has no AUC."""
    values = judge.measure(y, predicted, g)
    binary = len(judge.classes) == 2
    own = None if g is None or not binary else judge.against_rest(y, g)[judge.positive][1]
    posterior = scores(y, predicted, own, positive=judge.positive if binary else None, seed=seed)
    found = {}
    for name, value in values.items():
        rows = [row for row in posterior.rows if row.measure == EVALUATION_NAMES.get(name, name)]
        low, high = (float(rows[0].low), float(rows[0].high)) if rows else (nan, nan)
        found[name] = Interval(value, low, high, nan)
    return found
