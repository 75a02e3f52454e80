"""Nearly constant columns, outliers, codes for missing values."""

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
# Quartile distances from the median beyond which a number is an outlier.
FAR = 10.0


def find(seen: Evidence) -> Iterator[TableFinding]:
    if len(seen.table) < FEWEST:
        return
    same = [c.name for c in seen.plan.used if nearly_constant(seen, c.name)]
    if same:
        yield TableFinding(
            "nearly constant",
            f"Nearly constant, one value in 99 % of the rows or more: {shortened(same, 6)}.",
            "Such a column carries information in few rows only: check them, or leave it out with --drop.",
            columns=tuple(same),
        )
    codes = [c.name for c in seen.plan.of_kind(NUMBER) if c.name in seen.table.padded]
    if codes:
        yield TableFinding(
            "leading zeros",
            f"Written with leading zeros, like codes, but treated as numbers: {shortened(codes, 6)}.",
            "Codes have no order: treat them as categories with --categorical, or drop them with --drop.",
            columns=tuple(codes),
        )
    outliers: dict[str, str] = {}
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
            outliers[name] = f"{name!r} ({where}" + (f", {len(far)} in all)" if len(far) > 1 else ")")
    if outliers:
        yield TableFinding(
            "far away",
            f"Values more than {FAR:g} quartile distances from the median: "
            f"{shortened(list(outliers.values()), 4)}.",
            "Check them: one misplaced decimal point distorts the z-scores of the whole column.",
            columns=tuple(outliers),
            numbers={"columns": float(len(outliers))},
        )


def nearly_constant(seen: Evidence, name: str) -> bool:
    cells = seen.column(name)
    values = (cells.values if isinstance(cells, NumberColumn) else cells.codes)[~cells.missing]
    if not len(values):
        return False
    # A value in more than half of the rows is the median.
    often = int((values == np.partition(values, len(values) // 2)[len(values) // 2]).sum())
    return NEARLY * len(values) <= often < len(values)


def far_away(values: Array) -> Array:
    """Indices of outliers by quartile distance; none if half of the values are equal."""
    if np.isnan(values).all():
        return np.zeros(0, int)
    low, middle, high = np.nanpercentile(values, [25, 50, 75], method="nearest")
    # In halves: the difference of 1e308 and -1e308 overflows.
    width = high / 2 - low / 2
    if not width > 0:
        return np.zeros(0, int)
    with np.errstate(over="ignore"):
        return np.flatnonzero(np.abs(values / 2 - middle / 2) / width > FAR)


def repeated_end(values: Array, far: Array) -> float | None:
    """The minimum or maximum, if most outliers have this value (-999); else None."""
    different, times = np.unique(values[far], return_counts=True)
    code = float(different[times.argmax()])
    often = times.max() >= max(3, 0.5 * len(far))
    return code if often and code in (np.nanmin(values), np.nanmax(values)) else None


def missing_code(seen: Evidence, name: str, code: float, mask: Array) -> TableFinding:
    if seen.of_numbers:
        p, where = depends_on_number(mask, seen.y), "where the target is large, or small, more often"
    else:
        p, where = depends_on_class(mask, seen.codes), "more often in one class"
    class_too = f", and {where} than expected by chance (p = {p:.1g})" if p < LEVEL else ""
    return TableFinding(
        "code for missing",
        f"Column {name!r} is {number_text(code)} in {int(mask.sum())} rows, far from all other "
        f"values{class_too}: a code for a missing value?",
        "If so, leave those cells empty and choose with --missing.",
        p < LEVEL,
        (name,),
        {"p": p, "rows": float(mask.sum())},
    )
