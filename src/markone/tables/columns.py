"""What a column is: numbers, yes or no, texts to be encoded, or nothing a student can use."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from markone.data.dialect import BadTable, is_missing
from markone.tables.source import Raw, short

NUMBER, YES_NO, TEXT, LEFT_OUT = "number", "yes or no", "text", "left out"
PAIRS = [("true", "false"), ("yes", "no"), ("y", "n"), ("t", "f")]
YES = {word: yes for pair in PAIRS for word, yes in zip(pair, (True, False), strict=True)}
DATE = re.compile(r"\d{4}-\d\d?-\d\d?([T ]\d\d?:\d\d.*)?|\d\d?[./]\d\d?[./](\d{4}|\d\d)([T ]\d\d?:\d\d.*)?")
# Numbers in disguise: 1,234.5 or 12 kg or 7 %.
THOUSANDS = re.compile(r"[+-]?\d{1,3}([,.' ]\d{3})+([.,]\d+)?")
UNIT = re.compile(r"[+-]?\d+(?:[.,]\d+)?\s*([^\d\s.,]{1,4})")
FEW_LEVELS, MOST_LEVELS = 10, 50
# From this share of numbers on, a text among them is taken for a slip rather than for a category.
MOSTLY = 0.5


@dataclass(frozen=True)
class Column:
    """One column of the table: its kind, its levels if it is text, why it is left out if it is."""

    name: str
    kind: str
    levels: list[str] = field(default_factory=list)
    reason: str = ""
    identity: bool = False

    def as_dict(self) -> dict[str, Any]:
        return vars(self)


def decide(raw: Raw, name: str, *, as_text: bool = False, keep: bool = False) -> Column:
    """The kind of one column; `as_text` and `keep` are the user's own decisions."""
    cells = raw.columns[name]
    present = [cell for cell in cells if not is_missing(cell)]
    if not present:
        return Column(name, LEFT_OUT, reason="it is empty")
    if len(set(present)) == 1:
        missing = " where it is given" if len(present) < len(cells) else ""
        return Column(name, LEFT_OUT, reason=f"it is constant{missing} ({present[0]!r})")
    if as_text:
        return Column(name, TEXT, levels=levels(present))
    if any({cell.lower() for cell in present} == set(pair) for pair in PAIRS):
        return Column(name, YES_NO)
    wrong = [k for k, cell in enumerate(cells) if not is_missing(cell) and not finite(raw.number(cell))]
    if not wrong:
        return numeric(raw, name, present, keep)
    if 1 - len(wrong) / len(present) >= MOSTLY:
        raise slip(raw, name, wrong)
    disguised(raw, name, wrong)
    return textual(name, present, len(cells), keep)


def disguised(raw: Raw, name: str, wrong: list[int]) -> None:
    """Refuse numbers that carry a separator of thousands or a unit: as categories they would be useless."""
    cells = [raw.columns[name][k] for k in wrong]
    units = {found[1] if (found := UNIT.fullmatch(cell)) else "" for cell in cells}
    thousands = all(THOUSANDS.fullmatch(cell) for cell in cells)
    if not thousands and not (len(units) == 1 and "" not in units and len(set(cells)) > FEW_LEVELS):
        return
    what = "with a separator of thousands" if thousands else f"with the unit {next(iter(units))!r}"
    raise BadTable(
        f"Column {name!r} writes numbers {what}: row {raw.numbers[wrong[0]]} says {cells[0]!r}. Write the "
        f"bare numbers, or take them as categories with --categorical {quoted(name)}."
    )


def finite(text: str) -> bool:
    try:
        return abs(float(text)) < float("inf") and "_" not in text
    except ValueError:
        return False


def numeric(raw: Raw, name: str, present: list[str], keep: bool) -> Column:
    """Numbers, unless they only count the rows: sorted tables would give the answer away."""
    values = [float(raw.number(cell)) for cell in present]
    counts = len(values) > 2 and all(values[k + 1] - values[k] == 1 for k in range(len(values) - 1))
    if counts and not keep:
        reason = f"it counts the rows from {present[0]} to {present[-1]} (--keep {quoted(name)} uses it)"
        return Column(name, LEFT_OUT, reason=reason, identity=True)
    return Column(name, NUMBER)


def slip(raw: Raw, name: str, wrong: list[int]) -> BadTable:
    first, others = wrong[0], len(wrong) - 1
    more = f", and {others} more like it" if others else ""
    return BadTable(
        f"Column {name!r} holds numbers, but row {raw.numbers[first]} says "
        f"{raw.columns[name][first]!r}{more}. Mend it (leave the cell empty if the value is not known), "
        f"leave the column out with --drop {quoted(name)}, or take all its values as categories with "
        f"--categorical {quoted(name)}."
    )


def textual(name: str, present: list[str], rows: int, keep: bool) -> Column:
    if all(DATE.fullmatch(cell) for cell in present):
        reason = "it holds dates; turn it into numbers (days since an event, month) if they matter"
        return Column(name, LEFT_OUT, reason=reason)
    found = levels(present)
    if len(found) == len(present) and len(found) > 2 and not keep:
        reason = f"all its texts differ ({short(present, 2)}), so it looks like a name or an identifier"
        return Column(name, LEFT_OUT, reason=reason, identity=True)
    if len(found) > max(min(MOST_LEVELS, rows / 3), FEW_LEVELS):
        raise BadTable(
            f"Column {name!r} holds {len(found)} different texts in {rows} rows ({short(found, 3)}): too "
            f"many for one input each. Leave it out with --drop {quoted(name)}, or insist with "
            f"--categorical {quoted(name)}. If it names what was measured several times, folds that part "
            "its rows flatter every student."
        )
    return Column(name, TEXT, levels=found)


def levels(present: list[str]) -> list[str]:
    return sorted(set(present))


def quoted(name: str) -> str:
    """As it must be typed in a shell."""
    return name if re.fullmatch(r"[\w.-]+", name) else f'"{name}"'
