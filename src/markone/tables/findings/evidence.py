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
from markone.numerics.text import format_count
from markone.tables.plan.column_plan import ColumnPlan
from markone.tables.request import Folds


def group_equal_rows(X: Array) -> Array:
    """Group number of each row: equal rows (NaN included) share one; numbered by first occurrence."""
    same = np.ascontiguousarray(X, dtype=float) + 0.0  # -0.0 is 0.0
    same[np.isnan(same)] = np.nan
    if not same.shape[1]:
        return np.zeros(len(same), dtype=np.intp)
    place: dict[bytes, int] = {}
    rows = same.view(f"V{8 * same.shape[1]}").ravel().tolist()
    return np.array([place.setdefault(row, len(place)) for row in rows], dtype=np.intp)


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


def doubt_sentence(findings: Iterable[TableFinding], what: str = "This") -> str:
    """The end of a headline, if findings question the score: it is never quoted without them."""
    reasons = sum(found.doubts_score for found in findings)
    return f" {what} may be misleading, for {format_count(reasons, 'reason')} given below." if reasons else ""


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
