"""Changes of single rows: what each column adds to a prediction, the smallest changes to another one; rows
misclassified in every repeat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np

from markone.numerics.arrays import Array
from markone.tables.answers.drift import TrainingRange
from markone.tables.plan.column_plan import CODED, NUMBER, TEXT, YES_NO, ColumnPlan, PlannedColumn
from markone.tables.prepared_data import PreparedData
from markone.tables.validation import Validation

# Values tried per column, and columns that are changed together.
N_CANDIDATES, MOST_CHANGED = 41, 3
# Distance of two categories, in standard deviations of a number.
CATEGORY_STEP = 2.0

Predict = Callable[[Array], Array]


@dataclass(frozen=True)
class CandidateColumn:
    """Inputs of a column, plausible values, their weights, and the deviation of a number (0: categories)."""

    name: str
    inputs: list[int]
    values: Array
    weights: Array
    deviation: float

    def rows_with_values(self, x: Array) -> Array:
        """Copies of the row x, one for each value."""
        rows = np.repeat(x[None], len(self.values), axis=0)
        rows[:, self.inputs] = self.values
        return np.asarray(rows)

    def distance_from(self, x: Array) -> Array:
        """Distance of each value from that of x, in standard deviations; a missing value counts as 0."""
        if not self.deviation:
            return np.asarray(CATEGORY_STEP * (self.values != x[self.inputs]).any(axis=1))
        steps = np.abs(self.values[:, 0] / self.deviation - x[self.inputs[0]] / self.deviation)
        return np.asarray(np.where(np.isnan(steps), 0.0, steps))


@dataclass(frozen=True)
class RowChange:
    """The prediction of a row; changes (column, old, new) that give another prediction, and that one."""

    now: str
    changes: list[tuple[str, str, str]]
    then: str = ""

    def __str__(self) -> str:
        if not self.changes:
            return ""
        return (
            f"{', '.join(f'{name} {new} instead of {old}' for name, old, new in self.changes)}: {self.then}"
        )


def plausible_columns(plan: ColumnPlan, training: TrainingRange) -> list[CandidateColumn]:
    """Plausible values: numbers from the 1st to the 99th percentile of training, categories seen there."""
    found = []
    for name, inputs in plan.inputs_by_column.items():
        column, deviation = _planned_column(plan, name), 0.0
        if column.kind == NUMBER:
            percentiles = np.array(training.numbers[name])
            values = np.unique(percentiles[np.linspace(1, 99, N_CANDIDATES).round().astype(int)])[:, None]
            weights, deviation = np.ones(len(values)), float(percentiles[84] / 2 - percentiles[16] / 2)
            deviation = deviation or float(percentiles[-1] / 2 - percentiles[0] / 2) or 1.0
        else:
            values, weights = _category_values(column, training.texts[name], len(inputs))
        others = np.zeros((len(values), len(inputs) - values.shape[1]))
        found.append(
            CandidateColumn(name, inputs, np.hstack([values, others]), weights / weights.sum(), deviation)
        )
    return found


def _category_values(column: PlannedColumn, counts: dict[str, int], inputs: int) -> tuple[Array, Array]:
    """The inputs of each category seen in training, the most frequent first, and their counts."""
    if column.kind == YES_NO:
        return np.array([[0.0], [1.0]]), np.ones(2)
    weights = np.array([counts.get(level, 0) for level in column.levels], dtype=float)
    order = np.argsort(-weights, kind="stable")[:N_CANDIDATES]
    order = order[weights[order] > 0]
    if column.kind == CODED:
        return order[:, None].astype(float), weights[order]
    shown = np.eye(len(column.levels))[:, len(column.levels) - len(column.shown_levels) :]
    return shown[order], weights[order]


def column_effects(share: Predict, x: Array, columns: list[CandidateColumn]) -> Array:
    """Share of the row less its mean over the plausible values of each column: what the column adds to it."""
    blocks = [column.rows_with_values(x) for column in columns]
    shares = share(np.concatenate([x[None], *blocks]))
    ends = np.cumsum([1] + [len(block) for block in blocks])
    means = [c.weights @ shares[a:b] for c, a, b in zip(columns, ends[:-1], ends[1:], strict=True)]
    return np.asarray(shares[0] - np.array(means))


def smallest_change(
    labels: Predict,
    share: Predict,
    plan: ColumnPlan,
    x: Array,
    columns: list[CandidateColumn],
    kept: Collection[str] = (),
) -> RowChange:
    """The smallest change of one column that gives another prediction; else of up to MOST_CHANGED, greedily.

    `share` gives the certainty of the present label: where one column is not enough, that which lowers it
    most is changed first; changes that prove unnecessary are taken back. Columns in `kept` stay.
    """
    now, row, changed = labels(x[None])[0], x, list[CandidateColumn]()
    for _ in range(MOST_CHANGED):
        free = [c for c in columns if c.name not in kept and c not in changed]
        if not free:
            break
        every = np.concatenate([column.rows_with_values(row) for column in free])
        owner = np.repeat(np.arange(len(free)), [len(column.values) for column in free])
        far = np.concatenate([column.distance_from(x) for column in free])
        other = labels(every) != now
        best = int(np.where(other, far, np.inf).argmin() if other.any() else share(every).argmin())
        row, changed = every[best], [*changed, free[owner[best]]]
        if other.any():
            return _describe_change(labels, plan, x, row, changed)
    return RowChange(str(now), [])


def _describe_change(
    labels: Predict, plan: ColumnPlan, x: Array, row: Array, changed: list[CandidateColumn]
) -> RowChange:
    """The change in the words of the table, without columns whose old value gives another prediction, too."""
    now = labels(x[None])[0]
    for column in changed[:-1]:
        without = row.copy()
        without[column.inputs] = x[column.inputs]
        if labels(without[None])[0] != now:
            row = without
    changes = [
        (
            c.name,
            format_input_value(plan, c.name, x[c.inputs]),
            format_input_value(plan, c.name, row[c.inputs]),
        )
        for c in changed
        if not np.array_equal(x[c.inputs], row[c.inputs])
    ]
    return RowChange(str(now), changes, str(labels(row[None])[0]))


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
        return column.levels[int(values[0])] if values[0] >= 0 else "unknown"
    if column.kind == TEXT:
        if len(column.levels) == 2:
            return column.levels[int(values[0])]
        return column.levels[int(np.argmax(values))]
    if column.notation.get("kind") == "order":
        return column.notation["words"].split("\n")[int(values[0]) - 1]
    return f"{values[0]:.4g}"


MAX_ROWS, MAX_COLUMNS = 12, 100


@dataclass(frozen=True)
class MisclassifiedRow:
    """A row misclassified each time it was left out: its class, the predicted one, and the smallest change of
    columns that changes the prediction of the final model."""

    row: int
    true: str
    called: str
    change: RowChange


def misclassified_rows(
    labels: Predict, share_of: dict[str, Predict], data: PreparedData, validation: Validation
) -> list[MisclassifiedRow]:
    """`labels` predicts, `share_of[label]` gives the probability of a label, for rows of inputs."""
    wrong = np.flatnonzero((validation.wrong == validation.tested) & (validation.tested > 0))
    predictions: dict[int, Counter[str]] = {int(k): Counter() for k in wrong[:MAX_ROWS]}
    if not predictions or data.training is None:
        return []
    for fold in validation.folds:
        for place in np.flatnonzero(np.isin(fold.test, list(predictions))):
            predictions[int(fold.test[place])][str(fold.predicted[place])] += 1
    tried, found = plausible_columns(data.plan, data.training)[:MAX_COLUMNS], []
    for k, called in predictions.items():
        x = data.X[k]
        change = smallest_change(labels, share_of[str(labels(x[None])[0])], data.plan, x, tried)
        found.append(MisclassifiedRow(data.rows[k], str(data.y[k]), called.most_common(1)[0][0], change))
    return found
