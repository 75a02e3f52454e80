"""Distribution of the training rows, saved with the model: out-of-range rows and drifted columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy import stats

from markone.data.reading.cell_table import CellTable
from markone.numerics.arrays import Array
from markone.numerics.statistics import holm_adjusted
from markone.tables.findings.evidence import LEVEL
from markone.tables.plan.column_plan import NUMBER, ColumnPlan

QUANTILES = np.linspace(0, 1, 101)
# Rows needed to test a column, and the smallest reported distance of two distributions.
FEWEST, MATTERS = 20, 0.2
# Tolerated distance beyond the training range, as a share of it.
MARGIN = 0.1


@dataclass(frozen=True)
class TrainingRange:
    """Percentiles of numeric columns, counts of the others, and the share of missing cells."""

    rows: int
    numbers: dict[str, list[float]] = field(default_factory=dict)
    texts: dict[str, dict[str, int]] = field(default_factory=dict)
    missing: dict[str, float] = field(default_factory=dict)


def training_range(table: CellTable, plan: ColumnPlan) -> TrainingRange:
    found = TrainingRange(len(table))
    for column in plan.used_columns:
        cells = table.columns[column.name]
        found.missing[column.name] = float(cells.missing.mean())
        if column.kind == NUMBER:
            values = table.columns[column.name].numbers
            # Observed values, no interpolation: the difference of 1e308 and -1e308 overflows.
            kept = np.nanquantile(values, QUANTILES, method="nearest")
            found.numbers[column.name] = [float(q) for q in kept]
        else:
            found.texts[column.name] = cells.as_text().count_texts()
    return found


def find_outside_rows(table: CellTable, known: TrainingRange, coded: Sequence[str] = ()) -> list[str]:
    """For each row, a remark on the first new text or number beyond the range plus margin; '' if none."""
    remarks = [""] * len(table)
    for name in coded:
        text = table.columns[name].as_text()
        new = ~text.level_missing & np.array([word not in known.texts[name] for word in text.levels])
        for row in np.flatnonzero(new[text.codes]):
            remarks[row] = remarks[row] or f"outside: {name} {text.text(int(row))!r} was not seen in training"
    for name, quantiles in known.numbers.items():
        low, high = quantiles[0], quantiles[-1]
        margin = 2 * MARGIN * (high / 2 - low / 2)
        values = table.columns[name].numbers
        for row in np.flatnonzero((values < low - margin) | (values > high + margin)):
            remarks[row] = remarks[row] or f"outside: {name} {values[row]:.4g} (was {low:.4g} to {high:.4g})"
    return remarks


def find_drifted_columns(table: CellTable, plan: ColumnPlan, known: TrainingRange) -> list[str]:
    """A sentence per column whose distribution differs from training, after correction for all columns."""
    if len(table) < FEWEST:
        return []
    tests = [(name, *_column_change(table, name, plan, known)) for name in known.missing]
    p = holm_adjusted([each[1] for each in tests])
    return [
        f"Column {name!r} has drifted: {what}."
        for (name, _, size, what), corrected in zip(tests, p, strict=True)
        if corrected < LEVEL and size >= MATTERS
    ]


def _column_change(
    table: CellTable, name: str, plan: ColumnPlan, known: TrainingRange
) -> tuple[float, float, str]:
    """Return p, size and description of the change of a column."""
    gone = float(table.columns[name].missing.mean())
    n, before = len(table), known.missing[name]
    if abs(gone - before) >= MATTERS:
        a, b = round(gone * n), round(before * known.rows)
        p = float(stats.fisher_exact([[a, n - a], [b, known.rows - b]])[1])
        return (
            p,
            abs(gone - before),
            f"{100 * gone:.0f} % of its cells are missing, {100 * before:.0f} % before",
        )
    if name in known.numbers:
        return _number_drift(table.columns[name].numbers, known.numbers[name], known.rows)
    return _category_drift(table.columns[name].as_text().count_texts(), known.texts[name])


def _number_drift(values: Array, quantiles: list[float], rows: int) -> tuple[float, float, str]:
    """Kolmogorov-Smirnov distance from the saved percentiles, and its p-value for so many rows."""
    values = np.sort(values[~np.isnan(values)])
    if len(values) < FEWEST:
        return 1.0, 0.0, ""
    size = float(stats.ks_2samp(values, np.asarray(quantiles)).statistic)
    both = len(values) * rows / (len(values) + rows)
    middle, before = float(np.median(values)), quantiles[50]
    what = f"its median is {middle:.4g}, it was {before:.4g}; distance of the distributions {size:.2f}"
    return float(stats.kstwobign.sf(size * np.sqrt(both))), size, what


def _category_drift(new: dict[str, int], old: dict[str, int]) -> tuple[float, float, str]:
    """Total variation distance of the category shares, and the p-value of the counts."""
    words = [word for word in {**old, **new} if new.get(word, 0) + old.get(word, 0)]
    a, b = (np.array([counts.get(word, 0) for word in words], dtype=float) for counts in (new, old))
    if len(words) < 2 or a.sum() < FEWEST or not b.sum():
        return 1.0, 0.0, ""
    shift = a / a.sum() - b / b.sum()
    most = words[int(np.abs(shift).argmax())]
    i = words.index(most)
    what = f"{most!r} is in {100 * a[i] / a.sum():.0f} % of its rows, it was in {100 * b[i] / b.sum():.0f} %"
    return float(stats.chi2_contingency(np.stack([a, b])).pvalue), float(np.abs(shift).sum() / 2), what
