"""The declared tables, measured and published, and the figures with captions and tables of their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from markone.lab.formatting import column_label, format_keys
from markone.lab.plots.draw import draw_declared_figure
from markone.lab.plots.drawn_figure import Drawn
from markone.lab.scenario import Point
from markone.lab.schema import Declaration, TableSpec
from markone.lab.statistics import (
    Estimate,
    Line,
    as_points,
    estimate_points,
    evenly_spaced_indices,
    measured_lines,
    point_parameters,
)
from markone.numerics.text import format_number
from markone.show.page import PageTable

GAP = "–"
MEANINGS = {
    "mean": "Means over the runs.",
    "mean_sd": "Mean ± standard deviation of the runs.",
    "mean_error": "Mean ± its standard error.",
}


@dataclass(frozen=True)
class PrintedTable:
    """A declared table as text."""

    name: str
    caption: str
    table: PageTable


@dataclass(frozen=True)
class Cell:
    """Mean and what follows the ±; NaN where nothing was measured."""

    mean: float
    spread: float


@dataclass(frozen=True)
class TableColumn:
    """One measure in one group, a cell for each row."""

    label: str
    cells: list[Cell]
    published: list[Cell]


@dataclass(frozen=True)
class FilledTable:
    """A declared table with its numbers: the values of the row keys, and the columns."""

    keys: list[str]
    rows: list[tuple[Any, ...]]
    columns: list[TableColumn]
    average: bool


def report_table(declaration: Declaration, points: Sequence[Point], table: TableSpec) -> PrintedTable:
    return PrintedTable(
        table.name, table_caption(table), format_table(fill_table(declaration, points, table), table)
    )


def fill_table(declaration: Declaration, points: Sequence[Point], table: TableSpec) -> FilledTable:
    """Compute a table, rows and groups in the order of the points; other axes that vary are row keys too."""
    chosen = as_points(points).select(table.where, declaration.fixed)
    parameters = [point_parameters(declaration, point) for point in chosen]
    varying = [key for key in declaration.grid if len({repr(row[key]) for row in parameters}) > 1]
    keys = list(dict.fromkeys([*table.rows, *(key for key in varying if key not in table.across)]))
    rows = list(dict.fromkeys(tuple(row[key] for key in keys) for row in parameters))
    groups = list(dict.fromkeys(tuple(row[key] for key in table.across) for row in parameters))
    columns = []
    for group, measure in product(groups, table.columns):
        found = {}
        for row, estimate in zip(
            parameters, estimate_points(chosen, measure, declaration.scenario_object), strict=True
        ):
            if tuple(row[key] for key in table.across) == group:
                found[tuple(row[key] for key in keys)] = _estimate_cell(estimate, table.show)
        label = column_label(dict(zip(table.across, group, strict=True)), measure, len(table.columns))
        cells = [found.get(row, Cell(np.nan, np.nan)) for row in rows]
        published = [
            Cell(*found) if isinstance(found, list) else Cell(found, np.nan)
            for found in table.published.get(label, [])
        ]
        columns.append(TableColumn(label, cells, published))
    return FilledTable(keys, rows, columns, table.average and len(rows) > 1)


def _estimate_cell(estimate: Estimate, show: str) -> Cell:
    if estimate.n == 0:
        return Cell(np.nan, np.nan)
    spread = estimate.error * (estimate.n**0.5 if show == "mean_sd" else 1.0)
    return Cell(estimate.mean, np.nan if show == "mean" else spread)


def _average_cells(cells: Sequence[Cell], show: str) -> Cell:
    """Mean over the rows, NaN if one is missing; with its error for independent rows, or mean deviation."""
    means, spreads = np.array([c.mean for c in cells]), np.array([c.spread for c in cells])
    together = float(np.mean(spreads) if show == "mean_sd" else np.sqrt(np.sum(spreads**2)) / len(cells))
    return Cell(float(np.mean(means)), together)


def format_table(filled: FilledTable, table: TableSpec) -> PageTable:
    """Header and rows as text."""
    header, body = list(filled.keys), [[format_number(value, 8) for value in row] for row in filled.rows]
    if filled.average:
        body.append(["average", *[""] * (len(filled.keys) - 1)])
    for column in filled.columns:
        cells = [*column.cells, *([_average_cells(column.cells, table.show)] if filled.average else [])]
        header.append(column.label)
        _append_table_column(body, [_format_cell(c, table.digits) for c in cells])
        if column.published:
            header.append(f"{column.label}, published")
            _append_table_column(body, [_format_cell(c, table.digits) for c in column.published])
    return PageTable(header, body)


def _append_table_column(body: list[list[str]], column: Sequence[str]) -> None:
    """Append a column to the rows; a column that is too short leaves gaps."""
    for k, row in enumerate(body):
        row.append(column[k] if k < len(column) else GAP)


def _format_cell(c: Cell, digits: int) -> str:
    return _format_decimals(c.mean, digits) + (
        f" ± {_format_decimals(c.spread, digits)}" if np.isfinite(c.spread) else ""
    )


def _format_decimals(value: float, digits: int) -> str:
    """Number with `digits` decimals; from 1e7 on with an exponent."""
    if not np.isfinite(value):
        return GAP
    return f"{value:.{digits}f}" if abs(value) < 1e7 else f"{value:.{digits}e}"


def table_caption(table: TableSpec) -> str:
    parts = [table.title.rstrip(".") + "." if table.title else "", MEANINGS[table.show]]
    parts.append(f"Published: {table.source.rstrip('.')}." if table.published else "")
    parts.append(f"Only {format_keys(table.where)}." if table.where else "")
    return " ".join(filter(None, parts))


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
        caption, table = (
            declaration.scenario_object.pictures[figure.picture].title.rstrip("."),
            PageTable([], []),
        )
        caption += f" ({format_keys(figure.where)})." if figure.where else "."
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
