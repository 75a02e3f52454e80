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
from markone.lab.fitting import encoding, models, options
from markone.lab.fitting.plan import Plan, Wishes
from markone.lab.fitting.planning import make as make_plan
from markone.lab.fitting.portrait import Portrait, portrait
from markone.lab.fitting.raw import read
from markone.lab.fitting.scaling import Scaling
from markone.lab.fitting.scores import Judge
from markone.lab.fitting.validation import Progress, Validation, cross_validate, heard, searched
from markone.numerics.arrays import Array
from markone.numerics.text import count


@dataclass
class Asked:
    """The command as it was typed."""

    data: str
    model: str = models.DEFAULT
    wishes: Wishes = field(default_factory=Wishes)
    settings: list[str] = field(default_factory=list)
    grid: list[str] = field(default_factory=list)
    cv: str = "5x10"
    scale: str = "standard"
    positive: str | None = None
    seed: int = 0
    header: bool = True
    rows: int | None = None


@dataclass
class Fitted:
    """All that a report, a terminal or a file wants to know."""

    asked: Asked
    plan: Plan
    notes: list[str]
    model: str
    judge: Judge
    class_counts: dict[str, int]
    baseline: dict[str, float]
    validation: Validation
    pipeline: Any
    portrait: Portrait
    y: Array
    rows: list[int]
    chosen: dict[str, Any]
    search: dict[str, Any]
    seconds: float


def fit(asked: Asked, progress: Progress = lambda done, total: None) -> Fitted:
    began = time.perf_counter()
    how, grid = options.folds(asked.cv), options.grid(asked.grid)
    model = models.make(asked.model, options.settings(asked.settings), asked.seed)
    models.check(grid, model.get_params(deep=False), models.friendly(type(model).__name__))
    raw = read(asked.data, header=asked.header, rows=asked.rows, seed=asked.seed)
    plan, raw, notes = make_plan(raw, asked.wishes)
    X, y = encoding.inputs(raw, plan), encoding.labels(raw, plan)
    pipeline = assemble(asked, plan, model, notes)
    judge = judge_of(asked, y)
    validation = cross_validate(pipeline, X, y, how, judge, grid, asked.seed, progress)
    final, chosen, search, said = finish(pipeline, X, y, grid, asked.seed)
    notes += warned(validation.warned, len(validation.folds), "In cross-validation")
    notes += warned(said, 1, "The final student")
    units = "of z-scores" if asked.scale == "standard" else "in the units of the table"
    labels, counts = np.unique(y, return_counts=True)
    return Fitted(
        asked=asked,
        plan=plan,
        notes=notes,
        model=models.called(asked.model, model),
        judge=judge,
        class_counts={str(a): int(n) for a, n in zip(labels, counts, strict=True)},
        baseline=judge.baseline(y),
        validation=validation,
        pipeline=final,
        portrait=portrait(final, plan.feature_names, raw.numbers, units),
        y=y,
        rows=raw.numbers,
        chosen=chosen,
        search=search,
        seconds=time.perf_counter() - began,
    )


def assemble(asked: Asked, plan: Plan, model: Any, notes: list[str]) -> Pipeline:
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


def judge_of(asked: Asked, y: Array) -> Judge:
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
