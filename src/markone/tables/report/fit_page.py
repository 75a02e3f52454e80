"""Report of a classification as a self-contained HTML page."""

from __future__ import annotations

import platform
import shlex
from pathlib import Path

import numpy as np
import sklearn
from matplotlib.figure import Figure

from markone.evaluation import AveragedRoc
from markone.numerics.text import format_count
from markone.show.drawing import figure_bytes
from markone.show.page import PageFigure, PageTable, inline_svg, render_page
from markone.tables.fit_result import FitResult
from markone.tables.inspect.importance import column_importance
from markone.tables.report import figures, fit_text, input_figures, inspection
from markone.tables.report.headline import class_headline, score_doubts
from markone.tables.report.model_card import classifier_card

TEMPLATE = Path(__file__).with_name("fit.html")


def build_fit_page(fitted: FitResult, command: list[str], version: str) -> str:
    P, N = len(fitted.rows), len(fitted.plan.feature_names)
    return render_page(
        TEMPLATE,
        title=f"{fitted.model} on {Path(fitted.request.data).name}",
        subtitle=f"{format_count(P, 'row')}, {format_count(N, 'input')}, target {fitted.plan.target!r}",
        headline=class_headline(fitted),
        doubts=score_doubts(fitted),
        findings=[str(finding) for finding in fitted.findings if not finding.doubts_score],
        notes=fitted.notes,
        classes=inspection.class_score_table(fitted),
        shares=inspection.SHARES,
        reliability=_reliability_figure(fitted),
        rejection=inspection.rejection_sentence(fitted),
        scores=fit_text.score_table(fitted),
        footnotes=fit_text.score_footnotes(fitted),
        roc=_roc_figure(fitted),
        confusion=_confusion_figure(fitted),
        side_by_side=len(fitted.judge.classes) <= 5,
        chosen=fit_text.search_sentence(fitted),
        grid=_grid_figure(fitted),
        model=fitted.model,
        summary=fitted.summary.sentences,
        problems=fit_text.binary_problem_table(fitted),
        inputs=_inputs_figure(fitted),
        columns=_importance_figure(fitted),
        prototypes=fit_text.prototype_table(fitted),
        settings=fit_text.settings_table(fitted),
        doubtful=fit_text.misclassified_sentence(fitted),
        cases=inspection.misclassified_table(fitted),
        missing_ways=inspection.missing_treatment_table(fitted),
        card=classifier_card(fitted),
        provenance=_fit_provenance(fitted, command, version),
    )


def inline_figure(name: str, caption: str, figure: Figure, numbers: PageTable | None = None) -> PageFigure:
    svg = figure_bytes(figure, "svg").decode()
    return PageFigure(name, caption, inline_svg(svg, name, caption, figure.get_figwidth()), numbers)


def _roc_figure(fitted: FitResult) -> PageFigure | None:
    found = figures.roc_curves(fitted)
    if not found:
        return None
    return inline_figure("roc", _roc_caption(fitted, found), figures.draw_roc(found))


def _roc_caption(fitted: FitResult, found: dict[str, AveragedRoc]) -> str:
    classes = f"{fitted.judge.positive!r} is positive." if len(found) == 1 else "Each class against the rest."
    if len(found) > figures.COLOURED:
        classes = f"All {len(found)} classes against the rest; the {figures.NAMED} of least area are named."
    band = ", band: one standard deviation of the folds" if len(found) <= 3 else ""
    folds = "" if fitted.validation.how.leave_one_out else f" Mean over the folds{band}."
    return f"ROC by the threshold on the score. {classes}{folds}"


def _confusion_figure(fitted: FitResult) -> PageFigure:
    caption = "Confusion in per cent of the rows of each true class, left-out rows only."
    return inline_figure(
        "confusion", caption, figures.draw_confusion(fitted), fit_text.confusion_table(fitted)
    )


def _grid_figure(fitted: FitResult) -> PageFigure | None:
    if not fitted.search:
        return None
    caption = (
        "Balanced accuracy in the inner folds of all rows: mean and standard deviation. It selects the final "
        "model; the scores above come from outer folds, not used by the search."
    )
    return inline_figure("grid", caption, figures.draw_grid_search(fitted), fit_text.grid_table(fitted))


def _inputs_figure(fitted: FitResult) -> PageFigure | None:
    bars = fitted.summary.bars
    if bars is None:
        return None
    left = len(bars.features) - input_figures.MAX_INPUT_BARS
    caption = bars.title + (f"; {left} smaller ones are in the table." if left > 0 else ".")
    if bars.low is not None and len(bars.values) <= input_figures.MOST_LINES:
        caption += " Grey: 95 % range over the models of the folds, which share most of their rows."
    return inline_figure("inputs", caption, input_figures.draw_input_bars(bars), fit_text.input_table(fitted))


def _importance_figure(fitted: FitResult) -> PageFigure | None:
    """Figure of the permutation importance of each column."""
    found = column_importance(fitted.validation)
    if not found:
        return None
    left = len(found) - input_figures.MAX_INPUT_BARS
    caption = (
        "Balanced accuracy lost when the values of one column are permuted among the left-out rows "
        "(first repeat, 95 % intervals). Redundant columns replace each other, so that each has a small "
        "value."
    )
    caption += f" {left} less important columns are in the table." if left > 0 else ""
    return inline_figure(
        "columns", caption, input_figures.draw_importance(found), inspection.importance_table(fitted)
    )


def _reliability_figure(fitted: FitResult) -> PageFigure | None:
    found = inspection.fit_reliability(fitted)
    if found is None:
        return None
    what = f"of {found.of!r}" if found.of else "of the predicted class"
    made = "calibrated inside the folds" if fitted.judge.calibrate else "as the model gives them"
    caption = f"Probabilities {what}, {made}, on left-out rows; on the dotted line they are calibrated. "
    caption += inspection.brier_sentence(found)
    return inline_figure(
        "reliability", caption, figures.draw_reliability(found), inspection.reliability_table(found)
    )


def _fit_provenance(fitted: FitResult, command: list[str], version: str) -> PageTable:
    searches = ", each after a search" if fitted.search else ""
    rows = [
        ["command", shlex.join(["markone", *command])],
        ["seed", str(fitted.request.seed)],
        [
            "fits",
            f"{format_count(len(fitted.validation.folds) + 1, 'student')}{searches}, {fitted.seconds:.1f} s",
        ],
        ["versions", f"markone {version}, scikit-learn {sklearn.__version__}, numpy {np.__version__}"],
        ["python", platform.python_version()],
    ]
    return PageTable(["", ""], rows)
