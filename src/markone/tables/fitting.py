"""`markone fit` from the table to the fitted student; printing, drawing and saving are done elsewhere."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags

from markone.data.dialect import BadTable
from markone.numerics.arrays import Array
from markone.numerics.text import count
from markone.tables import encoding, models
from markone.tables import request as typed
from markone.tables.model_summary import ModelSummary, summarise
from markone.tables.plan import ColumnOptions, ColumnPlan
from markone.tables.planning import make as make_plan
from markone.tables.scaling import Scaling
from markone.tables.scores import Judge
from markone.tables.source import read
from markone.tables.validation import Progress, Validation, cross_validate, heard, searched


@dataclass
class FitRequest:
    """The command as it was typed."""

    data: str
    model: str = models.DEFAULT
    options: ColumnOptions = field(default_factory=ColumnOptions)
    settings: list[str] = field(default_factory=list)
    grid: list[str] = field(default_factory=list)
    cv: str = "5x10"
    scale: str = "standard"
    positive: str | None = None
    seed: int = 0
    header: bool = True
    rows: int | None = None


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


def fit(request: FitRequest, progress: Progress = lambda done, total: None) -> FitResult:
    began = time.perf_counter()
    how, grid = typed.folds(request.cv), typed.grid(request.grid)
    model = models.make(request.model, typed.settings(request.settings), request.seed)
    models.check(grid, model.get_params(deep=False), models.friendly(type(model).__name__))
    raw = read(request.data, header=request.header, rows=request.rows, seed=request.seed)
    plan, raw, notes = make_plan(raw, request.options)
    X, y = encoding.inputs(raw, plan), encoding.labels(raw, plan)
    pipeline = assemble(request, plan, model, notes)
    judge = judge_of(request, y)
    validation = cross_validate(pipeline, X, y, how, judge, grid, request.seed, progress)
    final, chosen, search, said = finish(pipeline, X, y, grid, request.seed)
    notes += warned(validation.warned, len(validation.folds), "In cross-validation")
    notes += warned(said, 1, "The final student")
    units = "of z-scores" if request.scale == "standard" else "in the units of the table"
    labels, counts = np.unique(y, return_counts=True)
    return FitResult(
        request=request,
        plan=plan,
        notes=notes,
        model=models.called(request.model, model),
        judge=judge,
        class_counts={str(a): int(n) for a, n in zip(labels, counts, strict=True)},
        baseline=judge.baseline(y),
        validation=validation,
        pipeline=final,
        summary=summarise(final, plan.feature_names, raw.numbers, units),
        y=y,
        rows=raw.numbers,
        chosen=chosen,
        search=search,
        seconds=time.perf_counter() - began,
    )


def assemble(request: FitRequest, plan: ColumnPlan, model: Any, notes: list[str]) -> Pipeline:
    """Scaling and student as one, so that both are fitted anew in each fold; and what was done, said."""
    if request.scale not in ("standard", "none"):
        raise ValueError(f"--scale must be standard or none, not {request.scale!r}.")
    if plan.missing == "mask" and not get_tags(model).input_tags.allow_nan:
        raise BadTable(
            f"{models.called(request.model, model)} cannot skip missing values, so --missing mask is not for "
            f"it. Use --missing median, mean or drop, or a model that can: {', '.join(models.masking())}."
        )
    if plan.n_numbers:
        done = "The numbers were not scaled (--scale none)."
        if request.scale == "standard":
            done = (
                "Numbers were scaled to z-scores, with mean and deviation of the training part of each fold."
            )
            done += " 0/1 inputs stay as they are." if len(plan.feature_names) > plan.n_numbers else ""
        notes.append(done)
    fill = plan.missing if plan.missing in ("median", "mean") else "mask"
    scaling = Scaling(plan.n_numbers, request.scale, fill)
    return Pipeline([("scaling", scaling), ("model", model)])


def judge_of(request: FitRequest, y: Array) -> Judge:
    classes = [str(label) for label in np.unique(y)]
    positive = request.positive or classes[-1]
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
