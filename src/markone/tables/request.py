"""What was asked for, as it was typed: settings C=0.1, grids C=0.01,0.1,1 and folds 5x10."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

DEFAULT_MODEL = "soft-margin"
# Of one cross-validation: more tell nothing more.
MOST_FITS = 100_000
WORDS: dict[str, Any] = {"true": True, "false": False, "none": None, "inf": float("inf")}


@dataclass
class ColumnOptions:
    """What the user decided about the columns."""

    target: str | None = None
    missing: str = "refuse"
    drop: list[str] = field(default_factory=list)
    categorical: list[str] = field(default_factory=list)
    keep: list[str] = field(default_factory=list)

    @property
    def written(self) -> list[str]:
        """The columns whose cells matter as they are written, be they numbers or not."""
        return [*([self.target] if self.target else []), *self.categorical]


@dataclass
class FitRequest:
    """The command as it was typed."""

    data: str
    model: str = DEFAULT_MODEL
    options: ColumnOptions = field(default_factory=ColumnOptions)
    settings: list[str] = field(default_factory=list)
    grid: list[str] = field(default_factory=list)
    cv: str = "5x10"
    scale: str = "standard"
    positive: str | None = None
    seed: int = 0
    header: bool = True
    rows: int | None = None


def value(text: str) -> Any:
    """'3' -> 3, '0.1' -> 0.1, 'inf', 'true', 'none' as they say, the rest is a word."""
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def settings(texts: Sequence[str]) -> dict[str, Any]:
    """['C=0.1', 'order=cyclic'] -> {'C': 0.1, 'order': 'cyclic'}."""
    return {name: value(right) for name, right in map(pair, texts, ["--set C=0.1"] * len(texts))}


def grid(texts: Sequence[str]) -> dict[str, list[Any]]:
    """['C=0.01,0.1,1'] -> {'C': [0.01, 0.1, 1]}."""
    found = {}
    for text in texts:
        name, right = pair(text, "--grid C=0.01,0.1,1")
        values = [value(word.strip()) for word in right.split(",") if word.strip()]
        if not values:
            raise ValueError(f"--grid {text!r} gives no value to try. Write --grid {name}=0.01,0.1,1.")
        found[name] = values
    return found


def pair(text: str, example: str) -> tuple[str, str]:
    name, equals, right = text.partition("=")
    if not equals or not name.strip():
        raise ValueError(f"{text!r} is not of the form name=value, as in {example}.")
    return name.strip(), right.strip()


@dataclass(frozen=True)
class Folds:
    """repeats x folds; `folds` = 0 leaves one out."""

    repeats: int
    folds: int

    @property
    def leave_one_out(self) -> bool:
        return self.folds == 0

    def __str__(self) -> str:
        return "leave-one-out" if self.leave_one_out else f"{self.repeats} x {self.folds} folds"


def folds(text: str) -> Folds:
    """'5x10' (repeats x folds), '10' (once), 'loo'."""
    if text.strip().lower() in ("loo", "loocv", "leave-one-out"):
        return Folds(1, 0)
    match = re.fullmatch(r"(?:(\d+)\s*[x*×])?\s*(\d+)", text.strip().lower())
    repeats, number = (int(match[1] or 1), int(match[2])) if match else (0, 0)
    if repeats < 1 or number < 2:
        raise ValueError(f"--cv {text!r} must be repeats x folds as in 5x10, folds alone as in 10, or loo.")
    if repeats * number > MOST_FITS:
        raise ValueError(f"--cv {text} asks for {repeats * number} fits: at most {MOST_FITS}.")
    return Folds(repeats, number)
