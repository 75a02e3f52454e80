"""Rows to look at: those that no repeat gets right, and what would have to be different for another
answer."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.numerics.arrays import Array
from markone.tables.plan.column_plan import NUMBER, TEXT, YES_NO, ColumnPlan
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


def cases(
    fitted: Any, plan: ColumnPlan, X: Array, y: Array, rows: list[int], validation: Validation
) -> list[Case]:
    wrong = np.flatnonzero((validation.wrong == validation.tested) & (validation.tested > 0))
    said: dict[int, Counter[str]] = {int(k): Counter() for k in wrong[:MOST]}
    for fold in validation.folds:
        for row, label in zip(fold.test, fold.predicted, strict=True):
            if int(row) in said:
                said[int(row)][str(label)] += 1
    return [
        Case(rows[k], str(y[k]), called.most_common(1)[0][0], *changed(fitted, plan, X, k))
        for k, called in said.items()
    ]


def changed(fitted: Any, plan: ColumnPlan, X: Array, k: int) -> tuple[str, ...]:
    """The answer now, and the column, its value, the other value and the answer then; no column if none
    will do."""
    tries = [(name, inputs) for name, inputs in plan.places.items() if name not in plan.indicators]
    options = [other_values(plan, X, k, name, inputs) for name, inputs in tries[:MOST_COLUMNS]]
    every = np.concatenate([X[k][None], *options])
    answers = fitted.predict(every)
    now, start = str(answers[0]), 1
    best: tuple[float, int, int] = (np.inf, -1, -1)
    scale = spread(X)
    for c, block in enumerate(options):
        inputs = tries[c][1]
        far = np.abs(block[:, inputs] / scale[inputs] - X[k, inputs] / scale[inputs])
        far = np.where(np.isnan(far), 0.0, far).max(axis=1, initial=0.0)
        for other in np.flatnonzero(answers[start : start + len(block)] != answers[0]):
            best = min(best, (float(far[other]), c, int(other)))
        start += len(block)
    if best[1] < 0:
        return (now,)
    _, c, i = best
    name, inputs = tries[c]
    then = str(answers[1 + sum(map(len, options[:c])) + i])
    old, new = shown(plan, name, X[k, inputs]), shown(plan, name, options[c][i, inputs])
    return now, name, old, new, then


def spread(X: Array) -> Array:
    """The deviation of each input, in units of its largest number: the square of 1e200 is not a number."""
    unit = np.abs(np.where(np.isnan(X), 0.0, X)).max(axis=0)
    unit = np.where(unit > 0, unit, 1.0)
    deviation = np.nanstd(X / unit, axis=0)
    return np.asarray(np.where(deviation > 0, deviation, 1.0) * unit)


def other_values(plan: ColumnPlan, X: Array, k: int, name: str, inputs: list[int]) -> Array:
    """The row once for each other value of the column that the table has (of numbers: quantiles)."""
    values = X[:, inputs]
    values = values[~np.isnan(values).any(axis=1)]
    if kind_of(plan, name) == NUMBER:
        values = np.unique(np.quantile(values, np.linspace(0, 1, TRIED), axis=0, method="nearest"), axis=0)
    else:
        values = np.unique(values, axis=0)
    rows = np.repeat(X[k][None], len(values), axis=0)
    rows[:, inputs] = values
    return np.asarray(rows[(values != X[k, inputs]).any(axis=1)])


def kind_of(plan: ColumnPlan, name: str) -> str:
    return next(c.kind for c in plan.used if c.name == name)


def shown(plan: ColumnPlan, name: str, values: Array) -> str:
    """In the words and units of the table."""
    column = next(c for c in plan.used if c.name == name)
    if np.isnan(values).any():
        return "missing"
    if column.kind == YES_NO:
        return "yes" if values[0] else "no"
    if column.kind == TEXT:
        if len(column.levels) == 2:
            return column.levels[int(values[0])]
        return column.levels[int(np.argmax(values))]
    return f"{values[0]:.4g}"
