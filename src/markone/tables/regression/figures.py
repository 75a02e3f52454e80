"""Figures of a regression: true against predicted, residuals, coverage of the prediction intervals."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from markone.numerics.arrays import Array
from markone.show.drawing import COLOURS, GREY, SINGLE, new_axes
from markone.tables.model_summary import SortedInputs
from markone.tables.regression.fitting import RegressionResult

MAX_POINTS = 3000
MAX_BARS = 20


def _left_out_predictions(fitted: RegressionResult) -> tuple[Array, Array]:
    """True and predicted values of the first repeat: each row once."""
    validation = fitted.validation
    folds = validation.folds[: len(validation.folds) // validation.how.repeats]
    rows = np.concatenate([fold.test for fold in folds])
    predicted = np.concatenate([fold.predicted for fold in folds])
    if len(rows) > MAX_POINTS:
        chosen = np.random.default_rng(0).choice(len(rows), MAX_POINTS, replace=False)
        rows, predicted = rows[chosen], predicted[chosen]
    return fitted.y[rows], predicted


def draw_true_against_predicted(fitted: RegressionResult) -> Figure:
    y, predicted = _left_out_predictions(fitted)
    ends = [min(y.min(), predicted.min()), max(y.max(), predicted.max())]
    with new_axes((SINGLE, SINGLE * 0.95)) as axes:
        axes.plot(ends, ends, color=GREY, linewidth=0.7, linestyle=":")
        axes.plot(predicted, y, ".", color=COLOURS[0], markersize=_marker_size(len(y)), alpha=0.6, mew=0)
        axes.set(xlabel="predicted when left out", ylabel=f"true {_truncate_name(fitted.plan.target)}")
    figure: Figure = axes.figure
    return figure


def draw_residuals(fitted: RegressionResult) -> Figure:
    y, predicted = _left_out_predictions(fitted)
    with new_axes((SINGLE, SINGLE * 0.95)) as axes:
        axes.axhline(0, color=GREY, linewidth=0.7, linestyle=":")
        axes.plot(
            predicted, y - predicted, ".", color=COLOURS[0], markersize=_marker_size(len(y)), alpha=0.6, mew=0
        )
        for side in (-fitted.width, fitted.width):
            axes.axhline(side, color=COLOURS[1], linewidth=0.9)
        axes.set(xlabel="predicted when left out", ylabel="true - predicted")
    figure: Figure = axes.figure
    return figure


def draw_coverage(fitted: RegressionResult) -> Figure:
    with new_axes((SINGLE, SINGLE * 0.95)) as axes:
        axes.plot([0, 100], [0, 100], color=GREY, linewidth=0.7, linestyle=":")
        for k, found in enumerate(fitted.validation.coverage):
            look = {"marker": "o", "markersize": 3, "color": COLOURS[k], "label": found.name}
            axes.plot(100 * found.levels, 100 * found.shares, **look)
        axes.set(xlabel="nominal coverage, per cent", ylabel="coverage of left-out rows")
        axes.legend(loc="upper left")
    figure: Figure = axes.figure
    return figure


def draw_weights(content: SortedInputs) -> Figure:
    """Draw the largest weights, with standard errors if the model has them."""
    values = content.values[:, :MAX_BARS]
    N = values.shape[1]
    with new_axes((5.0, 0.8 + 0.22 * N)) as axes:
        error = values[1] if len(values) > 1 else None
        axes.barh(range(N), values[0], 0.7, xerr=error, color=COLOURS[0], error_kw={"elinewidth": 0.8})
        axes.set_yticks(range(N), [_truncate_name(name) for name in content.features[:N]])
        axes.tick_params(axis="y", length=0)
        axes.axvline(0, color=GREY, linewidth=0.6)
        axes.set(xlabel=content.title, ylim=(N - 0.4, -0.6))
    figure: Figure = axes.figure
    return figure


def _marker_size(points: int) -> float:
    return 5.0 if points < 500 else 2.5


def _truncate_name(name: str) -> str:
    return name if len(name) <= 30 else name[:29] + "…"
