"""The report of a fit as one HTML page that needs nothing else."""

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
from markone.tables.fitting import FitResult
from markone.tables.report import figures, sentences

TEMPLATE = Path(__file__).with_name("fit.html")


def page(fitted: FitResult, command: list[str], version: str) -> str:
    P, N = len(fitted.rows), len(fitted.plan.feature_names)
    return render(
        TEMPLATE,
        title=f"{fitted.model} on {Path(fitted.request.data).name}",
        subtitle=f"{count(P, 'row')}, {count(N, 'input')}, target {fitted.plan.target!r}",
        headline=sentences.headline(fitted),
        notes=fitted.notes,
        scores=sentences.scores(fitted),
        footnotes=sentences.footnotes(fitted),
        roc=roc(fitted),
        confusion=confusion(fitted),
        chosen=sentences.chosen(fitted),
        grid=grid(fitted),
        model=fitted.model,
        summary=fitted.summary.sentences,
        inputs=inputs(fitted),
        prototypes=sentences.prototypes(fitted),
        settings=sentences.settings(fitted),
        doubtful=sentences.doubtful(fitted),
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
    who = f"{fitted.judge.positive!r} is positive." if len(found) == 1 else "Each class against the rest."
    band = ", band: one standard deviation of the folds" if len(found) <= 3 else ""
    folds = "" if fitted.validation.how.leave_one_out else f" Mean over the folds{band}."
    return f"ROC by the threshold on the score. {who}{folds}"


def confusion(fitted: FitResult) -> PageFigure:
    caption = "Confusion in per cent of the rows of each true class, left-out rows only."
    return drawn("confusion", caption, figures.confusion(fitted), sentences.confusion(fitted))


def grid(fitted: FitResult) -> PageFigure | None:
    if not fitted.search:
        return None
    caption = (
        "Balanced accuracy in the inner folds of all rows: mean and standard deviation. It chose the final "
        "student; the scores above come from folds that no search has seen."
    )
    return drawn("grid", caption, figures.grid(fitted), sentences.grid(fitted))


def inputs(fitted: FitResult) -> PageFigure | None:
    bars = fitted.summary.bars
    if bars is None:
        return None
    left = len(bars.features) - figures.MOST_BARS
    caption = bars.title + (f"; {left} smaller ones are in the table." if left > 0 else ".")
    return drawn("inputs", caption, figures.bars(bars), sentences.inputs(fitted))


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
