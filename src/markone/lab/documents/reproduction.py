"""Reproduce a document: run its experiments and write one page in its order."""

from __future__ import annotations

import pkgutil
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markone.lab import catalogue, run_paths
from markone.lab.claims.judge import ClaimResult
from markone.lab.data_used import drop_source_claims, other_data_remark
from markone.lab.documents.drawings import DRAWINGS, join_marks, with_first_repeats
from markone.lab.documents.spec import Document, DocumentItem, load_document
from markone.lab.experiment import Experiment
from markone.lab.plots.drawn_figure import Drawn, rendered_bytes
from markone.lab.report.tables import PrintedTable, report_table
from markone.lab.result import Result
from markone.numerics.files import staged_folder
from markone.numerics.text import format_count
from markone.show.page import PageFigure, inline_svg, render_page

TEMPLATE = Path(__file__).with_name("templates") / "document.html"
# TeX in quotations, as text.
SYMBOLS = {
    r"\alpha": "α",
    r"\lambda": "λ",
    r"\approx": "≈",
    r"\leftrightarrow": "↔",
    r"\leftarrow": "←",
    r"\{": "{",
    r"\}": "}",
    r"\frac{km/s}{Mpc}": "km/s/Mpc",
    r"\mathbf{S}": "S",
    r"\mathcal{O}": "O",
    r"\boldsymbol{\xi}^{\nu}": "ξ^ν",
}
# `markone.figures` draws from runs, so it is above this package: its function is found by name when needed.
DRAW_NUMBERED = "markone.figures:draw"
# Kinds of figures that show means over runs, and what is said of them.
MEANS = {"lines": " with 95 % intervals", "map": "", "surface": ""}


@dataclass(frozen=True)
class ShownItem:
    """One item of the page: place, quoted text, and our figure, table and claims."""

    place: str
    says: str
    note: str
    figure: PageFigure | None
    table: PrintedTable | None
    claims: list[ClaimResult]


@dataclass(frozen=True)
class Reproduction:
    """The written page, and the number of claims by answer ("holds", "does not hold", "undecided").

    Parameters
    ----------
    name : str
        Name of the document.
    page : pathlib.Path
        The HTML page.
    answers : dict of str to int
        Number of claims by answer.

    Examples
    --------
    >>> from markone.lab import reproduce
    >>> reproduce("storage", folder="page").page  # doctest: +SKIP
    PosixPath('page/storage.html')
    """

    name: str
    page: Path
    answers: dict[str, int]


def reproduce(
    name: str,
    *,
    folder: str | Path | None = None,
    workers: int | None = None,
    progress: bool = True,
    run: bool = True,
) -> Reproduction:
    """Run what is missing of a document's experiments, and write one page in the order of the document.

    Parameters
    ----------
    name : str
        "learning-a-rule", "storage", "lms", "digits", or "notes-1" to "notes-6".
    folder : str, path or None, default=None
        Folder of the page; default: runs/<name>, beside the runs of the experiments.
    workers : int or None, default=None
        Number of workers; None: all cores.
    progress : bool, default=True
        Show the progress of each experiment.
    run : bool, default=True
        Compute missing runs; otherwise show what is stored.

    Returns
    -------
    Reproduction
        The page and the number of claims by answer.

    Examples
    --------
    >>> from markone.lab import reproduce
    >>> reproduce("learning-a-rule", folder="page").answers  # doctest: +SKIP
    {'holds': 13, 'does not hold': 1}
    """
    document = load_document(name)
    results = {
        experiment: _stored_result(experiment, run, workers, progress) for experiment in document.experiments
    }
    page = Path(folder or run_paths.RUNS / name) / f"{name}.html"
    return write_document(document, {key: found for key, found in results.items() if found}, page)


def _stored_result(name: str, run: bool, workers: int | None, progress: bool) -> Result | None:
    experiment = Experiment.load(name)
    if run:
        return experiment.run(workers=workers, progress=progress)
    return experiment.result() if experiment.store_path().exists() else None


def write_document(document: Document, results: Mapping[str, Result], page: Path) -> Reproduction:
    """Write the page of a document from the results of its experiments."""
    claims = {name: _claims_by_sentence(result) for name, result in results.items()}
    items = [show_item(item, results, claims) for item in document.item]
    quoted = {(item.experiment, item.says) for item in document.item if item.says}
    # Claims of ours, or of sentences without an own item.
    others = [
        (
            results[name].declaration.title,
            [c for says in found if (name, says) not in quoted for c in found[says]],
        )
        for name, found in claims.items()
    ]
    answers = Counter(
        claim.answer for found in claims.values() for group in found.values() for claim in group
    )
    remarks = [remark for result in results.values() if (remark := other_data_remark(result.declaration))]
    times = [(name, catalogue.find_experiment(name).time) for name in document.experiments]
    text = render_page(
        TEMPLATE,
        document=document,
        items=items,
        others=[(title, found) for title, found in others if found],
        answers=describe_answers(answers),
        remarks=list(dict.fromkeys(remarks)),
        times=times,
    )
    page.parent.mkdir(parents=True, exist_ok=True)
    with staged_folder(page.parent) as stage:
        (stage / page.name).write_text(text, encoding="utf-8")
    return Reproduction(document.name, page, dict(answers))


