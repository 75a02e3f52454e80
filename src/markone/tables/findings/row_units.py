"""Rows of one unit, which belong into one fold: repeated identifiers, and clusters of near copies."""

from __future__ import annotations

import re

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.stats import binom
from sklearn.neighbors import NearestNeighbors

from markone.data.reading.cell_table import CellTable
from markone.data.reading.columns import Column, NumberColumn
from markone.numerics.arrays import Array
from markone.numerics.text import format_count
from markone.tables.findings.evidence import TableFinding
from markone.tables.plan.column_kinds import MOSTLY_DIFFERENT, shell_quote

UNIT_NAME = re.compile(
    r"(^|[\s_.-])(id|ids|nr|key|subject|patient|person|participant|identifier|uuid)([\s_.-]|$)|(?<=[a-z])(ID|Id)$",
    re.IGNORECASE,
)
# Values of an identifier, and their rows each.
FEWEST_UNITS, FEWEST_ROWS_PER_UNIT = 10, 1.5
# Share of the rows that agree with their unit from which on a column, or the class, is constant in units.
CONSTANT = 0.98
# Rows examined: whole units, drawn at random.
MOST_ROWS = 5000


# A candidate: named like one, number of columns that are constant in its units, number of values, name.
_Unit = tuple[bool, int, int, str]


def find_unit_column(table: CellTable, target: str, classes: bool, ignored: set[str]) -> str | None:
    """The column that identifies units of several rows, in which the class or other columns are constant.

    Numbers must be whole. Without the name of an identifier, the class and another column, or half of the
    other columns, must be constant in the units.
    """
    columns = {name: column for name, column in table.columns.items() if name not in ignored | {target}}
    y = np.unique(table.columns[target].as_text().codes, return_inverse=True)[1].ravel() if classes else None
    units = {name: _unit_sizes(column) for name, column in columns.items()}
    found = [_examine_column(name, column, units, y) for name, column in columns.items()]
    candidates = [unit for unit in found if unit is not None]
    best = max(candidates, key=lambda unit: unit[:3], default=None)
    return best[-1] if best else None


def unit_finding(table: CellTable, name: str) -> TableFinding:
    units = len(_unit_sizes(table.columns[name])[1])
    return TableFinding(
        "rows of one unit",
        f"Column {name!r} identifies {units} units in {len(table)} rows: their rows were kept in one fold.",
        f"To use it as an input, and let units be in training and test: --keep {shell_quote(name)}.",
        columns=(name,),
        numbers={"units": float(units)},
    )


def _examine_column(
    name: str, column: Column, units: dict[str, tuple[Array, Array]], y: Array | None
) -> _Unit | None:
    """The column as a candidate; `units` are the unit of each row and the rows of each, by column."""
    named = bool(UNIT_NAME.search(name))
    if isinstance(column, NumberColumn):
        given = column.values[~column.missing]
        if not len(given) or (given != np.rint(given)).any():
            return None
    level, sizes = units[name]
    L, P = len(sizes), len(level)
    if named and MOSTLY_DIFFERENT * P <= L < P:
        return named, 0, L, name
    if L < FEWEST_UNITS or P / L < FEWEST_ROWS_PER_UNIT or sizes[sizes > 1].sum() < P / 2:
        return None
    rows = _rows_of_whole_units(level, sizes)
    level = np.unique(level[rows], return_inverse=True)[1].ravel()
    class_constant = y is not None and _determines_class(column, rows, level, y[rows])
    others = [other for key, (other, _) in units.items() if key != name]
    constant = sum(_is_constant_in_units(level, other[rows]) for other in others)
    if named:
        return (named, constant, L, name) if class_constant or constant >= 2 else None
    enough = (class_constant and constant >= 1) or constant >= max(3, len(others) / 2)
    return (named, constant, L, name) if enough else None


def _unit_sizes(column: Column) -> tuple[Array, Array]:
    """Index of the value of each row, and the rows of each value; missing values are different ones."""
    if isinstance(column, NumberColumn):
        level = np.unique(column.values, return_inverse=True, equal_nan=False)[1].ravel()
    else:
        alone = len(column.levels) + np.arange(len(column))
        level = np.unique(np.where(column.missing, alone, column.codes), return_inverse=True)[1].ravel()
    return level, np.bincount(level)


