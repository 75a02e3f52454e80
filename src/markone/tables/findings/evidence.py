"""Data passed to the checks: the table with its labels, and the inputs of the rows used."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.data.reading.columns import Column
from markone.numerics.arrays import Array
from markone.tables.findings.equal_rows import group_equal_rows
from markone.tables.plan.column_plan import ColumnPlan
from markone.tables.request import Folds

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

    def get_column(self, name: str) -> Column:
        return self.table.columns[name]

    def row_numbers(self, mask: Array) -> list[int]:
        """Row numbers in the file, counted below the header."""
        return [int(row) for row in self.table.rows[mask]]
