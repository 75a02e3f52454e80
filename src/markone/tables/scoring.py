"""Measures of one fold, and their means with intervals corrected for shared training rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, nan
from typing import Any, ClassVar

import numpy as np
from sklearn import metrics

from markone.evaluation import FoldTable, class_margins, scores
from markone.evaluation.measures.score_table import confusion_measures
from markone.numerics.arrays import Array
from markone.numerics.intervals import draws_interval, student_factor
from markone.tables.plan.target import CLASSIFICATION, REGRESSION

MEASURE_NAMES = {
    "accuracy": "accuracy",
    "balanced_accuracy": "balanced accuracy",
    "f1": "F1",
    "auc": "AUC",
    "mcc": "MCC",
    "cost": "cost per row",
    "rmse": "root mean square error",
    "mae": "mean absolute error",
    "r2": "R2",
    "log_loss": "log loss",
    "brier": "Brier score",
}
# Bounds of the measures; default 0 and 1.
LEAST = {"mcc": -1.0, "difference": -1.0, "r2": -inf, "gain": -inf}
MOST = {"cost": inf, "rmse": inf, "mae": inf, "gain": inf, "trivial_mae": inf, "log_loss": inf}
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
COVERAGE_LEVELS = np.array([0.05, *np.arange(0.1, 0.91, 0.1), 0.95, 0.99])
INTERVAL_LEVEL = 0.95
RESAMPLES = 2000


@dataclass(frozen=True)
class Interval:
    mean: float
    low: float
    high: float
    error: float


@dataclass(frozen=True)
class ClassScoring:
    """The classes, the positive one of two, and the decision options.

    `prices[k][l]` is the cost of predicting class l for class k (None: all errors cost the same).
    """

    classes: list[str]
    positive: str
    prices: list[list[float]] | None = None
    task: ClassVar[str] = CLASSIFICATION
    # Measures of a search and of a comparison; prefix of the model's parameters in the pipeline.
    search_measure: ClassVar[str] = "balanced_accuracy"
    main_measure: ClassVar[str] = "balanced_accuracy"
    parameter_prefix: ClassVar[str] = "model__"

    @classmethod
    def of_counts(cls, counts: Mapping[str, int], positive: str | None = None, **rest: Any) -> ClassScoring:
        """Scoring of classes with these rows; of two the rarer is positive by default, the last if equal."""
        classes = sorted(counts)
        rarer = min(reversed(classes), key=lambda label: counts[label], default="")
        return cls(classes, positive or rarer, **rest)

    def compute_measures(self, y: Array, predicted: Array, g: Array | None) -> dict[str, float]:
        """Compute all measures of one set of predictions; AUC is NaN without scores or with one class."""
        counts = self._count_confusions(y, predicted)
        found = {name: float(values[0]) for name, values in confusion_measures(counts[None]).items()}
        if len(self.classes) > 2:  # as in scikit-learn, the mean F1 omits classes that are not there
            found["f1"] *= len(counts) / np.count_nonzero(counts.sum(0) + counts.sum(1))
        priced = {} if self.prices is None else {"cost": float(np.mean(self.prediction_costs(y, predicted)))}
        names = ("accuracy", "balanced_accuracy", "f1")
        return {
            **{name: found[name] for name in names},
            "auc": self.mean_auc(y, g),
            "mcc": found["matthews"],
            **priced,
        }

    def _count_confusions(self, y: Array, predicted: Array) -> Array:
        """Confusion matrix, the positive one of two classes last."""
        labels = np.array(sorted(self.classes, key=lambda label: (label == self.positive, label)))
        order, K = np.argsort(labels), len(labels)
        codes = [order[np.searchsorted(labels, found, sorter=order)] for found in (y, predicted)]
        return np.bincount(codes[0] * K + codes[1], minlength=K * K).reshape(K, K).astype(float)

    def prediction_costs(self, y: Array, predicted: Array) -> Array:
        """Cost of each prediction."""
        place = {label: k for k, label in enumerate(self.classes)}
        prices = np.asarray(self.prices)
        return prices[[place[str(a)] for a in y], [place[str(a)] for a in predicted]]

    def mean_auc(self, y: Array, g: Array | None) -> float:
        """Area under the ROC curve; for more than two classes the mean over one-against-rest."""
        if g is None or len(np.unique(y)) < len(self.classes):
            return nan
        return float(np.mean([metrics.roc_auc_score(S, s) for S, s in self.against_rest(y, g).values()]))

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
        found = {**self.compute_measures(y, always, None), "auc": 0.5}
        if self.prices is not None:
            every = [self.prediction_costs(y, np.full(len(y), label)) for label in labels]
            found["cost"] = min(float(np.mean(costs)) for costs in every)
        return found

    def column_score(self, y: Array, predicted: Array) -> float:
        """Score whose decrease is the permutation importance of a column."""
        return balanced_accuracy(y, predicted)


@dataclass(frozen=True)
class NumberScoring:
    """Scoring of a regression; there are no classes."""

    classes: tuple[str, ...] = ()
    positive: str = ""
    prices: None = None
    task: ClassVar[str] = REGRESSION
    search_measure: ClassVar[str] = "neg_root_mean_squared_error"
    main_measure: ClassVar[str] = "rmse"
    parameter_prefix: ClassVar[str] = "model__regressor__"

    def column_score(self, y: Array, predicted: Array) -> float:
        """Negative root mean square error."""
        return -float(np.sqrt(np.mean((y - predicted) ** 2)))


Scoring = ClassScoring | NumberScoring


def balanced_accuracy(y: Array, predicted: Array) -> float:
    """Balanced accuracy: mean recall over the classes."""
    return float(np.mean([np.mean(predicted[y == label] == label) for label in np.unique(y)]))


def decision_scores(model: Any, X: Array) -> Array | None:
    """Decision function, or probabilities if there is none; of the second of two classes."""
    if hasattr(model, "decision_function"):
        # Make scores equal that differ by rounding only: weights of 1e-15 carry no order.
        g = np.asarray(model.decision_function(X))
        most = np.abs(g).max(axis=0, initial=0.0)
        return np.where(np.ptp(g, axis=0) <= ROUNDING * most, np.mean(g, axis=0), g) if len(g) else g
    if hasattr(model, "predict_proba"):
        shares = np.asarray(model.predict_proba(X))
        return shares[:, 1] if shares.shape[1] == 2 else shares
    return None


def prediction_margins(fitted: Any, X: Array) -> Array | None:
    """Margin of each class over the others: in calibrated probability, else in score; None without scores.

    The largest is the certainty of the prediction: its distance from another one.
    """
    if getattr(fitted, "calibration", None) is not None:
        return class_margins(fitted.probabilities(X))
    g = decision_scores(fitted, X)
    if g is not None and g.ndim == 1:
        # Scores whose border between two classes is 0: probability less one half, score less threshold.
        threshold = getattr(fitted, "threshold", None)
        middle = 0.0 if hasattr(fitted["model"], "decision_function") else 0.5
        g = g - (middle if threshold is None else threshold)
    return None if g is None else class_margins(g)


def predicted_deviations(pipeline: Any, X: Array) -> Array | None:
    """Standard deviations predicted by the regressor; None if it has none."""
    model = pipeline["model"]
    return model.predict_std(pipeline["scaling"].transform(X)) if model.has_std else None


def error_measures(y: Array, predicted: Array, middle: float | Array) -> dict[str, float]:
    """Errors of predictions; `middle` is the mean of the training rows, the reference of R2."""
    residual, trivial = y - predicted, y - middle
    squares, most = float(np.mean(residual**2)), float(np.mean(trivial**2))
    return {
        "rmse": float(np.sqrt(squares)),
        "mae": float(np.mean(np.abs(residual))),
        "r2": 1 - squares / most if most > 0 else nan,
    }


def errors_with_gain(y: Array, predicted: Array, middles: Array) -> dict[str, float]:
    """Errors, with `gain` (decrease of the RMSE against predicting the mean) and `trivial_mae`."""
    found = error_measures(y, predicted, 0.0)
    trivial = float(np.sqrt(np.mean((y - middles) ** 2)))
    ratio = found["rmse"] / trivial if trivial > 0 else nan
    beside = {"gain": trivial - found["rmse"], "trivial_mae": float(np.mean(np.abs(y - middles)))}
    return found | {"r2": 1 - ratio**2} | beside


def resampled_intervals(
    folds: Sequence[dict[str, float]], tests: Sequence[int], P: int | Array
) -> dict[str, Interval]:
    """Means over folds, with intervals corrected for shared training rows (Nadeau and Bengio).

    P is the number of rows, or for each fold the number of training and test rows.
    """
    sizes = np.array(tests)
    table = FoldTable({name: np.array([f[name] for f in folds]) for name in folds[0]}, P - sizes, sizes)
    found = {}
    for row in table.rows():
        # NaN (one fold, no interval) passes through both.
        low = float(np.maximum(row.low, LEAST.get(row.measure, 0.0)))
        high = float(np.minimum(row.high, MOST.get(row.measure, 1.0)))
        found[row.measure] = Interval(row.mean, low, high, table.corrected_error(row.measure))
    return found


def pooled_class_intervals(
    judge: ClassScoring, y: Array, predicted: Array, g: Array | None, seed: int
) -> dict[str, Interval]:
    """Estimates of leave-one-out, from the pooled predictions: a fold of one row has no AUC."""
    values = judge.compute_measures(y, predicted, g)
    binary = len(judge.classes) == 2
    own = None if g is None or not binary else judge.against_rest(y, g)[judge.positive][1]
    posterior = scores(y, predicted, own, positive=judge.positive if binary else None, seed=seed)
    found = {}
    for name, value in values.items():
        rows = [row for row in posterior.rows if row.measure == EVALUATION_NAMES.get(name, name)]
        low, high = (float(rows[0].low), float(rows[0].high)) if rows else (nan, nan)
        found[name] = Interval(value, low, high, nan)
    return found


def pooled_error_intervals(y: Array, predicted: Array, middles: Array, seed: int) -> dict[str, Interval]:
    """Estimates of leave-one-out: all rows pooled, with bootstrap intervals over rows."""
    rng, found = np.random.default_rng(seed), {}
    draws = [
        errors_with_gain(y[r], predicted[r], middles[r]) for r in rng.integers(0, len(y), (RESAMPLES, len(y)))
    ]
    for name, value in errors_with_gain(y, predicted, middles).items():
        low, high = draws_interval(np.array([draw[name] for draw in draws]))
        found[name] = Interval(value, float(low), float(high), nan)
    return found


@dataclass(frozen=True)
class Coverage:
    """Share of left-out rows inside prediction intervals of nominal coverage `levels`."""

    name: str
    levels: Array
    shares: Array

    def coverage_at(self, level: float = INTERVAL_LEVEL) -> float:
        return float(self.shares[int(np.argmin(np.abs(self.levels - level)))])


def model_coverage(residuals: Array, deviations: Array) -> Coverage:
    """Coverage of the Gaussian intervals given by the model."""
    inside = [np.mean(np.abs(residuals) <= student_factor(inf, v) * deviations) for v in COVERAGE_LEVELS]
    return Coverage("the model's own band", COVERAGE_LEVELS, np.array(inside))


def residual_coverage(parts: Sequence[Sequence[Array]]) -> Coverage:
    """Coverage of intervals from the residuals of the other folds of the same repeat.

    `parts` contains the residuals of each fold of each repeat.
    """
    inside, rows = np.zeros(len(COVERAGE_LEVELS)), 0
    for folds in parts:
        for k, own in enumerate(folds):
            others = np.concatenate([np.abs(fold) for j, fold in enumerate(folds) if j != k])
            inside += (np.abs(own)[:, None] <= conformal_widths(others, COVERAGE_LEVELS)).sum(axis=0)
            rows += len(own)
    return Coverage("the band of the residuals", COVERAGE_LEVELS, inside / rows)


def conformal_widths(sizes: Array, levels: Array) -> Array:
    """Conformal quantiles: the ceil((n + 1) level)-th of n sizes; infinite if there are too few."""
    ordered = np.append(np.sort(sizes), np.inf)
    places = np.ceil((len(sizes) + 1) * levels - 1e-9).astype(int) - 1
    found: Array = ordered[np.clip(places, 0, len(sizes))]
    return found
