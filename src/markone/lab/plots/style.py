"""Styles of lines, measures and theories."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markone.lab.formatting import format_keys
from markone.lab.statistics import Line
from markone.show.drawing import COLOURS

MARKS = ["o", "s", "^", "D", "v", "P", "X", "<", ">"]
FILLS = ["full", "none", "left", "top", "right", "bottom"]
DASHES: list[Any] = ["-", "--", "-.", ":"]
DOTTED_LINE: Any = (0, (1, 1.5))  # dotted: a mark on the x axis


def line_style(line: Line, labels: Sequence[str], measures: Sequence[str]) -> dict[str, Any]:
    """Style of a line: colour and marker by line, fill by measure; with one line all by measure."""
    which, measure = labels.index(format_keys(line.keys)), measures.index(line.measure)
    if len(labels) == 1:
        return numbered_style(measure, 0)
    return numbered_style(which, measure if len(measures) > 1 else None)


def numbered_style(which: int, fill: int | None = None) -> dict[str, Any]:
    """Colour and marker by number; markers are filled and open alternately unless a fill is given."""
    return {
        "color": COLOURS[which % len(COLOURS)],
        "marker": MARKS[which % len(MARKS)],
        "fillstyle": FILLS[which % 2 if fill is None else fill % len(FILLS)],
    }
