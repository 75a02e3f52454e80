"""The declared tables: measures as numbers, beside what others have published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from markone.lab.seeing.where import matches
from markone.lab.seeing.words import names, number
from markone.lab.summary import Estimate, estimates_of, parameters_of

if TYPE_CHECKING:
    from markone.lab.declare import Declaration
    from markone.lab.declaring.parts import Table
    from markone.lab.store import Point

GAP = "–"
MEANINGS = {
    "mean": "Means over the runs.",
    "mean_sd": "Mean ± standard deviation of the runs.",
    "mean_error": "Mean ± its standard error.",
}


@dataclass(frozen=True)
class Cell:
    """Mean and what follows the ±; NaN where nothing was measured."""

    mean: float
    spread: float


@dataclass(frozen=True)
class Column:
    """One measure in one group, a cell for each row."""

    label: str
    cells: list[Cell]
    published: list[float]


@dataclass(frozen=True)
class Filled:
    """A declared table with its numbers: the values of the row keys, and the columns."""

    keys: list[str]
    rows: list[tuple[Any, ...]]
    columns: list[Column]
    average: bool


def fill(declaration: Declaration, points: Sequence[Point], table: Table) -> Filled:
    """Rows and groups in the order of the points; an axis that varies and is not named is a row key too."""
    chosen = [p for p in points if matches(parameters_of(declaration, p), table.where)]
    parameters = [parameters_of(declaration, point) for point in chosen]
    varying = [key for key in declaration.grid if len({repr(row[key]) for row in parameters}) > 1]
    keys = list(dict.fromkeys([*table.rows, *(key for key in varying if key not in table.across)]))
    rows = list(dict.fromkeys(tuple(row[key] for key in keys) for row in parameters))
    groups = list(dict.fromkeys(tuple(row[key] for key in table.across) for row in parameters))
    columns = []
    for group, measure in product(groups, table.columns):
        found = {}
        for row, estimate in zip(parameters, estimates_of(chosen, measure), strict=True):
            if tuple(row[key] for key in table.across) == group:
                found[tuple(row[key] for key in keys)] = cell(estimate, table.show)
        label = heading(dict(zip(table.across, group, strict=True)), measure, len(table.columns))
        cells = [found.get(row, Cell(np.nan, np.nan)) for row in rows]
        columns.append(Column(label, cells, table.published.get(label, [])))
    return Filled(keys, rows, columns, table.average and len(rows) > 1)


def heading(group: dict[str, Any], measure: str, measures: int) -> str:
    """accuracy; glvq; glvq, accuracy: what is needed to tell the columns apart."""
    return ", ".join(filter(None, [names(group), measure if not group or measures > 1 else ""]))


def cell(estimate: Estimate, show: str) -> Cell:
    if estimate.n == 0:
        return Cell(np.nan, np.nan)
    spread = estimate.error * (estimate.n**0.5 if show == "mean_sd" else 1.0)
    return Cell(estimate.mean, np.nan if show == "mean" else spread)


def average(cells: Sequence[Cell], show: str) -> Cell:
    """Mean over the rows, NaN if one is missing; its error if rows are independent, or the mean deviation."""
    means, spreads = np.array([c.mean for c in cells]), np.array([c.spread for c in cells])
    together = float(np.mean(spreads) if show == "mean_sd" else np.sqrt(np.sum(spreads**2)) / len(cells))
    return Cell(float(np.mean(means)), together)


def printed(filled: Filled, table: Table) -> tuple[list[str], list[list[str]]]:
    """Header and rows as text."""
    header, body = list(filled.keys), [[number(value, 8) for value in row] for row in filled.rows]
    if filled.average:
        body.append(["average", *[""] * (len(filled.keys) - 1)])
    for column in filled.columns:
        cells = [*column.cells, *([average(column.cells, table.show)] if filled.average else [])]
        header.append(column.label)
        add(body, [text(c, table.digits) for c in cells])
        if column.published:
            header.append(f"{column.label}, published")
            add(body, [plain(value, table.digits) for value in column.published])
    return header, body


def add(body: list[list[str]], column: Sequence[str]) -> None:
    """A cell to each row; a column that is too short leaves gaps."""
    for k, row in enumerate(body):
        row.append(column[k] if k < len(column) else GAP)


def text(c: Cell, digits: int) -> str:
    return plain(c.mean, digits) + (f" ± {plain(c.spread, digits)}" if np.isfinite(c.spread) else "")


def plain(value: float, digits: int) -> str:
    """`digits` decimals; what is too large for them as a power of ten."""
    if not np.isfinite(value):
        return GAP
    return f"{value:.{digits}f}" if abs(value) < 1e7 else f"{value:.{digits}e}"


def caption(table: Table) -> str:
    parts = [table.title.rstrip(".") + "." if table.title else "", MEANINGS[table.show]]
    parts.append(f"Published: {table.source.rstrip('.')}." if table.published else "")
    parts.append(f"Only {names(table.where)}." if table.where else "")
    return " ".join(filter(None, parts))
