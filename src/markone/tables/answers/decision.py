"""Calibrated probabilities and a decision threshold that minimises the cost.

Both are fitted on out-of-fold scores of inner folds of the training rows.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression

from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.numerics.text import format_number
from markone.tables import row_splits
from markone.tables.plan.row_ties import RowTies
from markone.tables.scoring import Scoring, decision_scores


class DecisionPipeline:
    """A fitted pipeline with calibration and decision rule.

    Parameters
    ----------
    pipeline : fitted scaling and model
    calibrator : fitted logistic regression of the class on the scores, or None
        Platt scaling for two classes, its multinomial form for more.
    unit : float
        Scores are divided by it before calibration.
    threshold : float or None
        For two classes, the score from which on the second is predicted.
    prices : list of lists or None
        With more than two classes, the class with the least expected cost is predicted.
    """

    def __init__(
        self,
        pipeline: Any,
        calibrator: Any = None,
        unit: float = 1.0,
        threshold: float | None = None,
        prices: list[list[float]] | None = None,
    ) -> None:
        self.pipeline = pipeline
        self.calibrator = calibrator
        self.unit = unit
        self.threshold = threshold
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
        return np.asarray(
            self.calibrator.predict_proba(_as_score_columns(self.decision_function(X)) / self.unit)
        )

    def predict(self, X: Array) -> Array:
        if self.threshold is not None:
            return self._named((self.decision_function(X) >= self.threshold).astype(int))
        shares = self.probabilities(X)
        if self.prices is not None:
            return self._named((shares @ np.asarray(self.prices)).argmin(axis=1))
        return self._named(shares.argmax(axis=1))

    def _named(self, places: Array) -> Array:
        return np.asarray(self.classes_[places])


def add_decision_rule(fitted: Any, X: Array, y: Array, judge: Scoring, seed: int, ties: RowTies) -> Any:
    """Add calibration and threshold to the fitted pipeline, if costs or calibration are requested."""
    if judge.prices is None and not judge.calibrate:
        return fitted
    folds = row_splits.inner_splits(row_splits.N_INNER_FOLDS, y, seed, ties)
    if folds is None:
        raise BadTable(
            "A class has too few rows in a training part to choose a threshold or to calibrate. Leave "
            "out --cost and --calibrate, or use fewer folds."
        )
    test = np.concatenate([rows for _, rows in folds])
    g = np.concatenate([_require_scores(clone(fitted).fit(X[a], y[a]), X[b]) for a, b in folds])
    made = DecisionPipeline(fitted, prices=judge.prices)
    many = len(judge.classes) > 2
    if judge.calibrate or many:
        made.unit = float(np.std(g)) or 1.0
        made.calibrator = LogisticRegression().fit(_as_score_columns(g) / made.unit, y[test])
    if judge.prices is not None and not many:
        made.threshold = cheapest_threshold(g, y[test] == judge.classes[1], judge.prices)
    return made


def _require_scores(pipeline: Any, X: Array) -> Array:
    g = decision_scores(pipeline, X)
    if g is None:
        raise BadTable(
            f"{type(pipeline['model']).__name__} gives labels but no scores: --cost and --calibrate need a "
            "model with scores."
        )
    return g


def _as_score_columns(g: Array) -> Array:
    return g.reshape(-1, 1) if g.ndim == 1 else g


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
