"""Values that are all alike, far away from the others, or no values at all."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from markone.data.reading.columns import NumberColumn, number_text
from markone.numerics.arrays import Array
from markone.numerics.text import number, shortened
from markone.tables.findings.evidence import Evidence
from markone.tables.findings.finding import TableFinding
from markone.tables.findings.significance import LEVEL, depends_on_class, depends_on_number
from markone.tables.plan.column_plan import NUMBER

FEWEST = 20
NEARLY = 0.99
# Quartile distances from the median, beyond which a number is far away.
FAR = 10.0


def find(seen: Evidence) -> Iterator[TableFinding]:
    if len(seen.table) < FEWEST:
        return
    same = [c.name for c in seen.plan.used if nearly_constant(seen, c.name)]
    if same:
        yield TableFinding(
            "nearly constant",
            f"Nearly constant, one value in 99 % of the rows or more: {shortened(same, 6)}.",
            "Such a column teaches from a handful of rows: look at them, or leave it out with --drop.",
            columns=tuple(same),
        )
    codes = [c.name for c in seen.plan.of_kind(NUMBER) if c.name in seen.table.padded]
    if codes:
        yield TableFinding(
            "leading zeros",
            f"Written with leading zeros, as codes are, but taken for numbers: {shortened(codes, 6)}.",
            "Codes have no size: take them as categories with --categorical, or leave them out with --drop.",
            columns=tuple(codes),
        )
    slips: dict[str, str] = {}
    for name in (c.name for c in seen.plan.of_kind(NUMBER) if c.name not in same):
        cells = seen.column(name)
        values = cells.values if isinstance(cells, NumberColumn) else cells.numbers
        far = far_away(values)
        if not len(far):
            continue
        code = repeated_end(values, far)
        if code is not None:
            yield missing_code(seen, name, code, values == code)
        else:
            where = f"{number(float(values[far[0]]), 6)} in row {seen.table.rows[far[0]]}"
            slips[name] = f"{name!r} ({where}" + (f", {len(far)} in all)" if len(far) > 1 else ")")
    if slips:
        yield TableFinding(
            "far away",
            f"Values more than {FAR:g} quartile distances from the median: "
            f"{shortened(list(slips.values()), 4)}.",
            "Check them: one slip of a decimal point stretches the z-scores of the whole column.",
            columns=tuple(slips),
            numbers={"columns": float(len(slips))},
        )


def nearly_constant(seen: Evidence, name: str) -> bool:
    cells = seen.column(name)
    values = (cells.values if isinstance(cells, NumberColumn) else cells.codes)[~cells.missing]
    if not len(values):
        return False
    # A value of more than half of the rows is their median.
    often = int((values == np.partition(values, len(values) // 2)[len(values) // 2]).sum())
    return NEARLY * len(values) <= often < len(values)


def far_away(values: Array) -> Array:
    """The rows of values far from the quartiles; none where half of the values are one."""
    if np.isnan(values).all():
        return np.zeros(0, int)
    low, middle, high = np.nanpercentile(values, [25, 50, 75], method="nearest")
    # In halves: the difference of 1e308 and -1e308 is not a number.
    width = high / 2 - low / 2
    if not width > 0:
        return np.zeros(0, int)
    with np.errstate(over="ignore"):
        return np.flatnonzero(np.abs(values / 2 - middle / 2) / width > FAR)


def repeated_end(values: Array, far: Array) -> float | None:
    """The least or largest value, if most of what is far away is this one: -999."""
    different, times = np.unique(values[far], return_counts=True)
    code = float(different[times.argmax()])
    often = times.max() >= max(3, 0.5 * len(far))
    return code if often and code in (np.nanmin(values), np.nanmax(values)) else None


def missing_code(seen: Evidence, name: str, code: float, mask: Array) -> TableFinding:
    if seen.of_numbers:
        p, knows = depends_on_number(mask, seen.y), "where the target is large, or small, more often"
    else:
        p, knows = depends_on_class(mask, seen.codes), "more often in one class"
    class_too = f", and {knows} than chance allows (p = {p:.1g})" if p < LEVEL else ""
    return TableFinding(
        "code for missing",
        f"Column {name!r} says {number_text(code)} in {int(mask.sum())} rows, far from all other "
        f"values{class_too}: a code for a missing value?",
        "If so, leave those cells empty and choose with --missing.",
        p < LEVEL,
        (name,),
        {"p": p, "rows": float(mask.sum())},
    )
