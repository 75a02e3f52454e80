"""Predictions of a saved regressor with their prediction intervals."""

from __future__ import annotations

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.numerics.arrays import Array
from markone.numerics.text import format_count
from markone.tables.model_file import SavedModel
from markone.tables.regression import scores
from markone.tables.regression.validation import predicted_deviations

LOW, HIGH = (
    f"low {scores.INTERVAL_LEVEL:.0%}".replace("%", " %"),
    f"high {scores.INTERVAL_LEVEL:.0%}".replace("%", " %"),
)


def prediction_intervals(model: SavedModel, X: Array, predicted: Array, proba: bool) -> dict[str, Array]:
    """Prediction interval: the model's own, or that of the residuals on left-out rows."""
    if proba:
        raise ValueError("--proba is for classes; this model predicts numbers, always with their interval.")
    std = predicted_deviations(model.pipeline, X)
    wide = (
        scores.half_width_factor(scores.INTERVAL_LEVEL) * std
        if std is not None
        else float(model.facts["band"]["half_width"])
    )
    return {LOW: predicted - wide, HIGH: predicted + wide}


def score_numbers(
    model: SavedModel, table: CellTable, predicted: Array, scored: Array | None, notes: list[str]
) -> dict[str, float]:
    """Return the errors, if the table contains the target."""
    target = table.target or model.plan.target
    if target not in table.columns:
        return {}
    y = table.columns[target].as_text().numbers
    known = np.isfinite(y)
    if not known.all():
        absent = format_count(int((~known).sum()), "row")
        notes.append(f"{absent} of {target!r} have no number; the scores are of the others.")
    # Rows that could not be read have no prediction.
    known &= np.isfinite(predicted)
    if not known.any():
        return {}
    return scores.error_measures(y[known], predicted[known], float(model.pipeline["model"].mean_))
