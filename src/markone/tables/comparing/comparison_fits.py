"""All fits of a comparison as one resumable problem; failures are results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from markone.numerics.arrays import Array

# Builds `FoldFits` or `RegressionFits` of a pipeline, given X, y and the splits.
FoldsOf = Callable[[Any, Array, Array, list[tuple[Array, Array]]], Any]


@dataclass(frozen=True)
class FitFailure:
    sentence: str


@dataclass(frozen=True)
class ComparisonFits:
    """Fits ordered by fold, then model, so that an early time estimate includes each model."""

    pipelines: list[Any]
    X: Array
    y: Array
    splits: list[tuple[Array, Array]]
    folds_of: FoldsOf

    def __len__(self) -> int:
        return len(self.pipelines) * len(self.splits)

    def do(self, k: int) -> Any:
        fold, model = divmod(k, len(self.pipelines))
        try:
            return self.folds_of(self.pipelines[model], self.X, self.y, self.splits).do(fold)
        except (ValueError, RuntimeError, FloatingPointError, MemoryError) as error:
            return FitFailure(str(error).split("\n")[0])
