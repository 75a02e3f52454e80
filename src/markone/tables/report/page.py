"""Report of a classification as a self-contained HTML page."""

from __future__ import annotations

import platform
import shlex
from pathlib import Path

import numpy as np
import sklearn
from matplotlib.figure import Figure

from markone.evaluation import AveragedRoc
from markone.numerics.text import count
from markone.show.drawing import file_bytes
from markone.show.page import PageFigure, PageTable, inline_svg, render
from markone.tables.fit_result import FitResult
from markone.tables.inspect.importance import importance
from markone.tables.report import figures, input_figures, inspection, sentences
from markone.tables.report.headline import doubts
from markone.tables.report.model_card import model_card

TEMPLATE = Path(__file__).with_name("fit.html")


def page(fitted: FitResult, command: list[str], version: str) -> str:
    P, N = len(fitted.rows), len(fitted.plan.feature_names)
    return render(
        TEMPLATE,
        title=f"{fitted.model} on {Path(fitted.request.data).name}",
        subtitle=f"{count(P, 'row')}, {count(N, 'input')}, target {fitted.plan.target!r}",
        headline=sentences.headline(fitted),
        doubts=doubts(fitted),
        findings=[str(finding) for finding in fitted.findings if not finding.doubts_score],
        notes=fitted.notes,
        classes=inspection.classes(fitted),
        shares=inspection.SHARES,
        reliability=reliability(fitted),
        rejection=inspection.rejection(fitted),
        scores=sentences.scores(fitted),
        footnotes=sentences.footnotes(fitted),
        roc=roc(fitted),
        confusion=confusion(fitted),
        side_by_side=len(fitted.judge.classes) <= 5,
        chosen=sentences.chosen(fitted),
        grid=grid(fitted),
        model=fitted.model,
        summary=fitted.summary.sentences,
        problems=sentences.problems(fitted),
        inputs=inputs(fitted),
        columns=columns(fitted),
        prototypes=sentences.prototypes(fitted),
        settings=sentences.settings(fitted),
        doubtful=sentences.doubtful(fitted),
        cases=inspection.rows_to_look_at(fitted),
        missing_ways=inspection.missing_ways(fitted),
        card=model_card(fitted),
        provenance=provenance(fitted, command, version),
    )


def drawn(name: str, caption: str, figure: Figure, numbers: PageTable | None = None) -> PageFigure:
    svg = file_bytes(figure, "svg").decode()
    return PageFigure(name, caption, inline_svg(svg, name, caption, figure.get_figwidth()), numbers)


def roc(fitted: FitResult) -> PageFigure | None:
    found = figures.curves(fitted)
    if not found:
        return None
    return drawn("roc", roc_caption(fitted, found), figures.roc(found))


def roc_caption(fitted: FitResult, found: dict[str, AveragedRoc]) -> str:
    classes = f"{fitted.judge.positive!r} is positive." if len(found) == 1 else "Each class against the rest."
    if len(found) > figures.COLOURED:
        classes = f"All {len(found)} classes against the rest; the {figures.NAMED} of least area are named."
    band = ", band: one standard deviation of the folds" if len(found) <= 3 else ""
    folds = "" if fitted.validation.how.leave_one_out else f" Mean over the folds{band}."
    return f"ROC by the threshold on the score. {classes}{folds}"


def confusion(fitted: FitResult) -> PageFigure:
    caption = "Confusion in per cent of the rows of each true class, left-out rows only."
    return drawn("confusion", caption, figures.confusion(fitted), sentences.confusion(fitted))


def grid(fitted: FitResult) -> PageFigure | None:
    if not fitted.search:
        return None
    caption = (
        "Balanced accuracy in the inner folds of all rows: mean and standard deviation. It selects the final "
        "model; the scores above come from outer folds, not used by the search."
    )
    return drawn("grid", caption, figures.grid(fitted), sentences.grid(fitted))


def inputs(fitted: FitResult) -> PageFigure | None:
    bars = fitted.summary.bars
    if bars is None:
        return None
    left = len(bars.features) - input_figures.MOST_BARS
    caption = bars.title + (f"; {left} smaller ones are in the table." if left > 0 else ".")
    if bars.low is not None and len(bars.values) <= input_figures.MOST_LINES:
        caption += " Grey: 95 % range over the models of the folds, which share most of their rows."
    return drawn("inputs", caption, input_figures.bars(bars), sentences.inputs(fitted))


def columns(fitted: FitResult) -> PageFigure | None:
    """Figure of the permutation importance of each column."""
    found = importance(fitted.validation)
    if not found:
        return None
    left = len(found) - input_figures.MOST_BARS
    caption = (
        "Balanced accuracy lost when the values of one column are permuted among the left-out rows "
        "(first repeat, 95 % intervals). Redundant columns replace each other, so that each has a small "
        "value."
    )
    caption += f" {left} less important columns are in the table." if left > 0 else ""
    return drawn("columns", caption, input_figures.importance(found), inspection.columns(fitted))


def reliability(fitted: FitResult) -> PageFigure | None:
    found = inspection.probabilities(fitted)
    if found is None:
        return None
    what = f"of {found.of!r}" if found.of else "of the predicted class"
    made = "calibrated inside the folds" if fitted.judge.calibrate else "as the model gives them"
    caption = f"Probabilities {what}, {made}, on left-out rows; on the dotted line they are calibrated. "
    caption += inspection.brier(found)
    return drawn("reliability", caption, figures.reliability(found), inspection.bins(found))


def provenance(fitted: FitResult, command: list[str], version: str) -> PageTable:
    searches = ", each after a search" if fitted.search else ""
    rows = [
        ["command", shlex.join(["markone", *command])],
        ["seed", str(fitted.request.seed)],
        ["fits", f"{count(len(fitted.validation.folds) + 1, 'student')}{searches}, {fitted.seconds:.1f} s"],
        ["versions", f"markone {version}, scikit-learn {sklearn.__version__}, numpy {np.__version__}"],
        ["python", platform.python_version()],
    ]
    return PageTable(["", ""], rows)
