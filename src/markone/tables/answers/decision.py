"""Decisions of least cost by scores of inner folds (a threshold, or probabilities); class weights."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.numerics.text import format_number
from markone.tables import row_splits
from markone.tables.row_splits import RowTies
from markone.tables.scoring import Scoring, decision_scores

# Inverse penalty for scores of unit variance. 1 is too timid (log loss of left-out rows of breast_cancer .103
# instead of .088, wine .082 instead of .055); without a penalty separable scores become certain (wine .118).
PENALTY = 10.0


class ScoreCalibration:
    """Logistic regression of the class on scores of rows that the model has not seen.

    The same as `CalibratedClassifierCV(ensemble=False)`, which would fit the model in folds of its own.

    Parameters
    ----------
    unit : float
        Scores are divided by it.
    regression : fitted LogisticRegression
    """

    def __init__(self, unit: float, regression: Any) -> None:
        self.unit = unit
        self.regression = regression

    def probabilities(self, g: Array, classes: Sequence[str]) -> Array:
        """Probabilities, (n_rows, n_classes); 0 for a class that had no row."""
        found = np.zeros((len(g), len(classes)))
        known = np.searchsorted(classes, self.regression.classes_)
        found[:, known] = self.regression.predict_proba(_as_columns(g) / self.unit)
        return found


def calibrate_scores(g: Array, y: Array) -> ScoreCalibration:
    """Fit the calibration to scores of rows left out, and their classes."""
    unit = float(np.std(g)) or 1.0
    regression = LogisticRegression(C=PENALTY, max_iter=1000)
    return ScoreCalibration(unit, regression.fit(_as_columns(g) / unit, y))


def scores_or_labels(pipeline: Any, X: Array, classes: Sequence[str]) -> Array:
    """Scores of the rows; of a model without scores 1 for the predicted class, and 0."""
    g = decision_scores(pipeline, X)
    return label_scores(pipeline.predict(X), classes) if g is None else g


def label_shares(
    pipeline: Any, calibration: ScoreCalibration, classes: list[str]
) -> dict[str, Callable[[Array], Array]]:
    """For each label, the function that gives its calibrated probability."""

    def share_of_class(k: int, X: Array) -> Array:
        shares = calibration.probabilities(scores_or_labels(pipeline, X, classes), classes)
        return np.asarray(shares[:, k])

    return {label: partial(share_of_class, k) for k, label in enumerate(classes)}


def label_scores(predicted: Array, classes: Sequence[str]) -> Array:
    """1 for the predicted class, 0 for the others, (n_rows, n_classes)."""
    return np.asarray(np.asarray(predicted)[:, None] == np.asarray(classes), dtype=float)


def _as_columns(g: Array) -> Array:
    return g.reshape(-1, 1) if g.ndim == 1 else g


class DecisionPipeline:
    """A fitted pipeline with a decision rule.

    Parameters
    ----------
    pipeline : fitted scaling and model
    threshold : float or None
        For two classes, the score from which on the second is predicted.
    calibration : ScoreCalibration or None
    prices : list of lists or None
        With more than two classes, the class with the least expected cost by calibrated probabilities.
    """

    def __init__(
        self,
        pipeline: Any,
        threshold: float | None = None,
        calibration: ScoreCalibration | None = None,
        prices: list[list[float]] | None = None,
    ) -> None:
        self.pipeline = pipeline
        self.threshold = threshold
        self.calibration = calibration
        self.prices = prices

    def __getitem__(self, step: str) -> Any:
        return self.pipeline[step]

    @property
    def classes_(self) -> Array:
        return np.asarray(self.pipeline.classes_)

    def decision_function(self, X: Array) -> Array:
        return _require_scores(self.pipeline, X)

    def probabilities(self, X: Array) -> Array:
        """Calibrated probabilities, (n_rows, n_classes)."""
        assert self.calibration is not None
        return self.calibration.probabilities(self.decision_function(X), list(self.classes_))

    def predict(self, X: Array) -> Array:
        if self.threshold is not None:
            return self._named((self.decision_function(X) >= self.threshold).astype(int))
        return self._named((self.probabilities(X) @ np.asarray(self.prices)).argmin(axis=1))

    def _named(self, places: Array) -> Array:
        return np.asarray(self.classes_[places])


def add_decision_rule(fitted: Any, X: Array, y: Array, judge: Scoring, seed: int, ties: RowTies) -> Any:
    """Add the decision of least cost to the fitted pipeline, if costs are given."""
    if judge.prices is None:
        return fitted
    folds = row_splits.inner_splits(row_splits.N_INNER_FOLDS, y, seed, ties)
    if folds is None:
        raise BadTable(
            "A class has too few rows in a training part to choose a threshold. Leave out --cost, or use "
            "fewer folds."
        )
    test = np.concatenate([rows for _, rows in folds])
    g = np.concatenate([_require_scores(clone(fitted).fit(X[a], y[a]), X[b]) for a, b in folds])
    if len(judge.classes) > 2:
        return DecisionPipeline(fitted, None, calibrate_scores(g, y[test]), judge.prices)
    return DecisionPipeline(fitted, cheapest_threshold(g, y[test] == judge.classes[1], judge.prices))


def _require_scores(pipeline: Any, X: Array) -> Array:
    g = decision_scores(pipeline, X)
    if g is None:
        raise BadTable(
            f"{type(pipeline['model']).__name__} gives labels but no scores: --cost needs a model with them."
        )
    return g


def cheapest_threshold(g: Array, second: Array, prices: list[list[float]]) -> float:
    """Threshold between two scores with the least cost of predicting the second class above it."""
    order = np.argsort(g, kind="stable")
    g, second = g[order], second[order]
    # Threshold before example k: those before it are predicted as the first class.
    missed = np.concatenate([[0.0], np.cumsum(second * prices[1][0] + ~second * prices[0][0])])
    called = np.concatenate([np.cumsum((second * prices[1][1] + ~second * prices[0][1])[::-1])[::-1], [0.0]])
    cut = np.concatenate([[g[0] - 1.0], 0.5 * (g[1:] + g[:-1]), [g[-1] + 1.0]])
    total = missed + called
    # Equal scores cannot be separated.
    total[1:-1][g[1:] == g[:-1]] = np.inf
    best = np.flatnonzero(total <= total.min() + 1e-12 * len(g))
    return float(cut[best[len(best) // 2]])


def set_class_weights(model: Any, judge: Scoring) -> list[str]:
    """Set `class_weight` of the model to the costs of two classes; return a note.

    A threshold alone does not help if the model has learned a constant prediction.
    """
    if judge.prices is None or len(judge.classes) != 2:
        return []
    weights = {judge.classes[k]: float(judge.prices[k][1 - k]) for k in (0, 1)}
    known = model.get_params(deep=False)
    if "class_weight" not in known or known["class_weight"] is not None or min(weights.values()) <= 0:
        return []
    model.set_params(class_weight=weights)
    words = ", ".join(f"{label} {format_number(weight)}" for label, weight in weights.items())
    return [f"Class weights in training, by the cost of an error: {words}."]


# Accuracy of the constant prediction above which the classes are weighted.
UNBALANCED = 0.75


def balance_classes(model: Any, y: Array, fixed: Collection[str]) -> list[str]:
    """Set `class_weight` to "balanced" if one class has most rows; return a note.

    Otherwise the least hinge loss may be that of a constant prediction. Parameters in `fixed` are the user's.
    """
    labels, counts = np.unique(y, return_counts=True)
    share, params = counts.max() / len(y), model.get_params(deep=False)
    if share <= UNBALANCED or "class_weight" in fixed or params.get("class_weight", "none") is not None:
        return []
    model.set_params(class_weight="balanced")
    return [
        f"{100 * share:.1f} % of the rows are {str(labels[counts.argmax()])!r}: the classes have equal "
        "weight in training (--set class_weight=none: each row has)."
    ]
