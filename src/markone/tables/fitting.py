"""`markone fit` from the table to the fitted student; printing, drawing and saving are done elsewhere."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags

from markone.data.reading.cell_table import CellTable
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.numerics.text import count
from markone.tables import models, request
from markone.tables.model_summary import ModelSummary, summarise
from markone.tables.plan import encoding, making
from markone.tables.plan.column_plan import ColumnPlan
from markone.tables.request import FitRequest
from markone.tables.running.run import Workers
from markone.tables.scaling import Scaling
from markone.tables.scores import Judge
from markone.tables.source import read
from markone.tables.validation import Progress, Validation, cross_validate, heard, searched


@dataclass
class FitResult:
    """All that a report, a terminal or a file wants to know."""

    request: FitRequest
    plan: ColumnPlan
    notes: list[str]
    model: str
    judge: Judge
    class_counts: dict[str, int]
    baseline: dict[str, float]
    validation: Validation
    pipeline: Any
    summary: ModelSummary
    y: Array
    rows: list[int]
    chosen: dict[str, Any]
    search: dict[str, Any]
    seconds: float


@dataclass
class Prepared:
    """The table as a student takes it: inputs, labels and the numbers of their rows, by the plan."""

    plan: ColumnPlan
    X: Array
    y: Array
    rows: list[int]
    notes: list[str]


def fit(
    asked: FitRequest, progress: Progress = lambda done, total: None, table: CellTable | None = None
) -> FitResult:
    """Read the table if it is not given, validate the classifier on its folds, fit it to all rows."""
    began = time.perf_counter()
    asked = replace(asked, model=asked.model or models.DEFAULT[models.CLASSIFICATION])
    how, grid = request.folds(asked.cv), request.grid(asked.grid)
    model = models.make(asked.model, request.settings(asked.settings), asked.seed)
    models.check(grid, model.get_params(deep=False), models.friendly(type(model).__name__))
    data = prepare(asked, the_table(asked) if table is None else table)
    pipeline = assemble(asked, data.plan, model, data.notes)
    judge = judge_of(asked, data.y)
    validation = cross_validate(
        pipeline, data.X, data.y, how, judge, grid, asked.seed, progress, workers=workers(asked)
    )
    final, chosen, search, said = finish(pipeline, data.X, data.y, grid, asked.seed)
    data.notes += warned(validation.warned, len(validation.folds), "In cross-validation")
    data.notes += warned(said, 1, "The final student")
    units = "of z-scores" if asked.scale == "standard" else "in the units of the table"
    labels, counts = np.unique(data.y, return_counts=True)
    return FitResult(
        request=asked,
        plan=data.plan,
        notes=data.notes,
        model=models.called(asked.model, model),
        judge=judge,
        class_counts={str(a): int(n) for a, n in zip(labels, counts, strict=True)},
        baseline=judge.baseline(data.y),
        validation=validation,
        pipeline=final,
        summary=summarise(final, data.plan.feature_names, data.rows, units),
        y=data.y,
        rows=data.rows,
        chosen=chosen,
        search=search,
        seconds=time.perf_counter() - began,
    )


def the_table(asked: FitRequest) -> CellTable:
    return read(
        asked.data, header=asked.header, texts=asked.options.written, rows=asked.rows, seed=asked.seed
    )


def prepare(asked: FitRequest, table: CellTable) -> Prepared:
    plan, table, notes = making.make(table, asked.options)
    X, y = encoding.inputs(table, plan), encoding.labels(table, plan)
    return Prepared(plan, X, y, table.rows.tolist(), notes)


def assemble(asked: FitRequest, plan: ColumnPlan, model: Any, notes: list[str]) -> Pipeline:
    """Scaling and student as one, so that both are fitted anew in each fold; and what was done, said."""
    if asked.scale not in ("standard", "none"):
        raise ValueError(f"--scale must be standard or none, not {asked.scale!r}.")
    if plan.missing == "mask" and not get_tags(model).input_tags.allow_nan:
        raise BadTable(
            f"{models.called(asked.model, model)} cannot skip missing values, so --missing mask is not for "
            f"it. Use --missing median, mean or drop, or a model that can: {', '.join(models.masking())}."
        )
    if plan.n_numbers:
        done = "The numbers were not scaled (--scale none)."
        if asked.scale == "standard":
            done = (
                "Numbers were scaled to z-scores, with mean and deviation of the training part of each fold."
            )
            done += " 0/1 inputs stay as they are." if len(plan.feature_names) > plan.n_numbers else ""
        notes.append(done)
    fill = plan.missing if plan.missing in ("median", "mean") else "mask"
    scaling = Scaling(plan.n_numbers, asked.scale, fill)
    return Pipeline([("scaling", scaling), ("model", model)])


def workers(asked: FitRequest) -> Workers:
    return Workers(asked.workers, asked.backend, asked.scheduler)


def judge_of(asked: FitRequest, y: Array) -> Judge:
    classes = [str(label) for label in np.unique(y)]
    positive = asked.positive or classes[-1]
    if positive not in classes:
        raise ValueError(
            f"--positive {positive!r} is no class of the target. The classes: {', '.join(classes)}."
        )
    return Judge(classes, positive)


def finish(
    pipeline: Any, X: Array, y: Array, grid: Any, seed: int
) -> tuple[Any, dict[str, Any], Any, Counter[str]]:
    """The student of all rows; with a grid, the choice and the scores of the search."""
    said: Counter[str] = Counter()
    with heard(said):
        if not grid:
            return pipeline.fit(X, y), {}, {}, said
        search = searched(pipeline, X, y, grid, seed)
    results = search.cv_results_
    tried = [{name.removeprefix("model__"): v for name, v in p.items()} for p in results["params"]]
    curve = {"tried": tried, "mean": results["mean_test_score"], "sd": results["std_test_score"]}
    chosen = {name.removeprefix("model__"): v for name, v in search.best_params_.items()}
    return search.best_estimator_, chosen, curve, said


def warned(said: Counter[str], fits: int, where: str) -> list[str]:
    """Each warning once, with the number of fits that gave it."""
    times = f" ({{}} of {count(fits, 'fold')})" if fits > 1 else ""
    return [f"{where}{times.format(n)}: {text}" for text, n in said.most_common(5)]
