"""What the findings look at: the table with its labels, before rows were left out, and the inputs made
of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.data.reading.columns import Column
from markone.numerics.arrays import Array
from markone.tables.findings.equal_rows import equal_rows
from markone.tables.plan.column_plan import ColumnPlan
from markone.tables.request import Folds

# Enough to see what decides; more rows would only take longer.
MOST_ROWS = 5000


@dataclass(frozen=True)
class Evidence:
    """`y` are the labels of the rows of `table`; `X` the inputs of the rows that train, whose labels are
    `kept_y`. `of_numbers`: they are numbers to be predicted, not classes."""

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
        """The most frequent first."""
        labels, counts = np.unique(self.y, return_counts=True)
        return [str(labels[k]) for k in np.argsort(-counts, kind="stable")]

    @cached_property
    def codes(self) -> Array:
        """The labels as places in `classes`."""
        place = {label: k for k, label in enumerate(self.classes)}
        return np.array([place[str(label)] for label in self.y])

    @cached_property
    def copies(self) -> Array:
        """The same number for rows of X that are equal."""
        return equal_rows(self.X)

    @cached_property
    def sample(self) -> Array:
        """All rows of the table, or evenly many of them in their order."""
        P = len(self.table)
        return np.arange(P) if P <= MOST_ROWS else np.linspace(0, P - 1, MOST_ROWS).astype(int)

    def column(self, name: str) -> Column:
        return self.table.columns[name]

    def row_numbers(self, mask: Array) -> list[int]:
        """The numbers of these rows under the header."""
        return [int(row) for row in self.table.rows[mask]]
