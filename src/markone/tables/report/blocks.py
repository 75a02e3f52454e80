"""Parts of a report, rendered as an HTML page or printed on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from markone.show.page import PageTable

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
