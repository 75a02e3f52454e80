"""Scores of compared models; paired differences over folds that share rows, with Holm's correction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.stats import t as student_t

from markone.evaluation import FoldTable
from markone.numerics.arrays import Array
from markone.numerics.statistics import holm_adjusted
from markone.tables.request import Folds
from markone.tables.scoring import Interval

SIGNIFICANCE = 0.05


@dataclass(frozen=True)
class ComparedModel:
    """A model: each measure by fold (`values`) and together, seconds per fit, and its warnings."""

    name: str
    values: dict[str, Array]
    estimates: dict[str, Interval]
    seconds: float
    said: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class StudentChoice:
    """The models compared by default, from simple to complex; the recommended one, and why in a sentence."""

    name: str
    measure: str
    entries: list[ComparedModel]
    failed: dict[str, str]
    rows: int
    folds: Folds
    sentence: str


@dataclass(frozen=True)
class PairDifference:
    """`first` minus `second`, mean over the folds; `p` of the single test and `corrected` for all pairs."""

    first: str
    second: str
    mean: float
    low: float
    high: float
    p: float
    corrected: float

    @property
    def is_significant(self) -> bool:
        return self.corrected < SIGNIFICANCE


def model_differences(scores: Mapping[str, Array], train: Array, test: Array) -> list[PairDifference]:
    """All pairs by the corrected resampled t-test (Nadeau and Bengio 2003), then Holm's correction."""
    names = list(scores)
    found = []
    for k, a in enumerate(names):
        for b in names[k + 1 :]:
            table = FoldTable({"difference": np.asarray(scores[a]) - scores[b]}, train, test)
            found.append(
                (a, b, table.mean("difference"), *table.interval("difference"), _difference_p_value(table))
            )
    corrected = holm_adjusted([row[-1] for row in found])
    return [PairDifference(*row, c) for row, c in zip(found, corrected, strict=True)]


def _difference_p_value(table: FoldTable) -> float:
    """Two-sided p-value; 0 or 1 if all folds have the same difference."""
    mean, error = table.mean("difference"), table.corrected_error("difference")
    if not error > 0:
        return 1.0 if mean == 0 or table.n_folds < 2 else 0.0
    return float(2 * student_t.sf(abs(mean) / error, table.n_folds - 1))


def indistinguishable_runs(order: Sequence[str], pairs: Sequence[PairDifference]) -> list[tuple[int, int]]:
    """Maximal runs (first, last) of neighbours in this order no two of which differ significantly."""
    real = {frozenset((pair.first, pair.second)) for pair in pairs if pair.is_significant}
    runs: list[tuple[int, int]] = []
    for first in range(len(order)):
        last = first
        while last + 1 < len(order) and not any(
            frozenset((order[k], order[last + 1])) in real for k in range(first, last + 1)
        ):
            last += 1
        if last > first and not any(a <= first and last <= b for a, b in runs):
            runs.append((first, last))
    return runs
