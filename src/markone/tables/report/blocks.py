"""Parts of a report, rendered as an HTML page or printed on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markone.numerics.text import format_count
from markone.show.page import PageTable
from markone.tables.findings.evidence import TableFinding
from markone.tables.request import FitRequest

NO_TABLE = PageTable([], [])
PAGE, TERMINAL = "page", "terminal"
BOTH = (PAGE, TERMINAL)
# Limits of figures: coloured ROC curves, and named ones if there are more; inputs; classes drawn as bars.
COLOURED_CURVES, NAMED_CURVES = 8, 5
MAX_INPUT_BARS, MAX_BAR_LINES = 20, 4


@dataclass(frozen=True)
class Text:
    """A sentence, or a small footnote."""

    text: str
    small: bool = False
    where: Sequence[str] = BOTH


@dataclass(frozen=True)
class Items:
    """A list of sentences."""

    texts: list[str]
    where: Sequence[str] = BOTH


@dataclass(frozen=True)
class Table:
    """A table; `kind` are its CSS classes, `folded` the title of a collapsed one, `most` the rows printed."""

    table: PageTable
    kind: str = "numbers"
    heading: str = ""
    folded: str = ""
    most: int = 12
    where: Sequence[str] = BOTH


@dataclass(frozen=True)
class ReportPicture:
    """A figure, drawn from `content` when the page is rendered (`figures.DRAW`, by name).

    With a `heading` the terminal prints its `numbers`.
    """

    name: str
    caption: str
    content: tuple[Any, ...]
    numbers: PageTable = NO_TABLE
    heading: str = ""


def count_drawn_inputs(lines: int) -> int:
    """Largest number of inputs in a figure with so many bars each; a taller one would shrink."""
    return min(MAX_INPUT_BARS, 36 // lines) if lines <= MAX_BAR_LINES else MAX_INPUT_BARS


Block = Text | Items | Table | ReportPicture | Sequence[ReportPicture]


@dataclass(frozen=True)
class Section:
    """Blocks below a title; a section without content is left out."""

    title: str
    blocks: Sequence[Block | None]


@dataclass
class Report:
    """Everything that is shown of a result; the terminal prints the notes first and no provenance."""

    title: str
    subtitle: str
    headline: str
    doubts: list[str]
    findings: list[str]
    notes: list[str]
    sections: list[Section]
    provenance: list[list[str]]
    warning: str = "This score may be misleading"
    card: PageTable = field(default_factory=lambda: NO_TABLE)


def make_report(
    asked: FitRequest,
    title: str,
    size: tuple[int, int],
    target: str,
    findings: Sequence[TableFinding],
    provenance: list[list[str]],
    **rest: Any,
) -> Report:
    """A report with title, subtitle, findings and provenance; `size` are the numbers of rows and inputs."""
    rows, inputs = size
    return Report(
        title=f"{title} on {Path(asked.data).name}",
        subtitle=f"{format_count(rows, 'row')}, {format_count(inputs, 'input')}, {target}",
        doubts=[str(found) for found in findings if found.doubts_score],
        findings=[str(found) for found in findings if not found.doubts_score],
        provenance=[["seed", str(asked.seed)], *provenance],
        **rest,
    )
