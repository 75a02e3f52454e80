"""Duplicate rows."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.text import format_count
from markone.tables.findings.equal_rows import group_equal_rows
from markone.tables.findings.evidence import Evidence
from markone.tables.findings.finding import TableFinding

# Smallest reported share of rows that coincide by chance.
MIN_REPORTED_SHARE = 0.05


def find_duplicates(seen: Evidence) -> Iterator[TableFinding]:
    copies, sizes = seen.copies, np.bincount(seen.copies)
    if len(sizes) == len(copies):
        return
    mixed = np.zeros(0, int)
    if not seen.of_numbers:
        pairs = np.unique(np.stack([copies, _label_codes(seen.kept_y)], axis=1), axis=0)
        mixed = np.flatnonzero(np.bincount(pairs[:, 0]) > 1)
    numbers = {"extra_rows": float(len(copies) - len(sizes)), "in_two_classes": float(len(mixed))}
    if not _copies_expected_by_chance(seen.X, sizes, list(seen.plan.inputs_by_column.values())):
        yield _duplicate_rows(seen, copies, numbers)
    elif len(copies) - len(sizes) >= MIN_REPORTED_SHARE * len(copies):
        yield _few_different_rows(seen, copies, numbers)
    if len(mixed):
        yield TableFinding(
            "equal rows, other class",
            f"{format_count(len(mixed), 'set')} of equal inputs occur in more than one class "
            f"({_name_first_copies(seen, copies, mixed[0])}): no model can classify all of them correctly.",
            "Correct the labels, or add the column that distinguishes them.",
            numbers=numbers,
        )


def _few_different_rows(seen: Evidence, copies: Array, numbers: dict[str, float]) -> TableFinding:
    return TableFinding(
        "few different rows",
        f"There are only {copies.max() + 1} different rows of inputs among {len(copies)}: with such columns "
        "rows coincide by chance, so the folds do not keep equal rows together.",
        "If equal rows are copies of one measurement, remove the copies or use --group.",
        numbers=numbers,
    )


def _duplicate_rows(seen: Evidence, copies: Array, numbers: dict[str, float]) -> TableFinding:
    first = int(np.flatnonzero(np.bincount(copies) > 1)[0])
    return TableFinding(
        "duplicate rows",
        f"Inputs of another row repeated: {format_count(int(numbers['extra_rows']), 'row')} "
        f"({_name_first_copies(seen, copies, first)}). Copies were kept in one fold, so "
        "that no row is tested by a "
        "model trained on its copy.",
        "Remove copies that are errors: they count twice.",
        numbers=numbers,
    )


def _name_first_copies(seen: Evidence, copies: Array, which: int) -> str:
    rows = seen.kept_rows[copies == which]
    return f"rows {rows[0]} and {rows[1]} are the first"


def _label_codes(y: Array) -> Array:
    return np.unique(y, return_inverse=True)[1].ravel()


def _copies_expected_by_chance(X: Array, sizes: Array, columns: list[list[int]]) -> bool:
    """Return whether so many pairs of equal rows are expected if the columns are independent.

    `columns` are the inputs of each column; the inputs of one text column count as one.
    """
    equal_pairs = float((sizes * (sizes - 1) / 2).sum())
    P = len(X)
    chance = P * (P - 1) / 2
    for inputs in columns:
        shares = np.bincount(group_equal_rows(X[:, inputs])) / P
        chance *= float((shares**2).sum())
        # In doubt they are copies: keeping equal rows together costs little, a copy in the test part much.
        if chance < 0.5 * equal_pairs:
            return False
    return True


def copy_groups(X: Array, copies: Array, columns: list[list[int]]) -> Array | None:
    """Group number of each row by copies, or None if chance explains the equal rows."""
    sizes = np.bincount(copies)
    return None if len(sizes) == len(copies) or _copies_expected_by_chance(X, sizes, columns) else copies
