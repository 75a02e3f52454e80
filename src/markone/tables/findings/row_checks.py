"""Checks of the rows: duplicates, their order, and their number."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import stats

from markone.numerics.arrays import Array
from markone.numerics.text import format_count, format_names
from markone.tables.findings.evidence import Evidence, TableFinding, group_equal_rows
from markone.tables.plan.column_kinds import shell_quote
from markone.tables.plan.column_plan import NUMBER

# Smallest reported share of rows that coincide by chance.
MIN_REPORTED_SHARE = 0.05


def find_duplicates(seen: Evidence) -> Iterator[TableFinding]:
    copies, sizes = seen.copies, np.bincount(seen.copies)
    if len(sizes) == len(copies):
        return
    mixed = np.zeros(0, int)
    if not seen.of_numbers:
        labels = np.unique(seen.kept_y, return_inverse=True)[1].ravel()
        pairs = np.unique(np.stack([copies, labels], axis=1), axis=0)
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
        f"({_name_first_copies(seen, copies, first)}). Copies were kept in one fold, so that no row is "
        "tested by a model trained on its copy.",
        "Remove copies that are errors: they count twice.",
        numbers=numbers,
    )


def _name_first_copies(seen: Evidence, copies: Array, which: int) -> str:
    rows = seen.kept_rows[copies == which]
    return f"rows {rows[0]} and {rows[1]} are the first"


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


MIN_ROWS = 20
# |Correlation| of its ranks with the row number from which on a column follows the row order.
MIN_CORRELATION = 0.98


def find_order_effects(seen: Evidence) -> Iterator[TableFinding]:
    if len(seen.table) < MIN_ROWS:
        return
    sorted_by_class = _row_order_p_value(seen)
    clocks = [
        c.name
        for c in seen.plan.columns_of_kind(NUMBER)
        if _follows_row_order(seen.get_column(c.name).numbers[seen.sampled_rows])
    ]
    if clocks:
        yield _row_order_finding(clocks, sorted_by_class, "target" if seen.of_numbers else "class")
    elif sorted_by_class < 1e-6 and not seen.of_numbers:
        yield TableFinding(
            "order by class",
            f"The order of the rows depends on the class (p = {sorted_by_class:.1g}), as in a sorted table.",
            "Harmless if the table was sorted: folds are shuffled. If it is the order of collection, "
            "conditions changed together with the class: split by time (--time COLUMN) and look for a column "
            "that drifts.",
            numbers={"p": sorted_by_class},
        )


def _row_order_p_value(seen: Evidence) -> float:
    """p-value of the row position by class (Kruskal-Wallis), or by a numeric target (Spearman)."""
    if seen.of_numbers:
        return float(stats.spearmanr(np.arange(len(seen.y)), seen.y).pvalue)
    places = [np.flatnonzero(seen.class_codes == k) for k in range(len(seen.classes))]
    return float(stats.kruskal(*places).pvalue)


def _follows_row_order(values: Array) -> bool:
    given = ~np.isnan(values)
    different, ranks = np.unique(values[given], return_inverse=True)
    if given.sum() < MIN_ROWS or len(different) < 0.5 * given.sum():
        return False
    return bool(abs(np.corrcoef(np.flatnonzero(given), ranks)[0, 1]) >= MIN_CORRELATION)


def _row_order_finding(names: list[str], sorted_by_class: float, target: str) -> TableFinding:
    doubtful = sorted_by_class < 1e-3
    columns = (
        f"Column {names[0]!r} follows" if len(names) == 1 else f"Columns {format_names(names, 4)} follow"
    )
    target_too = f", and so does the {target} (p = {sorted_by_class:.1g})" if doubtful else ""
    return TableFinding(
        "follows the row order",
        f"{columns} the order of the rows{target_too}: a row number or a time.",
        f"Leave it out (--drop {shell_quote(names[0])}), or train on earlier and test on later rows (--time "
        f"{shell_quote(names[0])}).",
        doubtful,
        tuple(names),
        {"p": sorted_by_class},
    )


# Rows of a class per fold below which its recall is unreliable.
FEW_IN_A_FOLD = 3


def find_small_samples(seen: Evidence) -> Iterator[TableFinding]:
    if not seen.of_numbers:
        yield from _find_small_class(seen)
    P, N = seen.X.shape
    if N > P:
        fit = "target" if seen.of_numbers else "classes"
        yield TableFinding(
            "more inputs than rows",
            f"There are {N} inputs and {P} rows: some inputs fit the {fit} by chance alone.",
            "Do not select inputs on all rows; relevances and weights vary strongly between folds.",
            numbers={"inputs": float(N), "rows": float(P)},
        )


def _find_small_class(seen: Evidence) -> Iterator[TableFinding]:
    labels, counts = np.unique(seen.kept_y, return_counts=True)
    rare, rows = str(labels[counts.argmin()]), int(counts.min())
    folds = seen.how.folds
    # A class of one row is refused before the first fold.
    if folds and 1 < rows < FEW_IN_A_FOLD * folds:
        yield TableFinding(
            "small class",
            f"Class {rare!r} has {rows} rows, so that each of the {folds} folds tests {rows / folds:.1f} of "
            f"them: one row is {100 / rows:.1f} % of its recall.",
            "Read the scores of this class with their intervals, or collect more of it.",
            columns=(seen.plan.target,),
            numbers={"rows": float(rows)},
        )
