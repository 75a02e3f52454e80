"""The plan: which columns are inputs and how. All that a row to be predicted needs."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

NUMBER, YES_NO, TEXT, LEFT_OUT = "number", "yes or no", "text", "left out"
MISSING_TEXT = "(missing)"


@dataclass(frozen=True)
class PlannedColumn:
    """One column of the table: its kind, its levels if it is text, why it is left out if it is.

    `identity`: it names the rows, so predictions repeat it.
    """

    name: str
    kind: str
    levels: list[str] = field(default_factory=list)
    reason: str = ""
    identity: bool = False

    @property
    def shown_levels(self) -> list[str]:
        """One input per level; of two levels one tells all."""
        return self.levels[1:] if len(self.levels) == 2 else self.levels


@dataclass(frozen=True)
class ColumnPlan:
    """`indicators` are the columns whose gaps are an input of their own, 1 where the value is missing."""

    target: str
    columns: list[PlannedColumn]
    missing: str = "refuse"
    indicators: list[str] = field(default_factory=list)

    def of_kind(self, *kinds: str) -> list[PlannedColumn]:
        return [column for column in self.columns if column.kind in kinds]

    @property
    def used(self) -> list[PlannedColumn]:
        return self.of_kind(NUMBER, YES_NO, TEXT)

    @property
    def written(self) -> list[str]:
        """The columns whose cells matter as they are written, be they numbers or not."""
        return [self.target, *(c.name for c in self.columns if c.kind in (YES_NO, TEXT) or c.identity)]

    @property
    def n_numbers(self) -> int:
        """Numbers come first among the inputs; only they are scaled."""
        return len(self.of_kind(NUMBER))

    @property
    def feature_names(self) -> list[str]:
        """In the order of the inputs: numbers, yes or no, texts, gaps."""
        names = [c.name for c in [*self.of_kind(NUMBER), *self.of_kind(YES_NO)]]
        names += [f"{c.name} = {level}" for c in self.of_kind(TEXT) for level in c.shown_levels]
        return names + [f"{name} is missing" for name in self.indicators]

    @property
    def places(self) -> dict[str, list[int]]:
        """The inputs that each column became."""
        owners = [c.name for c in [*self.of_kind(NUMBER), *self.of_kind(YES_NO)]]
        owners += [c.name for c in self.of_kind(TEXT) for _ in c.shown_levels] + self.indicators
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
