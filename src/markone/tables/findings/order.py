"""The order of the rows: sorted by class, columns that follow it, and identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from scipy import stats

from markone.data.reading.columns import NumberColumn
from markone.numerics.arrays import Array
from markone.numerics.text import listed
from markone.tables.findings.evidence import Evidence
from markone.tables.findings.finding import TableFinding
from markone.tables.plan.column_plan import NUMBER
from markone.tables.plan.kinds import quoted

FEWEST = 20
# |Correlation| of its ranks with the row number from which on a column follows the row order.
CLOCK = 0.98
NAMED = re.compile(r"(^|[\s_.-])(id|nr|no|key|index|number|code|num)([\s_.-]|$)", re.IGNORECASE)


def find(seen: Evidence) -> Iterator[TableFinding]:
    if len(seen.table) < FEWEST:
        return
    sorted_by_class = order_knows_class(seen)
    clocks = [c.name for c in seen.plan.of_kind(NUMBER) if is_clock(numbers(seen, c.name)[seen.sample])]
    if clocks:
        yield clock(clocks, sorted_by_class, "target" if seen.of_numbers else "class")
    elif sorted_by_class < 1e-6 and not seen.of_numbers:
        yield TableFinding(
            "order by class",
            f"The order of the rows depends on the class (p = {sorted_by_class:.1g}), as in a sorted table.",
            "Harmless if the table was sorted: folds are shuffled. If it is the order of collection, "
            "conditions changed together with the class: split by time (--time COLUMN) and look for a column "
            "that drifts.",
            numbers={"p": sorted_by_class},
        )
    for name in [c.name for c in seen.plan.of_kind(NUMBER) if c.name not in clocks]:
        if is_identifier(name, numbers(seen, name)):
            yield TableFinding(
                "identifier",
                f"Column {name!r} has a different integer in each row and is named like an identifier.",
                f"An identifier does not generalise: leave it out with --drop {quoted(name)}.",
                sorted_by_class < 1e-6,
                (name,),
            )


def numbers(seen: Evidence, name: str) -> Array:
    column = seen.column(name)
    return column.values if isinstance(column, NumberColumn) else column.numbers


def order_knows_class(seen: Evidence) -> float:
    """p-value of the row position by class (Kruskal-Wallis), or by a numeric target (Spearman)."""
    if seen.of_numbers:
        return float(stats.spearmanr(np.arange(len(seen.y)), seen.y).pvalue)
    places = [np.flatnonzero(seen.codes == k) for k in range(len(seen.classes))]
    return float(stats.kruskal(*places).pvalue)


def is_clock(values: Array) -> bool:
    given = ~np.isnan(values)
    different, ranks = np.unique(values[given], return_inverse=True)
    if given.sum() < FEWEST or len(different) < 0.5 * given.sum():
        return False
    return bool(abs(np.corrcoef(np.flatnonzero(given), ranks)[0, 1]) >= CLOCK)


def is_identifier(name: str, values: Array) -> bool:
    whole = not np.isnan(values).any() and bool((values == np.rint(values)).all())
    return whole and len(np.unique(values)) == len(values) and bool(NAMED.search(name))


def clock(names: list[str], sorted_by_class: float, target: str) -> TableFinding:
    doubtful = sorted_by_class < 1e-3
    columns = f"Column {names[0]!r} follows" if len(names) == 1 else f"Columns {listed(names, 4)} follow"
    target_too = f", and so does the {target} (p = {sorted_by_class:.1g})" if doubtful else ""
    return TableFinding(
        "follows the row order",
        f"{columns} the order of the rows{target_too}: a row number or a time.",
        f"Leave it out (--drop {quoted(names[0])}), or train on earlier and test on later rows (--time "
        f"{quoted(names[0])}).",
        doubtful,
        tuple(names),
        {"p": sorted_by_class},
    )
