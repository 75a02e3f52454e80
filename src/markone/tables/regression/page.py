"""The report of a regression as one HTML page that needs nothing else."""

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
            "Bands against what they promise: on the dotted line they are right, below it too narrow.",
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
    band = "Lines: the band that holds 95 % of the left-out rows."
    return [
        drawn("truth", f"{points}, when it was left out.", figures.against_truth(fitted)),
        drawn("residuals", f"What is left to explain. {band}", figures.residuals(fitted)),
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
    """What each column is worth, for any model."""
    found = inspection.importance(fitted.validation)
    if not found:
        return None
    left = len(found) - input_figures.MOST_BARS
    caption = (
        "What the root mean square error grows by when the values of one column are dealt out anew among "
        "the left-out rows (first repeat, 95 % intervals). Columns that say the same stand in for each "
        "other, and each then seems worth little."
    )
    caption += f" {left} columns of less worth are in the table." if left > 0 else ""
    drawing = input_figures.importance(found, "root mean square error gained")
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
