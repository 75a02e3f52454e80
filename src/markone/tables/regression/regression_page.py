"""Report of a regression as a self-contained HTML page."""

from __future__ import annotations

import platform
import shlex
from pathlib import Path

import numpy as np
import sklearn

from markone.numerics.text import format_count
from markone.show.page import PageFigure, PageTable, render_page
from markone.tables.regression import figures, inspection, regression_text
from markone.tables.regression.fitting import RegressionResult
from markone.tables.report import input_figures
from markone.tables.report.fit_page import inline_figure

TEMPLATE = Path(__file__).with_name("regression.html")


def build_regression_page(fitted: RegressionResult, command: list[str], version: str) -> str:
    P, N = len(fitted.rows), len(fitted.plan.feature_names)
    return render_page(
        TEMPLATE,
        title=f"{fitted.model} on {Path(fitted.request.data).name}",
        subtitle=(
            f"{format_count(P, 'row')}, {format_count(N, 'input')}, target {fitted.plan.target!r}: numbers"
        ),
        headline=regression_text.regression_headline(fitted),
        doubts=fitted.doubts,
        found=fitted.remarks,
        notes=fitted.notes,
        scores=regression_text.error_table(fitted),
        footnotes=regression_text.error_footnotes(fitted),
        pictures=_prediction_figures(fitted),
        bands=regression_text.coverage_sentences(fitted),
        calibration=inline_figure(
            "calibration",
            "Coverage of the prediction intervals: correct on the dotted line, too narrow below it.",
            figures.draw_coverage(fitted),
            regression_text.coverage_table(fitted),
        ),
        summary=fitted.sentences,
        weights=_weights_figure(fitted),
        columns=_error_importance_figure(fitted),
        card=inspection.regression_card(fitted),
        settings=regression_text.regressor_settings(fitted),
        furthest=regression_text.largest_error_table(fitted),
        model=fitted.model,
        provenance=_regression_provenance(fitted, command, version),
    )


def _prediction_figures(fitted: RegressionResult) -> list[PageFigure]:
    shown = min(len(fitted.y), figures.MAX_POINTS)
    points = f"{shown} of {len(fitted.y)} rows" if shown < len(fitted.y) else "Each row once"
    band = "Lines: the interval that contains 95 % of the left-out rows."
    return [
        inline_figure(
            "truth", f"{points}, predicted when left out.", figures.draw_true_against_predicted(fitted)
        ),
        inline_figure("residuals", f"Residuals. {band}", figures.draw_residuals(fitted)),
    ]


def _weights_figure(fitted: RegressionResult) -> PageFigure | None:
    if fitted.weights is None:
        return None
    left = len(fitted.weights.features) - figures.MAX_BARS
    more = f"; {left} smaller ones are in the table" if left > 0 else ""
    error = "; bars: one standard error of the posterior" if len(fitted.weights.values) > 1 else ""
    caption = f"{fitted.weights.title}{error}{more}."
    return inline_figure(
        "weights", caption, figures.draw_weights(fitted.weights), regression_text.weight_table(fitted)
    )


def _error_importance_figure(fitted: RegressionResult) -> PageFigure | None:
    """Figure of the permutation importance of each column."""
    found = inspection.error_importance(fitted.validation)
    if not found:
        return None
    left = len(found) - input_figures.MAX_INPUT_BARS
    caption = (
        "Increase of the root mean square error when the values of one column are permuted among the "
        "left-out rows (first repeat, 95 % intervals). Redundant columns replace each other, so that each "
        "has a small value."
    )
    caption += f" {left} less important columns are in the table." if left > 0 else ""
    drawing = input_figures.draw_importance(found, "increase of the root mean square error")
    return inline_figure("columns", caption, drawing, inspection.error_importance_table(fitted))


def _regression_provenance(fitted: RegressionResult, command: list[str], version: str) -> PageTable:
    searches = ", each after a search" if fitted.search else ""
    fits = format_count(len(fitted.validation.folds) + 1, "model")
    rows = [
        ["command", shlex.join(["markone", *command])],
        ["seed", str(fitted.request.seed)],
        ["fits", f"{fits}{searches}, {fitted.seconds:.1f} s"],
        ["versions", f"markone {version}, scikit-learn {sklearn.__version__}, numpy {np.__version__}"],
        ["python", platform.python_version()],
    ]
    return PageTable(["", ""], rows)
