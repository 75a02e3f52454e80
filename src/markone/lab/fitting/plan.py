"""From a table of texts to inputs and labels: the plan is made once, said aloud, kept with the model."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from markone.data.dialect import BadTable, is_missing
from markone.lab.fitting.columns import LEFT_OUT, NUMBER, TEXT, YES_NO, Column, decide
from markone.lab.fitting.raw import Raw, no_column, short
from markone.numerics.text import count

MISSING_TEXT = "(missing)"
WAYS = ("refuse", "drop", "median", "mean", "mask")


@dataclass(frozen=True)
class Plan:
    """Which columns are inputs and how: all that a row to be predicted needs."""

    target: str
    columns: list[Column]
    missing: str = "refuse"

    def of_kind(self, *kinds: str) -> list[Column]:
        return [column for column in self.columns if column.kind in kinds]

    @property
    def used(self) -> list[Column]:
        return self.of_kind(NUMBER, YES_NO, TEXT)

    @property
    def n_numbers(self) -> int:
        """Numbers come first among the inputs; only they are scaled."""
        return len(self.of_kind(NUMBER))

    @property
    def feature_names(self) -> list[str]:
        """In the order of the inputs: numbers, yes or no, texts."""
        names = [c.name for c in [*self.of_kind(NUMBER), *self.of_kind(YES_NO)]]
        return names + [f"{c.name} = {level}" for c in self.of_kind(TEXT) for level in shown_levels(c)]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> Plan:
        return cls(content["target"], [Column(**c) for c in content["columns"]], content["missing"])


def shown_levels(column: Column) -> list[str]:
    """One input per level; of two levels one tells all."""
    return column.levels[1:] if len(column.levels) == 2 else column.levels


@dataclass
class Wishes:
    """What the user decided about the columns."""

    target: str | None = None
    missing: str = "refuse"
    drop: list[str] = field(default_factory=list)
    categorical: list[str] = field(default_factory=list)
    keep: list[str] = field(default_factory=list)


def find_target(raw: Raw, wishes: Wishes) -> str:
    names = list(raw.columns)
    for name in [*wishes.drop, *wishes.categorical, *wishes.keep]:
        if name not in raw.columns:
            raise no_column(name, names, raw.source)
    target = wishes.target or raw.target
    if target is None:
        raise BadTable(f"Which column is to be predicted? Give --target, one of: {short(names)}.")
    if target not in raw.columns:
        raise no_column(target, names, raw.source)
    if f"{target} (2)" in raw.columns:
        raise BadTable(
            f"The name {target!r} stands twice in the header of {raw.source}: which is the target?"
        )
    if target in wishes.drop:
        raise BadTable(f"{target!r} is the target and cannot be left out.")
    return target


def labelled(raw: Raw, target: str, missing: str, notes: list[str]) -> Raw:
    """Rows without a label teach nothing."""
    absent = [k for k, cell in enumerate(raw.columns[target]) if is_missing(cell)]
    if not absent:
        return raw
    where = f"{count(len(absent), 'row')} (the first: row {raw.numbers[absent[0]]})"
    if len(absent) == len(raw):
        raise BadTable(f"The target {target!r} is missing in every row.")
    if missing != "drop":
        raise BadTable(
            f"The target {target!r} is missing in {where}. Leave such rows out with --missing drop."
        )
    notes.append(f"The target {target!r} is missing in {where}; left out.")
    gone = set(absent)
    return raw.only([k for k in range(len(raw)) if k not in gone])


def column_of(raw: Raw, name: str, wishes: Wishes) -> Column:
    if name in wishes.drop:
        return Column(name, LEFT_OUT, reason="you asked for it")
    column = decide(raw, name, as_text=name in wishes.categorical, keep=name in wishes.keep)
    if column.kind == TEXT and wishes.missing != "drop" and any(map(is_missing, raw.columns[name])):
        return Column(name, TEXT, [*column.levels, MISSING_TEXT])
    return column
