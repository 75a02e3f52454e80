"""Diagnostics of the model of one fold on its test rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from markone.evaluation import class_margins
from markone.numerics.arrays import Array
from markone.tables.scoring import ROUNDING, NumberScoring, Scoring, centred_scores

# Largest number of rows used for permutation importance.
MAX_PERMUTED_ROWS = 2000


def diagnose_fold(
    fitted: Any, X: Array, y: Array, columns: Mapping[str, Sequence[int]], seed: int, scoring: Scoring
) -> dict[str, Any]:
    """The fields of a `Fold` that describe its model."""
    needed = _permutation_losses(fitted, X, y, columns, seed, scoring.column_score)
    if isinstance(scoring, NumberScoring):
        return {"needed": needed, "std": predicted_deviations(fitted, X)}
    inputs = _input_values(fitted["model"], len(fitted["scaling"].mean_))
    return {"needed": needed, "inputs": inputs, "margins": prediction_margins(fitted, X)}


def predicted_deviations(pipeline: Any, X: Array) -> Array | None:
    """Standard deviations predicted by the regressor; None if it has none."""
    model = pipeline["model"]
    return model.predict_std(pipeline["scaling"].transform(X)) if model.has_std else None


def _input_values(model: Any, N: int) -> Array | None:
    """Relevances (mean over local ones) or weights of the inputs; None if the model has none."""
    if hasattr(model, "relevance_"):
        return np.asarray(np.atleast_2d(model.relevance_).mean(axis=0)[None])
    if hasattr(model, "coef_") and np.shape(model.coef_)[-1] == N:
        return model_weights(model)
    return None


def model_weights(model: Any) -> Array:
    """Weights; those at rounding level of the largest weight or threshold are set to zero."""
    weights = np.atleast_2d(model.coef_)
    size = np.maximum(np.abs(weights).max(axis=1), np.abs(np.ravel(getattr(model, "intercept_", 0.0))))
    return np.where(np.abs(weights) <= ROUNDING * size[:, None], 0.0, weights)


def prediction_margins(fitted: Any, X: Array) -> Array | None:
    """Margin of each class over the others: in calibrated probability, else in score; None without scores.

    The largest is the certainty of the prediction: its distance from another one.
    """
    if getattr(fitted, "calibration", None) is not None:
        return class_margins(fitted.probabilities(X))
    g = centred_scores(fitted, X)
    return None if g is None else class_margins(g)


def _permutation_losses(
    fitted: Any,
    X: Array,
    y: Array,
    columns: Mapping[str, Sequence[int]],
    seed: int,
    score: Callable[[Array, Array], float],
) -> dict[str, float]:
    """Permutation importance: decrease of the score when the values of a column are permuted."""
    if not columns:
        return {}
    rng = np.random.default_rng(seed)
    X, y = X[:MAX_PERMUTED_ROWS], y[:MAX_PERMUTED_ROWS]
    before = score(y, fitted.predict(X))
    lost = {}
    for name, inputs in columns.items():
        other = X.copy()
        other[:, list(inputs)] = X[rng.permutation(len(X))][:, list(inputs)]
        lost[name] = before - score(y, fitted.predict(other))
    return lost
