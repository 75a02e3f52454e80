"""Data passed to the checks (equal rows among them), their results, and significance tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from scipy import stats

from markone.data.reading.cell_table import CellTable
from markone.data.reading.columns import Column
from markone.numerics.arrays import Array
from markone.tables.plan.column_plan import ColumnPlan
from markone.tables.request import Folds

# Rows hashed at a time, so that they stay in the CPU cache.
ROWS_AT_A_TIME = 4096
ODD = np.uint64(0x9E3779B97F4A7C15)
HALF = np.uint64(32)


def group_equal_rows(X: Array) -> Array:
    """Group number of each row: equal rows (NaN included) share one; numbered by first occurrence."""
    same = np.ascontiguousarray(X, dtype=float) + 0.0  # -0.0 is 0.0
    same[np.isnan(same)] = np.nan
    bits = same.view(np.uint64).reshape(same.shape)
    keys = hash_rows(bits)
    order = np.argsort(keys, kind="stable")  # stable: the first of equal rows comes first
    new = np.ones(len(keys), bool)
    new[1:] = keys[order[1:]] != keys[order[:-1]]
    first = np.empty(len(keys), np.intp)
    first[order] = order[np.maximum.accumulate(np.where(new, np.arange(len(keys)), 0))]
    if not _rows_match_first(bits, first):
        return group_rows_by_bytes(same)
    return (np.cumsum(first == np.arange(len(first))) - 1)[first]


def hash_rows(bits: Array) -> Array:
    """64-bit hash of each row. Values are mixed before multiplication: the low bits of integers are zero."""
    odd = ODD * np.arange(1, 2 * bits.shape[1], 2, dtype=np.uint64)
    keys = np.empty(len(bits), np.uint64)
    for start in range(0, len(bits), ROWS_AT_A_TIME):
        some = bits[start : start + ROWS_AT_A_TIME]
        for _ in range(2):
            some = (some ^ (some >> HALF)) * ODD
        keys[start : start + ROWS_AT_A_TIME] = ((some ^ (some >> HALF)) * odd).sum(axis=1, dtype=np.uint64)
    return keys


def _rows_match_first(bits: Array, first: Array) -> bool:
    """Return whether all rows equal the first row with the same hash."""
    copies = np.flatnonzero(first != np.arange(len(first)))
    parts = (copies[start : start + ROWS_AT_A_TIME] for start in range(0, len(copies), ROWS_AT_A_TIME))
    return all((bits[part] == bits[first[part]]).all() for part in parts)


def group_rows_by_bytes(same: Array) -> Array:
    """Group rows by their bytes; used if two different rows have the same hash."""
    place: dict[bytes, int] = {}
    return np.array([place.setdefault(row.tobytes(), len(place)) for row in same], dtype=np.intp)


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


# Sample size of the checks; more rows would only take longer.
MOST_ROWS = 5000


@dataclass(frozen=True)
class Evidence:
    """`y` is the target of all rows of `table`; `X` and `kept_y` are inputs and target of the rows used.

    `of_numbers`: the target is numeric (regression).
    """

    table: CellTable
    plan: ColumnPlan
    y: Array
    X: Array
    kept_y: Array
    kept_rows: Array
    how: Folds
    of_numbers: bool = False

    @cached_property
    def classes(self) -> list[str]:
        """Class names, the most frequent first."""
        labels, counts = np.unique(self.y, return_counts=True)
        return [str(labels[k]) for k in np.argsort(-counts, kind="stable")]

    @cached_property
    def class_codes(self) -> Array:
        """The labels as indices into `classes`."""
        place = {label: k for k, label in enumerate(self.classes)}
        return np.array([place[str(label)] for label in self.y])

    @cached_property
    def copies(self) -> Array:
        """Group number of each row of X: equal rows share one."""
        return group_equal_rows(self.X)

    @cached_property
    def sampled_rows(self) -> Array:
        """Indices of all rows, or of an evenly spaced sample."""
        P = len(self.table)
        return np.arange(P) if P <= MOST_ROWS else np.linspace(0, P - 1, MOST_ROWS).astype(int)

    @property
    def measured_inputs(self) -> tuple[Array, Array, list[str]]:
        """The inputs that are not codes of texts, the target, and the names of these inputs."""
        names = self.plan.feature_names
        measured = len(names) - self.plan.n_coded
        return self.X[:, :measured], self.kept_y, names[:measured]

    def get_column(self, name: str) -> Column:
        return self.table.columns[name]

    def row_numbers(self, mask: Array) -> list[int]:
        """Row numbers in the file, counted below the header."""
        return [int(row) for row in self.table.rows[mask]]


Check = Callable[[Evidence], Iterable[TableFinding]]
# Probability of a false finding among all columns.
LEVEL = 0.01


# Rows above which the chi-square approximation is accurate enough, and fast.
MANY_ROWS = 100_000


def class_dependence_p_value(mask: Array, codes: Array) -> float:
    """Fisher's exact test of a mask against each class and the rest, times the number of classes."""
    K = int(codes.max()) + 1
    return class_count_p_value(np.bincount(codes[mask], minlength=K), np.bincount(codes, minlength=K))


def class_count_p_value(inside: Array, total: Array) -> float:
    """The same test from counts: `inside` of the `total` rows of each class are in the mask."""
    K, outside, least = len(total), total - inside, 1.0
    for k in range(K if K > 2 else 1):
        mine = [inside[k], outside[k]]
        rest = [inside.sum() - inside[k], outside.sum() - outside[k]]
        least = min(least, _four_fold_p_value(np.array([mine, rest])))
    return min(1.0, least * (K if K > 2 else 1))


def _four_fold_p_value(counts: Array) -> float:
    rows, columns = counts.sum(axis=1), counts.sum(axis=0)
    if rows.min() == 0 or columns.min() == 0:
        return 1.0
    least = float(rows.min()) * float(columns.min()) / float(counts.sum())
    if counts.sum() > MANY_ROWS and least > 5:
        return float(stats.chi2_contingency(counts, correction=False).pvalue)
    return float(stats.fisher_exact(counts)[1])


def number_dependence_p_value(mask: Array, y: Array) -> float:
    """Mann-Whitney test of a mask against a numeric target."""
    if not 0 < int(mask.sum()) < len(mask):
        return 1.0
    return float(stats.mannwhitneyu(y[mask], y[~mask]).pvalue)
