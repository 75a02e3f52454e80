"""What a finding is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class TableFinding:
    """One sentence about the table and one that says what to do.

    `doubts_score`: it could make the score untrue, so it stands beside the score.
    """

    kind: str
    sentence: str
    advice: str
    doubts_score: bool = False
    columns: tuple[str, ...] = ()
    numbers: Mapping[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.sentence} {self.advice}"
