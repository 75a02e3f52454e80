"""The plan: which columns are inputs, and how they are encoded."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

NUMBER, YES_NO, TEXT, LEFT_OUT = "number", "yes or no", "text", "left out"
MISSING_TEXT = "(missing)"


@dataclass(frozen=True)
class PlannedColumn:
    """A column of the table: its kind, the levels of a text, the reason if it is left out.

    `identity`: it identifies the rows, so predictions repeat it.
    """

    name: str
    kind: str
    levels: list[str] = field(default_factory=list)
    reason: str = ""
    identity: bool = False

    @property
    def shown_levels(self) -> list[str]:
        """The levels with an input: all, or one of two."""
        return self.levels[1:] if len(self.levels) == 2 else self.levels


@dataclass(frozen=True)
class ColumnPlan:
    """Use of all columns; `indicators` are columns with an extra input, 1 where the value is missing."""

    target: str
    columns: list[PlannedColumn]
    missing: str = "refuse"
    indicators: list[str] = field(default_factory=list)

    def columns_of_kind(self, *kinds: str) -> list[PlannedColumn]:
        return [column for column in self.columns if column.kind in kinds]

    @property
    def used_columns(self) -> list[PlannedColumn]:
        return self.columns_of_kind(NUMBER, YES_NO, TEXT)

    @property
    def text_columns(self) -> list[str]:
        """Columns whose cells are kept as text, even if numeric."""
        return [self.target, *(c.name for c in self.columns if c.kind in (YES_NO, TEXT) or c.identity)]

    @property
    def n_numbers(self) -> int:
        """Number of numeric inputs, which come first; only they are scaled."""
        return len(self.columns_of_kind(NUMBER))

    @property
    def feature_names(self) -> list[str]:
        """Names of the inputs: numbers, yes or no, texts, missing indicators."""
        names = [c.name for c in [*self.columns_of_kind(NUMBER), *self.columns_of_kind(YES_NO)]]
        names += [f"{c.name} = {level}" for c in self.columns_of_kind(TEXT) for level in c.shown_levels]
        return names + [f"{name} is missing" for name in self.indicators]

    @property
    def inputs_by_column(self) -> dict[str, list[int]]:
        """Indices of the inputs of each column."""
        owners = [c.name for c in [*self.columns_of_kind(NUMBER), *self.columns_of_kind(YES_NO)]]
        owners += [c.name for c in self.columns_of_kind(TEXT) for _ in c.shown_levels] + self.indicators
        found: dict[str, list[int]] = {}
        for k, name in enumerate(owners):
            found.setdefault(name, []).append(k)
        return found

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> ColumnPlan:
        columns = [PlannedColumn(**c) for c in content["columns"]]
        return cls(content["target"], columns, content["missing"], content.get("indicators", []))
