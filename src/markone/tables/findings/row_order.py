"""The order of the rows: sorted by class, columns that follow it, and identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from scipy import stats

from markone.data.reading.columns import NumberColumn
from markone.numerics.arrays import Array
from markone.numerics.text import format_names
from markone.tables.findings.evidence import Evidence
from markone.tables.findings.finding import TableFinding
from markone.tables.plan.column_kinds import shell_quote
from markone.tables.plan.column_plan import NUMBER

MIN_ROWS = 20
# |Correlation| of its ranks with the row number from which on a column follows the row order.
MIN_CORRELATION = 0.98
IDENTIFIER_NAME = re.compile(r"(^|[\s_.-])(id|nr|no|key|index|number|code|num)([\s_.-]|$)", re.IGNORECASE)


def find_order_effects(seen: Evidence) -> Iterator[TableFinding]:
    if len(seen.table) < MIN_ROWS:
        return
    sorted_by_class = _row_order_p_value(seen)
    clocks = [
        c.name
        for c in seen.plan.columns_of_kind(NUMBER)
        if _follows_row_order(_numeric_values(seen, c.name)[seen.sampled_rows])
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
    for name in [c.name for c in seen.plan.columns_of_kind(NUMBER) if c.name not in clocks]:
        if _is_identifier(name, _numeric_values(seen, name)):
            yield TableFinding(
                "identifier",
                f"Column {name!r} has a different integer in each row and is named like an identifier.",
                f"An identifier does not generalise: leave it out with --drop {shell_quote(name)}.",
                sorted_by_class < 1e-6,
                (name,),
            )


def _numeric_values(seen: Evidence, name: str) -> Array:
    column = seen.get_column(name)
    return column.values if isinstance(column, NumberColumn) else column.numbers


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


def _is_identifier(name: str, values: Array) -> bool:
    whole = not np.isnan(values).any() and bool((values == np.rint(values)).all())
    return whole and len(np.unique(values)) == len(values) and bool(IDENTIFIER_NAME.search(name))


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
