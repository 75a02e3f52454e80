"""The figures of a report, with captions and tables of the drawn numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markone.lab.formatting import format_keys
from markone.lab.plots.draw import draw_declared_figure
from markone.lab.plots.drawn_figure import Drawn
from markone.lab.plots.lines import evenly_spaced_indices
from markone.lab.scenario import Point
from markone.lab.schema import Declaration
from markone.lab.statistics import Line, measured_lines
from markone.numerics.text import format_number
from markone.show.page import PageTable

MOST_ROWS = 800  # of the table of a figure


@dataclass(frozen=True)
class ShownFigure:
    """A figure of the report; pictures have an empty table."""

    name: str
    caption: str
    drawn: Drawn
    table: PageTable


def draw_report_figure(declaration: Declaration, points: Sequence[Point], figure: Any) -> ShownFigure:
    drawn = draw_declared_figure(declaration, points, figure)
    if getattr(figure, "kind", None) == "picture":
        caption, table = _picture_caption(declaration, figure), PageTable([], [])
    else:
        caption = _curves_caption(declaration, figure)
        measured = drawn.lines or [
            line for m in figure.measures for line in measured_lines(declaration, points, figure, m)
        ]
        table, left_out = _means_table(figure, measured)
        caption += left_out
    caption += " Lower panel: deviations from theory in standard errors." if drawn.pulls else ""
    caption += f" {drawn.remark}" if drawn.remark else ""
    return ShownFigure(figure.name, caption, drawn, table)


def _picture_caption(declaration: Declaration, figure: Any) -> str:
    title = declaration.scenario_object.pictures[figure.picture].title.rstrip(".")
    return f"{title} ({format_keys(figure.where)})." if figure.where else f"{title}."


def _curves_caption(declaration: Declaration, figure: Any) -> str:
    scenario = declaration.scenario_object
    meant = "; ".join(f"{m}: {scenario.measures[m]}" for m in figure.measures if m in scenario.measures)
    caption = f"{meant or ', '.join(figure.measures)}."
    if (getattr(figure, "kind", None) or "lines") == "lines":
        theories = [scenario.theories[name].title for name in figure.theory]
        places = [scenario.marks[name].title for name in getattr(figure, "marks", [])]
        caption += " Marks: means with 95 % intervals."
        caption += f" Lines: theory ({'; '.join(theories)})." if theories else ""
        caption += f" Vertical lines: {'; '.join(places)}." if places else ""
    return caption


def _means_table(figure: Any, columns: Sequence[Line]) -> tuple[PageTable, str]:
    """One row per x, one column per line and measure; and a sentence if rows are left out."""
    header = [
        figure.x,
        *(", ".join(filter(None, [line.measure, format_keys(line.keys)])) for line in columns),
    ]
    every = dict.fromkeys(x for line in columns for x in line.x)
    numbers = all(isinstance(x, int | float) for x in every)
    order = sorted(every) if numbers else list(every)
    cells = {order[k]: ["–"] * len(columns) for k in evenly_spaced_indices(len(order), MOST_ROWS)}
    for k, line in enumerate(columns):
        for x, estimate in zip(line.x, line.estimates, strict=True):
            if x in cells:
                cells[x][k] = str(estimate)
    remark = (
        f" Its table has {MOST_ROWS} of {len(order)} rows; `markone export` writes them all."
        if len(order) > MOST_ROWS
        else ""
    )
    return PageTable(header, [[format_number(x, 8), *row] for x, row in cells.items()]), remark
