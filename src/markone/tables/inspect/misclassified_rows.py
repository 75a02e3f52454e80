"""Rows misclassified in every repeat, and the smallest change that gives another prediction."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.numerics.arrays import Array
from markone.tables.plan.column_plan import CODED, NUMBER, TEXT, YES_NO, ColumnPlan, PlannedColumn
from markone.tables.validation import Validation

MAX_ROWS = 12
# Number of values tried per column: quantiles of the table, so that no value is outside its range.
N_CANDIDATES = 41
MAX_COLUMNS = 100


@dataclass(frozen=True)
class MisclassifiedRow:
    """A row misclassified each time it was left out: its class, the predicted one, and the smallest change of
    one column that changes the prediction of the final model."""

    row: int
    true: str
    called: str
    now: str
    column: str = ""
    value: str = ""
    instead: str = ""
    then: str = ""


@dataclass(frozen=True)
class CandidateColumn:
    """Inputs of a column, the values to try, and their standard deviations in the table."""

    name: str
    inputs: list[int]
    values: Array
    scale: Array

    def rows_with_other_values(self, x: Array) -> Array:
        """Copies of the row x, one per other value of the column."""
        rows = np.repeat(x[None], len(self.values), axis=0)
        rows[:, self.inputs] = self.values
        return np.asarray(rows[(self.values != x[self.inputs]).any(axis=1)])

    def distance_from(self, rows: Array, x: Array) -> Array:
        """Distance of these rows from x in standard deviations; missing values of x count as 0."""
        steps = np.abs(rows[:, self.inputs] / self.scale - x[self.inputs] / self.scale)
        return np.asarray(np.where(np.isnan(steps), 0.0, steps).max(axis=1, initial=0.0))


def misclassified_rows(
    fitted: Any, plan: ColumnPlan, X: Array, y: Array, rows: list[int], validation: Validation
) -> list[MisclassifiedRow]:
    wrong = np.flatnonzero((validation.wrong == validation.tested) & (validation.tested > 0))
    predictions: dict[int, Counter[str]] = {int(k): Counter() for k in wrong[:MAX_ROWS]}
    if not predictions:
        return []
    for fold in validation.folds:
        for place in np.flatnonzero(np.isin(fold.test, list(predictions))):
            predictions[int(fold.test[place])][str(fold.predicted[place])] += 1
    tried = [_candidate_column(plan, X, name) for name in list(plan.inputs_by_column)[:MAX_COLUMNS]]
    return [
        MisclassifiedRow(
            rows[k], str(y[k]), called.most_common(1)[0][0], *smallest_change(fitted, plan, X[k], tried)
        )
        for k, called in predictions.items()
    ]


def _candidate_column(plan: ColumnPlan, X: Array, name: str) -> CandidateColumn:
    """Values to try: quantiles of a number, all values of anything else."""
    inputs = plan.inputs_by_column[name]
    values = X[:, inputs]
    # In units of the largest number: the square of 1e200 overflows.
    unit = np.abs(np.where(np.isnan(values), 0.0, values)).max(axis=0)
    unit = np.where(unit > 0, unit, 1.0)
    deviation = np.nanstd(values / unit, axis=0)
    values = values[~np.isnan(values).any(axis=1)]
    if _planned_column(plan, name).kind == NUMBER:
        values = np.quantile(values, np.linspace(0, 1, N_CANDIDATES), axis=0, method="nearest")
    scale = np.where(deviation > 0, deviation, 1.0) * unit
    return CandidateColumn(name, inputs, np.unique(values, axis=0), np.asarray(scale))


def smallest_change(fitted: Any, plan: ColumnPlan, x: Array, tried: list[CandidateColumn]) -> tuple[str, ...]:
    """Return the prediction now; and column, old value, new value and new prediction, if a change exists."""
    blocks = [column.rows_with_other_values(x) for column in tried]
    every = np.concatenate([x[None], *blocks])
    answers = fitted.predict(every)
    far = np.concatenate(
        [[np.inf], *(c.distance_from(rows, x) for c, rows in zip(tried, blocks, strict=True))]
    )
    far[answers == answers[0]] = np.inf
    best = int(far.argmin())
    if not np.isfinite(far[best]):
        return (str(answers[0]),)
    owner = np.repeat(np.arange(len(tried)), [len(rows) for rows in blocks])[best - 1]
    name, inputs = tried[owner].name, tried[owner].inputs
    old, new = format_input_value(plan, name, x[inputs]), format_input_value(plan, name, every[best, inputs])
    return str(answers[0]), name, old, new, str(answers[best])


def _planned_column(plan: ColumnPlan, name: str) -> PlannedColumn:
    return next(c for c in plan.used_columns if c.name == name)


def format_input_value(plan: ColumnPlan, name: str, values: Array) -> str:
    """Format the value as in the table."""
    column = _planned_column(plan, name)
    if np.isnan(values).any():
        return "missing"
    if column.kind == YES_NO:
        return "yes" if values[0] else "no"
    if column.kind == CODED:
        return column.levels[int(values[0])]
    if column.kind == TEXT:
        if len(column.levels) == 2:
            return column.levels[int(values[0])]
        return column.levels[int(np.argmax(values))]
    return f"{values[0]:.4g}"
