"""Vertical lines at thresholds, one for each line of a figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes

from markone.lab.formatting import format_keys
from markone.lab.plots.drawn_figure import Drawn, Place
from markone.lab.plots.style import DOTTED_LINE
from markone.lab.statistics import Line, are_numbers
from markone.show.drawing import COLOURS, GREY


def draw_marks(
    drawn: Drawn,
    axes: Axes,
    declaration: Any,
    table: Sequence[Sequence[Line]],
    figure: Any,
    labels: Sequence[str],
) -> None:
    """Draw a mark for each line in its colour; one in grey if it is the same for all."""
    for name in getattr(figure, "marks", None) or []:
        mark = declaration.scenario_object.marks[name]
        found = _mark_places(mark, [line for row in table for line in row])
        same = len({place.x for place in found}) == 1
        for place in found[:1] if same else found:
            which = labels.index(place.label)
            colour = GREY if same or len(labels) == 1 else COLOURS[which % len(COLOURS)]
            axes.axvline(place.x, color=colour, linestyle=DOTTED_LINE, linewidth=0.9, zorder=0.5)
            drawn.marks.append(place)


def _mark_places(mark: Any, lines: Sequence[Line]) -> list[Place]:
    """Positions of a mark within the measured range of each line."""
    found = {}
    for line in lines:
        if line.x and are_numbers(line.x):
            x = float(mark.function(line.parameters[0]))
            if min(line.x) <= x <= max(line.x):
                found[format_keys(line.keys)] = Place(format_keys(line.keys), mark.title, x)
    return list(found.values())
