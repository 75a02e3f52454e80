"""What tells lines, measures and theories apart, and the legend that says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from markone.lab.figures import DOUBLE, SINGLE, Drawn
from markone.lab.seeing.words import names
from markone.lab.summary import Line

COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999"]
MARKS = ["o", "s", "^", "D", "v", "P", "X", "<", ">"]
FILLS = ["full", "none", "left", "top", "right", "bottom"]
DASHES: list[Any] = ["-", "--", "-.", ":"]
GREY = "0.35"


def style(line: Line, labels: Sequence[str], measures: Sequence[str]) -> dict[str, Any]:
    """Colour and mark tell the lines apart, filling the measures; with one line the measures take all."""
    which, measure = labels.index(names(line.keys)), measures.index(line.measure)
    if len(labels) == 1:
        which, measure = measure, 0
    return {
        "color": COLOURS[which % len(COLOURS)],
        "marker": MARKS[which % len(MARKS)],
        "fillstyle": FILLS[measure % len(FILLS)],
    }


def legend(
    drawn: Drawn,
    axes: Axes,
    figure: Any,
    labels: Sequence[str],
    theories: Sequence[str],
    width: float | None,
) -> None:
    """Lines by colour and mark, measures by filling, theories by dashes: a sum, not a product, of entries."""
    entries = []
    if len(labels) > 1:
        entries += [
            handle(label, COLOURS[k % len(COLOURS)], MARKS[k % len(MARKS)]) for k, label in enumerate(labels)
        ]
    if len(figure.measures) > 1 and len(labels) > 1:
        entries += [handle(m, GREY, "o", FILLS[k % len(FILLS)]) for k, m in enumerate(figure.measures)]
    elif len(labels) == 1:
        entries += [
            handle(m, COLOURS[k % len(COLOURS)], MARKS[k % len(MARKS)]) for k, m in enumerate(figure.measures)
        ]
    entries += [
        Line2D([], [], color=GREY, linestyle=DASHES[k % 4], label=title) for k, title in enumerate(theories)
    ]
    wide = width or (SINGLE if len(entries) <= 5 else DOUBLE)
    drawn.figure.set_size_inches(wide, wide * (0.72 if wide < 5 else 0.5))
    if wide < 5:
        axes.legend(handles=entries)
    else:
        drawn.figure.legend(handles=entries, loc="outside right upper")


def handle(label: str, colour: str, marker: str, fill: Any = "full") -> Line2D:
    return Line2D([], [], color=colour, marker=marker, fillstyle=fill, linestyle="none", label=label)
