"""The plan: which columns are inputs, and how they are encoded."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

NUMBER, YES_NO, TEXT, LEFT_OUT = "number", "yes or no", "text", "left out"
# Text with very many values: one input, the mean of the target for each value.
CODED = "text of many values"
MISSING_TEXT = "(missing)"


@dataclass(frozen=True)
class PlannedColumn:
    """A column of the table: its kind, the levels of a text, the reason if it is left out.

    `identity`: it identifies the rows, so predictions repeat it. `usual`: the most frequent level, used for a
    missing cell if training had none. `notation`: how texts are read as numbers, see `notations`.
    """

    name: str
    kind: str
    levels: list[str] = field(default_factory=list)
    reason: str = ""
    identity: bool = False
    usual: str = ""
    notation: dict[str, str] = field(default_factory=dict)

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
    missing_words: list[str] = field(default_factory=list)

    def columns_of_kind(self, *kinds: str) -> list[PlannedColumn]:
        return [column for column in self.columns if column.kind in kinds]

    @property
    def used_columns(self) -> list[PlannedColumn]:
        return self.columns_of_kind(NUMBER, YES_NO, TEXT, CODED)

    @property
    def text_columns(self) -> list[str]:
        """Columns whose cells are kept as text, even if numeric."""
        return [self.target, *(c.name for c in self.columns if c.kind in (YES_NO, TEXT, CODED) or c.identity)]

    @property
    def n_numbers(self) -> int:
        """Number of numeric inputs, which come first; only they are scaled."""
        return len(self.columns_of_kind(NUMBER))

    @property
    def n_coded(self) -> int:
        """Number of inputs that hold codes of texts, which come last; they are encoded in each fold."""
        return len(self.columns_of_kind(CODED))

    @property
    def feature_names(self) -> list[str]:
        """Names of the inputs: numbers, yes or no, texts, missing indicators, codes of texts."""
        names = [c.name for c in [*self.columns_of_kind(NUMBER), *self.columns_of_kind(YES_NO)]]
        names += [f"{c.name} = {level}" for c in self.columns_of_kind(TEXT) for level in c.shown_levels]
        names += [f"{name} is missing" for name in self.indicators]
        return names + [c.name for c in self.columns_of_kind(CODED)]

    @property
    def inputs_by_column(self) -> dict[str, list[int]]:
        """Indices of the inputs of each column."""
        owners = [c.name for c in [*self.columns_of_kind(NUMBER), *self.columns_of_kind(YES_NO)]]
        owners += [c.name for c in self.columns_of_kind(TEXT) for _ in c.shown_levels] + self.indicators
        owners += [c.name for c in self.columns_of_kind(CODED)]
        found: dict[str, list[int]] = {}
        for k, name in enumerate(owners):
            found.setdefault(name, []).append(k)
        return found

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, content: dict[str, Any]) -> ColumnPlan:
        columns = [PlannedColumn(**c) for c in content["columns"]]
        return cls(**content | {"columns": columns})
