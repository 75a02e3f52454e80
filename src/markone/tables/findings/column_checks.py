"""Checks of the columns: nearly constant, outliers, codes for missing values, spellings, dates."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import numpy as np

from markone.data.reading.columns import NumberColumn, format_cell_number
from markone.numerics.arrays import Array
from markone.numerics.text import format_names, format_number, shorten_list
from markone.tables.findings.evidence import (
    LEVEL,
    Evidence,
    TableFinding,
    class_dependence_p_value,
    number_dependence_p_value,
)
from markone.tables.plan.column_kinds import contains_dates, shell_quote
from markone.tables.plan.column_plan import CODED, NUMBER, TEXT

MIN_ROWS = 20
NEARLY_CONSTANT = 0.99
# Quartile distances from the median beyond which a number is an outlier.
OUTLIER_DISTANCE = 10.0


def find_unusual_values(seen: Evidence) -> Iterator[TableFinding]:
    if len(seen.table) < MIN_ROWS:
        return
    same = [c.name for c in seen.plan.used_columns if _is_nearly_constant(seen, c.name)]
    if same:
        yield TableFinding(
            "nearly constant",
            f"Nearly constant, one value in 99 % of the rows or more: {shorten_list(same, 6)}.",
            "Such a column carries information in few rows only: check them, or leave it out with --drop.",
            columns=tuple(same),
        )
    codes = [c.name for c in seen.plan.columns_of_kind(NUMBER) if c.name in seen.table.padded]
    if codes:
        yield TableFinding(
            "leading zeros",
            f"Written with leading zeros, like codes, but treated as numbers: {shorten_list(codes, 6)}.",
            "Codes have no order: treat them as categories with --categorical, or drop them with --drop.",
            columns=tuple(codes),
        )
    yield from _find_far_values(
        seen, [c.name for c in seen.plan.columns_of_kind(NUMBER) if c.name not in same]
    )


def _find_far_values(seen: Evidence, names: list[str]) -> Iterator[TableFinding]:
    """Outliers, and codes for missing values among them."""
    outliers: dict[str, str] = {}
    for name in names:
        cells = seen.get_column(name)
        values = cells.values if isinstance(cells, NumberColumn) else cells.numbers
        far = _find_outliers(values)
        if not len(far):
            continue
        code = _repeated_extreme(values, far)
        if code is not None:
            yield _missing_code_finding(seen, name, code, values == code)
        else:
            where = f"{format_number(float(values[far[0]]), 6)} in row {seen.table.rows[far[0]]}"
            outliers[name] = f"{name!r} ({where}" + (f", {len(far)} in all)" if len(far) > 1 else ")")
    if outliers:
        yield TableFinding(
            "far away",
            f"Values more than {OUTLIER_DISTANCE:g} quartile distances from the median: "
            f"{shorten_list(list(outliers.values()), 4)}.",
            "Check them: one misplaced decimal point distorts the z-scores of the whole column.",
            columns=tuple(outliers),
            numbers={"columns": float(len(outliers))},
        )


def _is_nearly_constant(seen: Evidence, name: str) -> bool:
    cells = seen.get_column(name)
    values = (cells.values if isinstance(cells, NumberColumn) else cells.codes)[~cells.missing]
    if not len(values):
        return False
    # A value in more than half of the rows is the median.
    often = int((values == np.partition(values, len(values) // 2)[len(values) // 2]).sum())
    return NEARLY_CONSTANT * len(values) <= often < len(values)


def _find_outliers(values: Array) -> Array:
    """Indices of outliers by quartile distance; none if half of the values are equal."""
    if np.isnan(values).all():
        return np.zeros(0, int)
    low, middle, high = np.nanpercentile(values, [25, 50, 75], method="nearest")
    # In halves: the difference of 1e308 and -1e308 overflows.
    width = high / 2 - low / 2
    if not width > 0:
        return np.zeros(0, int)
    with np.errstate(over="ignore"):
        return np.flatnonzero(np.abs(values / 2 - middle / 2) / width > OUTLIER_DISTANCE)


def _repeated_extreme(values: Array, far: Array) -> float | None:
    """The minimum or maximum, if most outliers have this value (-999); else None."""
    different, times = np.unique(values[far], return_counts=True)
    code = float(different[times.argmax()])
    often = times.max() >= max(3, 0.5 * len(far))
    return code if often and code in (np.nanmin(values), np.nanmax(values)) else None


def _missing_code_finding(seen: Evidence, name: str, code: float, mask: Array) -> TableFinding:
    if seen.of_numbers:
        p, where = number_dependence_p_value(mask, seen.y), "where the target is large, or small, more often"
    else:
        p, where = class_dependence_p_value(mask, seen.class_codes), "more often in one class"
    class_too = f", and {where} than expected by chance (p = {p:.1g})" if p < LEVEL else ""
    return TableFinding(
        "code for missing",
        f"Column {name!r} is {format_cell_number(code)} in {int(mask.sum())} rows, far from all other "
        f"values{class_too}: a code for a missing value?",
        "If so, leave those cells empty and choose with --missing.",
        p < LEVEL,
        (name,),
        {"p": p, "rows": float(mask.sum())},
    )


def find_spelling_variants(seen: Evidence) -> Iterator[TableFinding]:
    labels = [] if seen.of_numbers else [seen.plan.target]
    for name in [*labels, *(c.name for c in seen.plan.columns_of_kind(TEXT, CODED))]:
        for words in group_spellings(list(seen.get_column(name).as_text().count_texts())):
            target = name == seen.plan.target
            what = "classes" if target else "categories"
            yield TableFinding(
                "spelling",
                f"{format_names(words)} of {name!r} differ in spelling only, and are {len(words)} {what}.",
                "Spell them alike if they mean the same.",
                target,
                (name,),
            )
    for name, column in seen.table.columns.items():
        planned = next((c for c in seen.plan.columns if c.name == name), None)
        if planned is None or planned.identity:
            continue
        if planned.notation.get("kind") == "date" or contains_dates(column):
            yield TableFinding(
                "dates",
                f"Column {name!r} holds dates.",
                "If the model is to predict later rows, train on earlier and test on later ones: --time "
                f"{shell_quote(name)}.",
                columns=(name,),
            )


def group_spellings(words: list[str]) -> list[list[str]]:
    """Groups of texts that are equal up to case, blanks, hyphens and Unicode normalisation."""
    groups: dict[str, list[str]] = {}
    for word in words:
        key = re.sub(r"[\s_-]+", " ", unicodedata.normalize("NFKC", word)).strip().casefold()
        groups.setdefault(key, []).append(word)
    return [group for group in groups.values() if len(group) > 1]
