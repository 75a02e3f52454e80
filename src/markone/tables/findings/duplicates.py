"""Rows that stand in the table more than once: tested on what was learned by heart."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.text import count
from markone.tables.findings.evidence import Evidence
from markone.tables.findings.finding import TableFinding


def find(seen: Evidence) -> Iterator[TableFinding]:
    copies = copies_of(seen.X)
    sizes = np.bincount(copies)
    repeated = np.flatnonzero(sizes > 1)
    if not len(repeated):
        return
    extra = int((sizes[repeated] - 1).sum())
    pairs = np.unique(np.stack([copies, class_codes(seen.kept_y)], axis=1), axis=0)
    mixed = np.flatnonzero(np.bincount(pairs[:, 0]) > 1)
    numbers = {"extra_rows": float(extra), "in_two_classes": float(len(mixed))}
    if by_chance(seen.X, sizes):
        yield TableFinding(
            "few different rows",
            f"There are only {len(sizes)} different rows of inputs among {len(copies)}: with such columns "
            "rows "
            "coincide by chance, and the folds do not keep equal ones together.",
            "If equal rows are copies of one measurement, remove the copies or use --group.",
            numbers=numbers,
        )
    else:
        first = np.flatnonzero(copies == repeated[0])[:2]
        yield TableFinding(
            "duplicate rows",
            f"{count(extra, 'row')} repeat the inputs of another row (rows {seen.kept_rows[first[0]]} and "
            f"{seen.kept_rows[first[1]]} are the first). They were kept in one fold, so that none is tested "
            "on its "
            "own copy.",
            "Remove copies that are slips: they count double.",
            numbers=numbers,
        )
    if len(mixed):
        rows = seen.kept_rows[copies == mixed[0]][:2]
        yield TableFinding(
            "equal rows, other class",
            f"{count(len(mixed), 'set')} of equal inputs stand in more than one class (rows {rows[0]} and "
            f"{rows[1]} "
            "are the first): no student can name all of them right.",
            "Mend the labels, or add the column that tells them apart.",
            columns=(),
            numbers=numbers,
        )


def class_codes(y: Array) -> Array:
    return np.unique(y, return_inverse=True)[1].ravel()


def copies_of(X: Array) -> Array:
    """The same number for rows that are equal, missing values included."""
    same = np.ascontiguousarray(X, dtype=float) + 0.0  # -0.0 is 0.0
    same[np.isnan(same)] = np.nan
    place: dict[bytes, int] = {}
    return np.array([place.setdefault(row.tobytes(), len(place)) for row in same])


def by_chance(X: Array, sizes: Array) -> bool:
    """Whether so many pairs of equal rows are to be expected of columns that know nothing of each other."""
    equal_pairs = float((sizes * (sizes - 1) / 2).sum())
    P = len(X)
    chance = P * (P - 1) / 2
    for column in X.T:
        shares = np.unique(column, return_counts=True)[1] / P
        chance *= float((shares**2).sum())
        if chance < 0.1 * equal_pairs:
            return False
    return True


def kept_together(X: Array) -> Array | None:
    """Of each row the number of its copies' set, if there are copies that chance does not explain."""
    copies = copies_of(X)
    sizes = np.bincount(copies)
    return None if len(sizes) == len(copies) or by_chance(X, sizes) else copies