def _claims_by_sentence(result: Result) -> dict[str, list[ClaimResult]]:
    """Results of the claims by their quoted sentence; "" for claims of ours."""
    found: dict[str, list[ClaimResult]] = {}
    claims = drop_source_claims(result.declaration).claims
    for claim, judged in zip(claims, result.claims(), strict=True):
        found.setdefault(claim.says, []).append(judged)
    return found


def show_item(
    item: DocumentItem,
    results: Mapping[str, Result],
    claims: Mapping[str, Mapping[str, Sequence[ClaimResult]]],
) -> ShownItem:
    figure, table, result = None, None, results.get(item.experiment)
    if result is not None and item.repeats:
        result = with_first_repeats(result, item.repeats)
    if item.numbered:
        drawn = Drawn(item.numbered, pkgutil.resolve_name(DRAW_NUMBERED)(item.numbered))
        figure = _page_figure(drawn, item, f"{item.place}, as `markone figure {item.numbered}` draws it.")
    elif item.drawing in DRAWINGS:
        figure = _drawn_figure(DRAWINGS[item.drawing], results, item)
    elif result is not None and item.figure:
        figure = _page_figure(result.plot(item.figure), item, _figure_caption(result, item))
    elif result is not None and item.table:
        declaration = drop_source_claims(result.declaration)
        spec = next(spec for spec in declaration.tables if spec.name == item.table)
        table = report_table(declaration, result.points, spec)
    quoted = claims.get(item.experiment, {}).get(item.says, []) if item.says else []
    return ShownItem(item.place, _plain_text(item.says), item.note, figure, table, list(quoted))


def _plain_text(quotation: str) -> str:
    """The quotation without the marks of TeX and Markdown that the text files of the documents have."""
    for symbol, letter in SYMBOLS.items():
        quotation = quotation.replace(symbol, letter)
    quotation = re.sub(r"\$([^$]*)\$|\*+([^*]+)\*+|`([^`]+)`", lambda m: m[1] or m[2] or m[3], quotation)
    return " ".join(quotation.split())


def _page_figure(drawn: Drawn, item: DocumentItem, caption: str) -> PageFigure:
    if item.joined:
        join_marks(drawn.figure)
    svg, width = rendered_bytes(drawn, "svg").decode(), drawn.figure.get_figwidth()
    name = re.sub(r"[ .]", "-", f"{item.place} {item.figure}".strip())
    return PageFigure(name, caption, inline_svg(svg, name, caption, width))


def _figure_caption(result: Result, item: DocumentItem) -> str:
    """Where the figure comes from and, of means, over how many runs."""
    source = f"{item.place}, from the experiment {result.name}"
    kind = result.figure_spec(item.figure).kind
    if kind not in MEANS:
        return f"{source}."
    runs = sorted({point.repeats for point in result.points})
    number = f"{runs[0]}" if runs[0] == runs[-1] else f"{runs[0]} to {runs[-1]}"
    return f"{source}: means over {number} runs a point{MEANS[kind]}."


def describe_answers(answers: Mapping[str, int]) -> str:
    """ "25 claims hold, 1 does not hold, 2 are undecided": the numbers of the answers as a sentence."""
    parts: list[str] = []
    for answer, one, several in (
        ("holds", "holds", "hold"),
        ("does not hold", "does not hold", "do not hold"),
        ("undecided", "is undecided", "are undecided"),
    ):
        if number := answers.get(answer, 0):
            claims = f" {format_count(number, 'claim').split()[1]}" if not parts else ""
            parts.append(f"{number}{claims} {one if number == 1 else several}")
    return ", ".join(parts) or "no claims"


def _drawn_figure(
    draw: Callable[[Any, Mapping[str, Result]], None], results: Mapping[str, Result], item: DocumentItem
) -> PageFigure:
    from matplotlib.figure import Figure

    from markone.show.drawing import markone_style

    with markone_style():
        canvas = Figure(figsize=(5.0, 3.6), layout="constrained")
        draw(canvas, results)
        return _page_figure(Drawn(item.drawing, canvas), item, f"{item.place}.")