def _rows_of_whole_units(level: Array, sizes: Array) -> Array:
    """Rows of units with several rows, at most about MOST_ROWS."""
    units = np.random.default_rng(0).permutation(np.flatnonzero(sizes > 1))
    kept = units[: max(2, int(np.searchsorted(np.cumsum(sizes[units]), MOST_ROWS)))]
    return np.flatnonzero(np.isin(level, kept))


def _agreement(level: Array, codes: Array) -> float:
    """Share of the rows that have the most frequent code of their unit."""
    pairs, counts = np.unique(level.astype(np.int64) * (int(codes.max()) + 1) + codes, return_counts=True)
    most = np.zeros(int(level.max()) + 1)
    np.maximum.at(most, pairs // (int(codes.max()) + 1), counts)
    return float(most.sum() / len(level))


def _is_constant_in_units(level: Array, codes: Array) -> bool:
    """Whether a column that varies between the units does not vary inside them."""
    counts = np.bincount(codes)
    return counts.max() < 0.9 * len(codes) and _agreement(level, codes) >= CONSTANT


def _determines_class(column: Column, rows: Array, level: Array, y: Array) -> bool:
    """Whether the class is constant in units, much more than among units of neighbouring numbers."""
    same, n = _agreement(level, y), len(y)
    usual = float(np.bincount(y).max() / n)
    if isinstance(column, NumberColumn):
        # A measured quantity decides between ranges of values: neighbouring values agree as well.
        order = np.argsort(column.values[rows], kind="stable")
        pairs = np.empty(n, int)
        pairs[order] = np.unique(level[order], return_inverse=True)[1].ravel() // 2
        usual = max(usual, _agreement(pairs, y))
    return (
        same >= 0.95 and 1 - same <= (1 - usual) / 3 and bool(binom.sf(round(same * n) - 1, n, usual) < 1e-6)
    )


# Near copies: the nearest row is closer than this share of the distance to the 20th, for so many of the rows.
# Independent rows with a density come as close in a share 19 x 0.02^N, N the effective number of dimensions.
NEAR, NEIGHBOURS, NEAR_SHARE = 0.02, 20, 0.5
FEWEST_COLUMNS, MOST_COMPARED = 3, 10_000


def find_near_copies(numbers: Array) -> Array | None:
    """Cluster of each row by its numbers; None if the rows do not cluster."""
    full = ~np.isnan(numbers).any(axis=0)
    Z = numbers[:, full]
    Z = Z[:, [len(np.unique(z)) > len(z) / 2 for z in Z.T]]
    if Z.shape[1] < FEWEST_COLUMNS or not 2 * NEIGHBOURS < len(Z) <= MOST_COMPARED:
        return None
    with np.errstate(all="ignore"):
        Z = (Z - Z.mean(axis=0)) / Z.std(axis=0)
    if not np.isfinite(Z).all():
        return None
    distance, index = NearestNeighbors(n_neighbors=NEIGHBOURS + 1).fit(Z).kneighbors(Z)
    close = distance[:, 1:] < NEAR * distance[:, -1:]
    if close[:, 0].mean() < NEAR_SHARE:
        return None
    rows, places = np.nonzero(close)
    links = coo_array((np.ones(len(rows)), (rows, index[rows, places + 1])), shape=(len(Z), len(Z)))
    return np.asarray(connected_components(links, directed=False)[1])


def near_copies_finding(clusters: Array) -> TableFinding:
    sizes = np.bincount(clusters)
    rows = int(sizes[sizes > 1].sum())
    return TableFinding(
        "near copies",
        f"{rows} of {format_count(len(clusters), 'row')} are near copies of another row (in "
        f"{format_count(int((sizes > 1).sum()), 'cluster')}): copies were kept in one fold.",
        "If they are repeated measurements of one unit, name the column of the unit with --group.",
        numbers={"rows": float(rows)},
    )
