"""Result of a check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class TableFinding:
    """A sentence about the table and one with advice.

    `doubts_score`: it could make the score misleading, so it is shown next to the score.
    """

    kind: str
    sentence: str
    advice: str
    doubts_score: bool = False
    columns: tuple[str, ...] = ()
    numbers: Mapping[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.sentence} {self.advice}"
