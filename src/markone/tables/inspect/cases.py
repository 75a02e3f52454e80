"""Rows to look at: those that no repeat gets right, and what would have to be different for another
answer."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.numerics.arrays import Array
from markone.tables.plan.column_plan import NUMBER, TEXT, YES_NO, ColumnPlan, PlannedColumn
from markone.tables.validation import Validation

MOST = 12
# Values of a column that are tried: quantiles of what the table has, so that no answer needs a value
# outside it.
TRIED = 41
MOST_COLUMNS = 100


@dataclass(frozen=True)
class Case:
    """A row that was answered wrongly each time it was left out: its class, what it was called, and the
    smallest change of one column by which the student of all rows names it otherwise than it does now."""

    row: int
    true: str
    called: str
    now: str
    column: str = ""
    value: str = ""
    instead: str = ""
    then: str = ""


@dataclass(frozen=True)
class TriedColumn:
    """The inputs of a column, the values that are tried there, and their deviations in the table."""

    name: str
    inputs: list[int]
    values: Array
    scale: Array

    def instead(self, x: Array) -> Array:
        """The row once for each other value of the column."""
        rows = np.repeat(x[None], len(self.values), axis=0)
        rows[:, self.inputs] = self.values
        return np.asarray(rows[(self.values != x[self.inputs]).any(axis=1)])

    def far(self, rows: Array, x: Array) -> Array:
        """How far these rows are from x, in deviations; what x does not know is no distance."""
        steps = np.abs(rows[:, self.inputs] / self.scale - x[self.inputs] / self.scale)
        return np.asarray(np.where(np.isnan(steps), 0.0, steps).max(axis=1, initial=0.0))


def cases(
    fitted: Any, plan: ColumnPlan, X: Array, y: Array, rows: list[int], validation: Validation
) -> list[Case]:
    wrong = np.flatnonzero((validation.wrong == validation.tested) & (validation.tested > 0))
    said: dict[int, Counter[str]] = {int(k): Counter() for k in wrong[:MOST]}
    if not said:
        return []
    for fold in validation.folds:
        for place in np.flatnonzero(np.isin(fold.test, list(said))):
            said[int(fold.test[place])][str(fold.predicted[place])] += 1
    tried = [tried_column(plan, X, name) for name in list(plan.places)[:MOST_COLUMNS]]
    return [
        Case(rows[k], str(y[k]), called.most_common(1)[0][0], *changed(fitted, plan, X[k], tried))
        for k, called in said.items()
    ]


def tried_column(plan: ColumnPlan, X: Array, name: str) -> TriedColumn:
    """Of numbers some quantiles, of anything else all that the table has."""
    inputs = plan.places[name]
    values = X[:, inputs]
    # In units of the largest number: the square of 1e200 is not a number.
    unit = np.abs(np.where(np.isnan(values), 0.0, values)).max(axis=0)
    unit = np.where(unit > 0, unit, 1.0)
    deviation = np.nanstd(values / unit, axis=0)
    values = values[~np.isnan(values).any(axis=1)]
    if planned(plan, name).kind == NUMBER:
        values = np.quantile(values, np.linspace(0, 1, TRIED), axis=0, method="nearest")
    scale = np.where(deviation > 0, deviation, 1.0) * unit
    return TriedColumn(name, inputs, np.unique(values, axis=0), np.asarray(scale))


def changed(fitted: Any, plan: ColumnPlan, x: Array, tried: list[TriedColumn]) -> tuple[str, ...]:
    """The answer now, and the column, its value, the other value and the answer then; no column if none
    will do."""
    blocks = [column.instead(x) for column in tried]
    every = np.concatenate([x[None], *blocks])
    answers = fitted.predict(every)
    far = np.concatenate([[np.inf], *(c.far(rows, x) for c, rows in zip(tried, blocks, strict=True))])
    far[answers == answers[0]] = np.inf
    best = int(far.argmin())
    if not np.isfinite(far[best]):
        return (str(answers[0]),)
    owner = np.repeat(np.arange(len(tried)), [len(rows) for rows in blocks])[best - 1]
    name, inputs = tried[owner].name, tried[owner].inputs
    old, new = shown(plan, name, x[inputs]), shown(plan, name, every[best, inputs])
    return str(answers[0]), name, old, new, str(answers[best])


def planned(plan: ColumnPlan, name: str) -> PlannedColumn:
    return next(c for c in plan.used if c.name == name)


def shown(plan: ColumnPlan, name: str, values: Array) -> str:
    """In the words and units of the table."""
    column = planned(plan, name)
    if np.isnan(values).any():
        return "missing"
    if column.kind == YES_NO:
        return "yes" if values[0] else "no"
    if column.kind == TEXT:
        if len(column.levels) == 2:
            return column.levels[int(values[0])]
        return column.levels[int(np.argmax(values))]
    return f"{values[0]:.4g}"
