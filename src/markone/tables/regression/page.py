"""Report of a regression as a self-contained HTML page."""

from __future__ import annotations

import platform
import shlex
from pathlib import Path

import numpy as np
import sklearn

from markone.numerics.text import count
from markone.show.page import PageFigure, PageTable, render
from markone.tables.regression import figures, inspection, sentences
from markone.tables.regression.fitting import RegressionResult
from markone.tables.report import input_figures
from markone.tables.report.page import drawn

TEMPLATE = Path(__file__).with_name("regression.html")


def page(fitted: RegressionResult, command: list[str], version: str) -> str:
    P, N = len(fitted.rows), len(fitted.plan.feature_names)
    return render(
        TEMPLATE,
        title=f"{fitted.model} on {Path(fitted.request.data).name}",
        subtitle=f"{count(P, 'row')}, {count(N, 'input')}, target {fitted.plan.target!r}: numbers",
        headline=sentences.headline(fitted),
        doubts=fitted.doubts,
        found=fitted.remarks,
        notes=fitted.notes,
        scores=sentences.scores(fitted),
        footnotes=sentences.footnotes(fitted),
        pictures=pictures(fitted),
        bands=sentences.bands(fitted),
        calibration=drawn(
            "calibration",
            "Coverage of the prediction intervals: correct on the dotted line, too narrow below it.",
            figures.calibration(fitted),
            sentences.coverage(fitted),
        ),
        summary=fitted.sentences,
        weights=weights(fitted),
        columns=columns(fitted),
        card=inspection.model_card(fitted),
        settings=sentences.settings(fitted),
        furthest=sentences.furthest(fitted),
        model=fitted.model,
        provenance=provenance(fitted, command, version),
    )


def pictures(fitted: RegressionResult) -> list[PageFigure]:
    shown = min(len(fitted.y), figures.MOST_POINTS)
    points = f"{shown} of {len(fitted.y)} rows" if shown < len(fitted.y) else "Each row once"
    band = "Lines: the interval that contains 95 % of the left-out rows."
    return [
        drawn("truth", f"{points}, predicted when left out.", figures.against_truth(fitted)),
        drawn("residuals", f"Residuals. {band}", figures.residuals(fitted)),
    ]


def weights(fitted: RegressionResult) -> PageFigure | None:
    if fitted.weights is None:
        return None
    left = len(fitted.weights.features) - figures.MOST_BARS
    more = f"; {left} smaller ones are in the table" if left > 0 else ""
    error = "; bars: one standard error of the posterior" if len(fitted.weights.values) > 1 else ""
    caption = f"{fitted.weights.title}{error}{more}."
    return drawn("weights", caption, figures.weights(fitted.weights), sentences.weights(fitted))


def columns(fitted: RegressionResult) -> PageFigure | None:
    """Figure of the permutation importance of each column."""
    found = inspection.importance(fitted.validation)
    if not found:
        return None
    left = len(found) - input_figures.MOST_BARS
    caption = (
        "Increase of the root mean square error when the values of one column are permuted among the "
        "left-out rows (first repeat, 95 % intervals). Redundant columns replace each other, so that each "
        "has a small value."
    )
    caption += f" {left} less important columns are in the table." if left > 0 else ""
    drawing = input_figures.importance(found, "increase of the root mean square error")
    return drawn("columns", caption, drawing, inspection.columns(fitted))


def provenance(fitted: RegressionResult, command: list[str], version: str) -> PageTable:
    searches = ", each after a search" if fitted.search else ""
    fits = count(len(fitted.validation.folds) + 1, "model")
    rows = [
        ["command", shlex.join(["markone", *command])],
        ["seed", str(fitted.request.seed)],
        ["fits", f"{fits}{searches}, {fitted.seconds:.1f} s"],
        ["versions", f"markone {version}, scikit-learn {sklearn.__version__}, numpy {np.__version__}"],
        ["python", platform.python_version()],
    ]
    return PageTable(["", ""], rows)
