"""Kind of a column: numbers (also in other notations), yes or no, text, or left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.data.reading.columns import (
    Column,
    NumberColumn,
    TextColumn,
    format_cell_number,
    make_text_column,
    parse_number,
)
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.numerics.text import format_names, shorten_list
from markone.tables.plan.column_plan import CODED, LEFT_OUT, NUMBER, PAIRS, TEXT, YES_NO, PlannedColumn

DATE = re.compile(
    r"(\d{4}-\d\d?(-\d\d?)?|\d{4}/\d\d?/\d\d?|\d\d?-\d\d?-\d{4}|\d\d?[./]\d\d?[./](\d{4}|\d\d)"
    r"|\d\d?[ -][a-z]{3,9}[ -]\d{4}|[a-z]{3,9} \d\d?, \d{4})([T ]\d\d?:\d\d.*)?",
    re.IGNORECASE,
)
DAY_FORMS = (
    *("%d.%m.%Y", "%d.%m.%y", "%d/%m/%Y", "%m/%d/%Y", "%d/%m/%y", "%m/%d/%y", "%Y/%m/%d", "%d-%m-%Y"),
    *("%m-%d-%Y", "%Y-%m-%d", "%d %b %Y", "%d-%b-%Y", "%b %d, %Y", "%d %B %Y", "%B %d, %Y"),
)
TIME_FORMS = ("", " %H:%M", " %H:%M:%S")
DATE_FORMS = ("iso", "%Y-%m", *(day + time for time in TIME_FORMS for day in DAY_FORMS))
# 1,234.5 with the mark of the thousands in group 1.
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(?:([,.' ])\d{3})(?:\1\d{3})*([.,]\d+)?")
NUMERAL = r"[+-]?\d[\d,.' ]*"
CURRENCY = r"[€$£¥₹]|EUR|USD|GBP|CHF|JPY"
# After the number, as kg and m2; currencies also before it. (AB12 is a code.)
UNIT = re.compile(rf"(?:{NUMERAL}\s*([^\d\s.,][^\d\s.,]{{0,3}}\d?)|({CURRENCY})\s*{NUMERAL})")
# Numbers with a unit of letters are quantities, and one word among numbers is a gap, if more differ.
FEW_LEVELS, MOST_WORDS = 10, 3
INFINITE = re.compile(r"^[+-]?inf(inity)?$", re.IGNORECASE)
DIGIT_OR_INFINITE = re.compile(rf"\d|{INFINITE.pattern}", re.IGNORECASE)
LIMIT_MARKS = "<>=≤≥ "
SECONDS_PER_DAY = 86400.0


def find_notation(column: TextColumn) -> dict[str, str]:
    """The one notation that reads every given cell; empty if there is none."""
    cells = list(column.count_texts())
    form = find_date_form(cells)
    found = {"kind": "date", "form": form} if form else _number_notation(cells, column.decimal)
    if found:
        return found
    wrong = [cell for cell in cells if np.isnan(parse_number(cell, column.decimal))]
    if not wrong or len(wrong) > len(cells) - FEW_LEVELS:
        return {}
    limits = [parse_number(cell.lstrip(LIMIT_MARKS), column.decimal) for cell in wrong]
    if np.isfinite(limits).all():
        return {"kind": "limit"}
    # One word, or a few without digits, among many different numbers; an infinite number is an error.
    unlike = INFINITE if len(wrong) == 1 else DIGIT_OR_INFINITE
    few = len(wrong) == 1 or (len(wrong) <= MOST_WORDS and len(cells) > FEW_LEVELS * len(wrong))
    return {"kind": "gap", "word": "\n".join(wrong)} if few and not any(map(unlike.search, wrong)) else {}


def describe_notation(notation: dict[str, str]) -> str:
    if notation["kind"] == "date":
        return "dates, as days since 1970"
    if notation["kind"] == "gap":
        words = notation["word"].split("\n")
        are = "is a missing value" if len(words) == 1 else "are missing values"
        return f"numbers; {format_names(words)} {are}"
    if notation["kind"] == "limit":
        return "numbers; a limit, as <0.1, is read as the number 0.1"
    if notation["kind"] == "order":
        words = notation["words"].split("\n")
        return f"words in an order, as 1 to {len(words)}: {shorten_list(words, 8)}"
    unit, mark = notation["unit"], notation["mark"]
    parts = [f"the unit {unit!r}"] * bool(unit) + [f"{mark!r} between thousands"] * bool(mark)
    return f"numbers, written with {' and '.join(parts)}"


def find_date_form(cells: Sequence[str]) -> str:
    """The form in which all cells are dates; empty if there is none, or several with different dates."""
    if len(cells) < 2 or not all(DATE.fullmatch(cell) for cell in cells):
        return ""
    forms = [form for form in DATE_FORMS if all(count_days(cell, form) is not None for cell in cells)]
    # 3/4/2024 may be in March or in April.
    readings = {tuple(count_days(cell, form) for cell in cells): form for form in reversed(forms)}
    return next(iter(readings.values())) if len(readings) == 1 else ""


def count_days(text: str, form: str) -> float | None:
    """Days since 1970, in UTC without a time zone; None if the text is not a date of this form."""
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
        days = count_days(cell, notation["form"])
        return cell if days is None else repr(days)
    if notation["kind"] == "gap":
        return "" if cell in notation["word"].split("\n") else cell
    if notation["kind"] == "limit":
        return cell.lstrip(LIMIT_MARKS)
    if notation["kind"] == "order":
        words = notation["words"].split("\n")
        return str(words.index(cell) + 1) if cell in words else cell
    unit, mark = notation["unit"], notation["mark"]
    plain = cell.replace(unit, "").strip() if unit else cell
    return plain.replace(mark, "") if mark and THOUSANDS.fullmatch(plain) else plain


def apply_notation(column: Column, notation: dict[str, str]) -> Column:
    """Read the texts of a column as numbers, where they are in this notation."""
    if isinstance(column, NumberColumn) or not notation:
        return column
    decimal = "." if notation["kind"] in ("date", "order") else column.decimal
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


MOST_LEVELS = 50
# From this share of numbers on, a text is treated as an error rather than as a category.
MIN_NUMBER_SHARE = 0.5


def decide_kind(
    table: CellTable, name: str, *, as_text: bool = False, keep: bool = False, strict: bool = True
) -> PlannedColumn:
    """Decide the kind of one column; `as_text`, `keep` and `strict` are set by the user."""
    column = table.columns[name]
    column = column.as_text() if as_text else column
    absent = column.missing
    if absent.all():
        return PlannedColumn(name, LEFT_OUT, reason="it is empty")
    if isinstance(column, NumberColumn):
        return _plan_numbers(name, column, keep)
    given = column.count_texts()
    if len(given) == 1:
        return _constant_column(name, next(iter(given)), bool(absent.any()))
    if as_text:
        return _plan_words(name, TEXT, given)
    if any({text.lower() for text in given} == set(pair) for pair in PAIRS):
        return PlannedColumn(name, YES_NO)
    wrong = column.wrong
    if not len(wrong):
        # Numbers in a notation that only Python parses.
        return _plan_numbers(name, NumberColumn(column.numbers), keep)
    notation = find_notation(column)
    if notation and not strict:
        read = apply_notation(column, notation)
        return replace(decide_kind(replace(table, columns={name: read}), name, keep=True), notation=notation)
    categories = not strict and len(given) <= min(FEW_LEVELS, len(table) / 3)
    if 1 - len(wrong) / sum(given.values()) >= MIN_NUMBER_SHARE and not categories:
        raise _invalid_number_error(table, name, column)
    if notation.get("kind") == "number":
        raise _number_as_text_error(table, name, column, notation)
    return _plan_texts(name, given, len(table), keep, strict)


def plan_ordered_words(table: CellTable, name: str, words: list[str]) -> PlannedColumn:
    """A number for each word, in their order; raise for a text that is none of them."""
    given = table.columns[name].as_text().count_texts()
    unknown = [text for text in given if text not in words]
    if unknown or len(set(words)) < max(2, len(words)):
        also = f" {name!r} has also {shorten_list(unknown, 4)}." if unknown else ""
        raise BadTable(f"--ordered {name}={','.join(words)} must name each text once, the least first.{also}")
    return PlannedColumn(name, NUMBER, notation={"kind": "order", "words": "\n".join(words)})


def _plan_words(name: str, kind: str, given: dict[str, int]) -> PlannedColumn:
    return PlannedColumn(name, kind, levels=sorted(given), usual=max(given, key=lambda word: given[word]))


def _constant_column(name: str, text: str, missing: bool) -> PlannedColumn:
    where = " where it is given" if missing else ""
    return PlannedColumn(name, LEFT_OUT, reason=f"it is constant{where} ({text!r})")


def _plan_numbers(name: str, column: NumberColumn, keep: bool) -> PlannedColumn:
    """Plan a numeric column; left out if constant or a row counter (a leak in sorted tables)."""
    values = column.values[~column.missing]
    first, last = format_cell_number(float(values[0])), format_cell_number(float(values[-1]))
    if values.min() == values.max():
        return _constant_column(name, first, len(values) < len(column))
    if len(values) > 2 and not keep and (values[1:] == values[:-1] + 1).all():
        reason = f"it counts the rows from {first} to {last} (--keep {shell_quote(name)} uses it)"
        return PlannedColumn(name, LEFT_OUT, reason=reason, identity=True)
    if not keep and _is_identifier(name, values):
        reason = f"it identifies the rows by whole numbers (--keep {shell_quote(name)} uses it)"
        return PlannedColumn(name, LEFT_OUT, reason=reason, identity=True)
    return PlannedColumn(name, NUMBER)


# Names of row identifiers, and the share of different values from which on whole numbers identify rows.
IDENTIFIER_NAME = re.compile(
    r"(^|[\s_.-])(id|nr|no|key|index|number|code|num)([\s_.-]|$)|(?<=[a-z])(ID|Id)$"
    # Row names of R, and of pandas, whose column has no name.
    r"|^row_?names?$|^Unnamed: 0$|^column 1$",
    re.IGNORECASE,
)
MOSTLY_DIFFERENT, MIN_IDENTIFIERS = 0.9, 20


def _is_identifier(name: str, values: Array) -> bool:
    different = len(np.unique(values)) >= max(MOSTLY_DIFFERENT * len(values), MIN_IDENTIFIERS)
    return bool(IDENTIFIER_NAME.search(name)) and different and bool((values == np.rint(values)).all())


def _invalid_number_error(table: CellTable, name: str, column: TextColumn) -> BadTable:
    first, others = column.wrong[0], len(column.wrong) - 1
    more = f", and {others} more like it" if others else ""
    return BadTable(
        f"Column {name!r} holds numbers, but row {table.rows[first]} has {column.text(first)!r}{more}. "
        "Correct it (leave the cell empty if the value is unknown, or name the word with --missing-words), "
        f"leave the column out with --drop {shell_quote(name)}, or treat its values as categories with "
        f"--categorical {shell_quote(name)}."
    )


def _number_as_text_error(
    table: CellTable, name: str, column: TextColumn, notation: dict[str, str]
) -> BadTable:
    """Numbers with a thousands separator or a unit are useless as categories."""
    first, unit = column.wrong[0], notation["unit"]
    what = f"with the unit {unit!r}" if unit else "with a thousands separator"
    return BadTable(
        f"Column {name!r} writes numbers {what}: row {table.rows[first]} has {column.text(first)!r}. Write "
        f"plain numbers, or treat them as categories with --categorical {shell_quote(name)}."
    )


def _plan_texts(name: str, given: dict[str, int], rows: int, keep: bool, strict: bool) -> PlannedColumn:
    if all(map(_is_date, given)):
        reason = "it holds dates; turn it into numbers (days since an event, month) if they matter"
        if not strict:
            first = next(iter(given))
            reason = f"it holds dates of no single, unambiguous form ({first!r}): write them as 2024-03-31"
        return PlannedColumn(name, LEFT_OUT, reason=reason)
    different, cells, found = len(given), sum(given.values()), sorted(given)
    if different == cells and different > 2 and not keep:
        reason = (
            f"all its texts differ ({shorten_list(list(given), 2)}), so it looks like a name or an identifier"
        )
        return PlannedColumn(name, LEFT_OUT, reason=reason, identity=True)
    if different > max(min(MOST_LEVELS, rows / 3), FEW_LEVELS):
        if not strict:
            return _plan_words(name, CODED, given)
        raise BadTable(
            f"Column {name!r} holds {different} different texts in {rows} rows ({shorten_list(found, 3)}): "
            f"too many for one input each. Leave it out with --drop {shell_quote(name)}, or keep it with "
            f"--categorical {shell_quote(name)}. If it identifies repeated measurements, folds that separate "
            "its rows give optimistic scores."
        )
    return _plan_words(name, TEXT, given)


def contains_dates(column: Column) -> bool:
    given = [] if isinstance(column, NumberColumn) else list(column.count_texts())
    return bool(given) and all(map(_is_date, given))


def _is_date(text: str) -> bool:
    return bool(DATE.fullmatch(text)) and any(count_days(text, form) is not None for form in DATE_FORMS)


def shell_quote(name: str) -> str:
    """Quote a name for the shell."""
    return name if re.fullmatch(r"[\w.-]+", name) else f'"{name}"'
