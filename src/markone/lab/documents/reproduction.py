"""Reproduce a document: run its experiments and write one page in its order."""

from __future__ import annotations

import pkgutil
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from markone.lab import catalogue, run_paths
from markone.lab.claims.judge import ClaimResult
from markone.lab.documents.spec import Document, DocumentItem, document_names, load_document
from markone.lab.experiment import Experiment
from markone.lab.plots.drawn_figure import Drawn, inline_drawing
from markone.lab.recorded_facts import drop_source_claims, other_data_remark
from markone.lab.report.figures_and_tables import PrintedTable, report_table
from markone.lab.result import Result
from markone.numerics.files import write_atomically
from markone.numerics.text import format_count
from markone.show.page import PageFigure, render_page

TEMPLATE = Path(__file__).with_name("templates") / "document.html"
# TeX in quotations, as text.
SYMBOLS = {
    r"\alpha": "α",
    r"\lambda": "λ",
    r"\Lambda": "Λ",
    r"\eta": "η",
    r"\mu": "μ",
    r"\nu": "ν",
    r"\xi": "ξ",
    r"\leq": "≤",
    r"\ll": "≪",
    r"\approx": "≈",
    r"\cdot": "·",
    r"\dots": "…",
    r"\leftrightarrow": "↔",
    r"\leftarrow": "←",
    r"\frac{km/s}{Mpc}": "km/s/Mpc",
    r"I\!\!D": "D",
    "H_o": "H₀",
    "^*": "∗",
    "^2": "²",
    "^{2}": "²",
    # Quotation marks within a quotation.
    "“": "‘",
    "”": "’",
}
# Where a page of the document ends within a sentence.
PAGE_BREAK = " […] "
# `markone.figures` draws from runs, so it is above this package: its function is found by name when needed.
DRAW_NUMBERED = "markone.figures:draw"
# Kinds of figures that show means over runs, and what is said of them.
MEANS = {"lines": " with 95 % intervals", "map": "", "surface": ""}


class ShownItem(NamedTuple):
    """One item of the page: place, quoted text, and our figure, table and claims."""

    place: str
    says: str
    note: str
    figure: PageFigure | None
    table: PrintedTable | None
    claims: list[ClaimResult]


@dataclass(frozen=True)
class Reproduction:
    """The written page, and the number of claims by answer ("holds", "does not hold", ...).

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
    results: dict[str, Result] = {}
    for experiment in map(Experiment.load, document.experiments):
        if run:
            results[experiment.name] = experiment.run(workers=workers, progress=progress)
        elif experiment.store_path().exists():
            results[experiment.name] = experiment.result()
    return write_document(document, results, Path(folder or run_paths.RUNS / name) / f"{name}.html")


def write_document(document: Document, results: Mapping[str, Result], page: Path) -> Reproduction:
    """Write the page of a document from the results of its experiments."""
    claims = {name: _claims_by_sentence(result, document) for name, result in results.items()}
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
    answers = Counter(one.answer for found in claims.values() for group in found.values() for one in group)
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
    write_atomically(page, text.encode())
    return Reproduction(document.name, page, dict(answers))


def _claims_by_sentence(result: Result, document: Document) -> dict[str, list[ClaimResult]]:
    """Results of the claims by their quoted sentence, "" for claims of ours; those that quote a sentence of
    another document only belong on its page."""
    others = (load_document(name) for name in document_names() if name != document.name)
    elsewhere = {item.says for other in others for item in other.item}
    elsewhere -= {item.says for item in document.item} | {""}
    found: dict[str, list[ClaimResult]] = {}
    for claim, judged in zip(drop_source_claims(result.declaration).claims, result.claims(), strict=True):
        if claim.says not in elsewhere:
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
    elif result is not None and item.figure:
        kind, runs = result.figure_spec(item.figure).kind, sorted({point.repeats for point in result.points})
        caption = f"{item.place}, from the experiment {result.name}"
        if kind in MEANS:
            number = " to ".join(dict.fromkeys((f"{runs[0]}", f"{runs[-1]}")))
            caption += f": means over {number} runs a point{MEANS[kind]}"
        figure = _page_figure(result.plot(item.figure), item, f"{caption}.")
    elif result is not None and item.table:
        declaration = drop_source_claims(result.declaration)
        spec = next(spec for spec in declaration.tables if spec.name == item.table)
        table = report_table(declaration, result.points, spec)
    quoted = claims.get(item.experiment, {}).get(item.says, []) if item.says else []
    missing = (
        f"Not computed yet: `markone run {item.experiment}`." if item.experiment and result is None else ""
    )
    note = " ".join(filter(None, (item.note, missing)))
    return ShownItem(item.place, _plain_text(item.says), note, figure, table, list(quoted))


def _plain_text(quotation: str) -> str:
    """The quotation without the marks of TeX and Markdown that the text files of the documents have; "… " is
    before what begins within a sentence."""
    quotation = quotation.replace(PAGE_BREAK, " ")
    for symbol, letter in SYMBOLS.items():
        quotation = quotation.replace(symbol, letter)
    quotation = re.sub(r"\\(mathbf|mathcal|boldsymbol|text)\b|</?u>", "", quotation)
    quotation = re.sub(r"(?<!\\)\{([^{}]*)\}", r"\1", quotation)
    quotation = quotation.replace(r"\{", "{").replace(r"\}", "}")
    quotation = re.sub(r"\$([^$]*)\$|\*+([^*]+)\*+|`([^`]+)`", lambda m: m[1] or m[2] or m[3], quotation)
    text = re.sub(r" ([.,])", r"\1", " ".join(quotation.split()))
    return f"… {text}" if text[:1].islower() else text


def _page_figure(drawn: Drawn, item: DocumentItem, caption: str) -> PageFigure:
    if item.joined:
        join_marks(drawn.figure)
    name = re.sub(r"[ .]", "-", f"{item.place} {item.figure}".strip())
    return PageFigure(name, caption, inline_drawing(drawn, caption, name))


def with_first_repeats(result: Result, repeats: int) -> Result:
    """The result with the first runs of each point only, as many as a document has."""
    points = []
    for point in result.points:
        kept = point.numbers < repeats
        values = {measure: np.asarray(found)[kept] for measure, found in point.values.items()}
        points.append(replace(point, values=values, numbers=point.numbers[kept], repeats=int(kept.sum())))
    return replace(result, points=points)


def join_marks(figure: Any) -> None:
    """Join the marks of each line, as the documents do."""
    for bars in (bars for axes in figure.axes for bars in axes.containers):
        bars.lines[0].set(linestyle="-", linewidth=0.8)


def describe_answers(answers: Mapping[str, int]) -> str:
    """ "25 claims hold, 1 does not hold, 2 are undecided": the numbers of the answers as a sentence."""
    parts: list[str] = []
    for answer, one, several in (
        ("holds", "holds", "hold"),
        ("does not hold", "does not hold", "do not hold"),
        ("contradicted at 95 %", "is contradicted at 95 %", "are contradicted at 95 %"),
        ("undecided", "is undecided", "are undecided"),
    ):
        if number := answers.get(answer, 0):
            claims = f" {format_count(number, 'claim').split()[1]}" if not parts else ""
            parts.append(f"{number}{claims} {one if number == 1 else several}")
    return ", ".join(parts) or "no claims"
