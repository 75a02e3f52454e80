"""Numbers written as text: dates, units, currencies, thousands marks, and words for missing values.

A notation is found from all cells of a column, saved in the plan, and applied to new tables.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.data.reading.columns import Column, NumberColumn, TextColumn, make_text_column, parse_number
from markone.tables.plan.column_plan import PlannedColumn

DATE = re.compile(
    r"\d{4}-\d\d?(-\d\d?([T ]\d\d?:\d\d.*)?)?|\d\d?[./]\d\d?[./](\d{4}|\d\d)([T ]\d\d?:\d\d.*)?"
)
DATE_FORMS = ("iso", "%Y-%m", "%d.%m.%Y", "%d.%m.%Y %H:%M", "%d.%m.%y", "%d/%m/%Y", "%m/%d/%Y", "%m/%d/%y")
# 1,234.5 with the mark of the thousands in group 1.
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:([,.' ])\d{3})(?:\1\d{3})*([.,]\d+)?")
NUMERAL = r"[+-]?\d[\d,.' ]*"
CURRENCY = r"[€$£¥₹]|EUR|USD|GBP|CHF|JPY"
# After the number; currencies also before it. (AB12 is a code.)
UNIT = re.compile(rf"(?:{NUMERAL}\s*([^\d\s.,]{{1,4}})|({CURRENCY})\s*{NUMERAL})")
# Numbers with a unit of letters are quantities, and one word among numbers is a gap, if more differ.
FEW_LEVELS = 10
SECONDS_PER_DAY = 86400.0


def find_notation(column: TextColumn) -> dict[str, str]:
    """The one notation that reads every given cell; empty if there is none."""
    cells = list(column.count_texts())
    for found in (_date_notation(cells), _number_notation(cells, column.decimal)):
        if found:
            return found
    wrong = [cell for cell in cells if np.isnan(parse_number(cell, column.decimal))]
    # One word among many different numbers; an infinite number is an error.
    one_word = len(wrong) == 1 and wrong[0].lower().lstrip("+-") not in ("inf", "infinity")
    return {"kind": "gap", "word": wrong[0]} if one_word and len(cells) > FEW_LEVELS else {}


def describe_notation(notation: dict[str, str]) -> str:
    if notation["kind"] == "date":
        return "dates, as days since 1970"
    if notation["kind"] == "gap":
        return f"numbers; {notation['word']!r} is a missing value"
    unit, mark = notation["unit"], notation["mark"]
    parts = [f"the unit {unit!r}"] * bool(unit) + [f"{mark!r} between thousands"] * bool(mark)
    return f"numbers, written with {' and '.join(parts)}"


def _date_notation(cells: Sequence[str]) -> dict[str, str]:
    if len(cells) < 2 or not all(DATE.fullmatch(cell) for cell in cells):
        return {}
    forms = [form for form in DATE_FORMS if all(_count_days(cell, form) is not None for cell in cells)]
    # 3/4/2024 may be in March or in April.
    return {"kind": "date", "form": forms[0]} if forms and not _is_ambiguous(forms) else {}


def _is_ambiguous(forms: Sequence[str]) -> bool:
    return "%d/%m/%Y" in forms and "%m/%d/%Y" in forms


def _count_days(text: str, form: str) -> float | None:
    try:
        found = datetime.fromisoformat(text) if form == "iso" else datetime.strptime(text, form)
    except ValueError:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() / SECONDS_PER_DAY


def _number_notation(cells: Sequence[str], decimal: str) -> dict[str, str]:
    units = {found[1] or found[2] if (found := UNIT.fullmatch(cell)) else "" for cell in cells}
    if len(units) != 1:
        return {}
    unit = next(iter(units))
    if unit and not re.fullmatch(rf"%|{CURRENCY}", unit) and len(cells) <= FEW_LEVELS:
        return {}
    plain = [cell.replace(unit, "").strip() if unit else cell for cell in cells]
    marks = {found[1] for cell in plain if (found := THOUSANDS.fullmatch(cell)) and found[1] != decimal}
    mark = next(iter(marks)) if len(marks) == 1 else ""
    notation = {"kind": "number", "unit": unit, "mark": mark}
    read = [parse_number(_rewrite(cell, notation), decimal) for cell in cells]
    return notation if (unit or mark) and np.isfinite(read).all() else {}


def _rewrite(cell: str, notation: dict[str, str]) -> str:
    """The cell as a plain number; empty for a missing value; unchanged if it is not in this notation."""
    if notation["kind"] == "date":
        days = _count_days(cell, notation["form"])
        return cell if days is None else repr(days)
    if notation["kind"] == "gap":
        return "" if cell == notation["word"] else cell
    unit, mark = notation["unit"], notation["mark"]
    plain = cell.replace(unit, "").strip() if unit else cell
    return plain.replace(mark, "") if mark and THOUSANDS.fullmatch(plain) else plain


def apply_notation(column: Column, notation: dict[str, str]) -> Column:
    """Read the texts of a column as numbers, where they are in this notation."""
    if isinstance(column, NumberColumn) or not notation:
        return column
    decimal = "." if notation["kind"] == "date" else column.decimal
    return make_text_column([_rewrite(cell, notation) for cell in column.levels], column.codes, decimal)


def mark_missing_words(table: CellTable, words: Sequence[str]) -> CellTable:
    """Replace these words, in any case, by missing values in all columns."""
    if not words:
        return table
    gone, numbers = {word.lower() for word in words}, [parse_number(word) for word in words]
    columns: dict[str, Column] = {}
    for name, column in table.columns.items():
        if isinstance(column, NumberColumn):
            absent = np.isin(column.values, numbers)
            marks = column.marks | ({", ".join(words): absent} if absent.any() else {})
            columns[name] = NumberColumn(np.where(absent, np.nan, column.values), marks)
        else:
            levels = ["" if level.lower() in gone else level for level in column.levels]
            columns[name] = make_text_column(levels, column.codes, column.decimal)
    return replace(table, columns=columns)


def apply_notations(table: CellTable, planned: Sequence[PlannedColumn]) -> CellTable:
    """The table with numbers where the plan reads texts as numbers."""
    found = {c.name: apply_notation(table.columns[c.name], c.notation) for c in planned if c.notation}
    return replace(table, columns=table.columns | found)
