"""`markone fit`: the table is read once, and answered by what its target asks for."""

from __future__ import annotations

from markone.tables import fitting
from markone.tables.comparing.comparison import ModelComparison, compare, several
from markone.tables.fitting import FitResult
from markone.tables.plan.target import find_target
from markone.tables.plan.task import REGRESSION, task_of
from markone.tables.regression import fitting as regression
from markone.tables.regression.fitting import RegressionResult
from markone.tables.request import FitRequest
from markone.tables.running.run import Progress

Answer = FitResult | RegressionResult | ModelComparison


def fit(asked: FitRequest, progress: Progress = lambda done, total: None) -> Answer:
    """What `markone fit` does: read the table, validate the model on its folds, fit it to all rows.

    Classes are answered by a `FitResult`, numbers by a `RegressionResult`, several models (`a,b` or
    `all`) by a `ModelComparison`.
    """
    table = fitting.the_table(asked)
    task = task_of(table, find_target(table, asked.options), asked.task)
    if several(asked.model):
        return compare(asked, table, task, progress)
    if task == REGRESSION:
        return regression.fit(asked, table, progress)
    return fitting.fit(asked, progress, table)
