"""The report of a fit as one HTML page that needs nothing else, in the manner of the lab's own reports."""

from __future__ import annotations

import re
import shlex
from html import escape
from pathlib import Path
from string import Template
from typing import Any

import numpy as np

from markone.lab.fitting import as_html, drawing, tables
from markone.lab.fitting.work import Fitted
from markone.lab.report.figures import ShownFigure as Shown
from markone.numerics.text import count
from markone.show.page import PageTable as Table

HERE = Path(__file__)


def page(fitted: Fitted, command: list[str], version: str) -> str:
    style = re.search(r"<style>.*?</style>", as_html.TEMPLATE.read_text(encoding="utf-8"), re.DOTALL)
    assert style is not None
    P, N = len(fitted.rows), len(fitted.plan.feature_names)
    return Template(HERE.with_name("fit.html").read_text(encoding="utf-8")).substitute(
        title=escape(f"{fitted.model} on {Path(fitted.asked.data).name}"),
        style=style[0],
        subtitle=escape(f"{P} rows, {N} inputs, target {fitted.plan.target!r}"),
        headline=as_html.prose(tables.headline(fitted)),
        notes=as_html.items(fitted.notes),
        scores=as_html.section("Scores", scores(fitted)),
        pair=pair(fitted),
        search=as_html.section("Search", search(fitted)),
        student=as_html.section("The student of all rows", student(fitted)),
        doubtful=as_html.section("Rows to look at", doubtful(fitted)),
        provenance=as_html.section("Provenance", provenance(fitted, command, version)),
    )


def scores(fitted: Fitted) -> str:
    table = as_html.table(tables.scores(fitted), "numbers scores")
    return table + "".join(
        f"<p><small>{as_html.prose(text)}</small></p>" for text in tables.footnotes(fitted)
    )


def pair(fitted: Fitted) -> str:
    """ROC and confusion side by side."""
    found = drawing.curves(fitted)
    parts = []
    if found:
        band = "" if fitted.validation.how.leave_one_out else " Mean over the folds"
        band += (
            ", band: one standard deviation of the folds."
            if band and len(found) <= 3
            else "."
            if band
            else ""
        )
        who = f"{fitted.judge.positive!r} is positive." if len(found) == 1 else "Each class against the rest."
        parts.append(figure("roc", f"ROC by the threshold on the score. {who}{band}", drawing.roc(found)))
    caption = "Confusion in per cent of the rows of each true class, left-out rows only."
    shown = Shown("confusion", caption, drawing.confusion(fitted), tables.confusion(fitted))
    return "".join(parts) + f"<div>{as_html.figure(shown)}</div>"


def figure(name: str, caption: str, drawn: Any) -> str:
    shown = Shown(name, caption, drawn, Table([], []))
    below = f"<figcaption>{as_html.prose(caption)}</figcaption>"
    return f'<figure id="figure-{name}">{as_html.inline_svg(shown)}{below}</figure>'


def search(fitted: Fitted) -> str:
    if not fitted.search:
        return ""
    caption = (
        "Balanced accuracy in the inner folds of all rows: mean and standard deviation. It chose the final "
    )
    caption += "student; the scores above come from folds that no search has seen."
    shown = Shown("grid", caption, drawing.grid(fitted), tables.grid(fitted))
    return f"<p>{as_html.prose(tables.chosen(fitted))}</p>" + as_html.figure(shown)


def student(fitted: Fitted) -> str:
    parts = [as_html.items(fitted.portrait.sentences)]
    if fitted.portrait.bars is not None:
        bars = fitted.portrait.bars
        left = len(bars.features) - drawing.MOST_BARS
        caption = bars.title + (f"; {left} smaller ones are in the table." if left > 0 else ".")
        parts.append(as_html.figure(Shown("inputs", caption, drawing.bars(fitted), tables.inputs(fitted))))
    if fitted.portrait.prototypes is not None:
        parts.append("<h3>Prototypes</h3>" + as_html.table(tables.prototypes(fitted)))
    settings = as_html.table(tables.settings(fitted), "plain")
    return (
        "".join(parts)
        + f"<details><summary>All settings of {escape(fitted.model)}</summary>{settings}</details>"
    )


def doubtful(fitted: Fitted) -> str:
    sentence = tables.doubtful(fitted)
    return f"<p>{as_html.prose(sentence)}</p>" if sentence else ""


def provenance(fitted: Fitted, command: list[str], version: str) -> str:
    import platform

    import sklearn

    searches = ", each after a search" if fitted.search else ""
    rows = [
        ["command", shlex.join(["markone", *command])],
        ["seed", str(fitted.asked.seed)],
        ["fits", f"{count(len(fitted.validation.folds) + 1, 'student')}{searches}, {fitted.seconds:.1f} s"],
        ["versions", f"markone {version}, scikit-learn {sklearn.__version__}, numpy {np.__version__}"],
        ["python", platform.python_version()],
    ]
    return as_html.table(Table(["", ""], rows), "plain")
