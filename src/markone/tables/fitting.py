"""Classification: from the table to the fitted model, without output."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.numerics.arrays import Array
from markone.numerics.text import count
from markone.tables import models, request
from markone.tables.answers.deciding import decided
from markone.tables.answers.rejecting import rejection
from markone.tables.answers.weighing import weigh
from markone.tables.exactness import relax
from markone.tables.findings.finding import TableFinding
from markone.tables.fit_result import FitResult
from markone.tables.inspect import missing_ways
from markone.tables.inspect.cases import cases
from markone.tables.inspect.missing_ways import MissingWay
from markone.tables.model_summary import summarise
from markone.tables.preparing import Prepared, assemble, prepare, the_table
from markone.tables.request import FitRequest, Folds
from markone.tables.running.run import Workers
from markone.tables.scores import Judge
from markone.tables.source import hash_of
from markone.tables.validation import Progress, Validation, cross_validate, heard, searched

# Largest number of columns whose permutation importance is computed; more would take longer than the fits.
MOST_SHUFFLED = 300


def fit(
    asked: FitRequest,
    progress: Progress = lambda done, total: None,
    findings: Callable[[list[TableFinding]], None] = lambda found: None,
    table: CellTable | None = None,
) -> FitResult:
    """Read the table if not given, cross-validate the classifier and fit it to all rows."""
    began = time.perf_counter()
    asked = replace(asked, model=asked.model or models.DEFAULT[models.CLASSIFICATION])
    how, grid = request.folds(asked.cv), request.grid(asked.grid)
    how = Folds(1, how.folds) if asked.options.time else how
    model = models.make(asked.model, request.settings(asked.settings), asked.seed)
    models.check(grid, model.get_params(deep=False), models.friendly(type(model).__name__))
    data = prepare(asked, how, the_table(asked) if table is None else table)
    judge = judge_of(asked, data.y)
    data.notes += [*weigh(model, judge), *relax(model, request.settings(asked.settings), len(data.y))]
    pipeline = assemble(asked, data.plan, model, data.notes)
    findings(data.findings)
    columns = data.plan.places if len(data.plan.places) <= MOST_SHUFFLED else {}
    validation = cross_validate(
        pipeline, data.X, data.y, how, judge, grid, asked.seed, progress, data.ties, columns, workers(asked)
    )
    final, chosen, search, said = finish(pipeline, data, grid, judge, asked.seed)
    data.notes += warned(validation.warned, len(validation.folds), "In cross-validation")
    data.notes += warned(said, 1, "The final model")
    if asked.answers.compare_missing and asked.options.missing == "refuse":
        data.notes.append("No value is missing: there are no ways to compare.")
    units = "of z-scores" if asked.scale == "standard" else "in the units of the table"
    labels, counts = np.unique(data.y, return_counts=True)
    return FitResult(
        request=asked,
        plan=data.plan,
        notes=data.notes,
        model=models.called(asked.model, model),
        judge=judge,
        class_counts={str(a): int(n) for a, n in zip(labels, counts, strict=True)},
        baseline=judge.baseline(data.y[validation.tested > 0]),
        validation=validation,
        pipeline=final,
        summary=summarise(
            final, data.plan.feature_names, data.rows, units, [fold.look.inputs for fold in validation.folds]
        ),
        y=data.y,
        rows=data.rows,
        chosen=chosen,
        search=search,
        seconds=time.perf_counter() - began,
        findings=data.findings,
        ties=data.ties,
        training=data.training,
        rejection=rejection(validation, data.y, asked.answers.reject),
        missing_ways=ways(asked, how, judge, grid, validation),
        cases=cases(final, data.plan, data.X, data.y, data.rows, validation),
        data_hash=hash_of(asked.data),
    )


def ways(asked: FitRequest, how: Folds, judge: Judge, grid: Any, validation: Validation) -> list[MissingWay]:
    """Score the other treatments of missing values on the same folds, if requested."""
    # With "refuse" there are no missing values at this point.
    if not asked.answers.compare_missing or asked.options.missing == "refuse":
        return []

    def validate_with(way: str) -> Validation:
        other = replace(asked, options=replace(asked.options, missing=way))
        model = models.make(asked.model, request.settings(asked.settings), asked.seed)
        weigh(model, judge)
        data = prepare(other, how, the_table(other))
        relax(model, request.settings(asked.settings), len(data.y))
        pipeline = assemble(other, data.plan, model, [])
        return cross_validate(pipeline, data.X, data.y, how, judge, grid, asked.seed, ties=data.ties)

    masks = models.key(asked.model) in {models.key(name) for name in models.masking()}
    return missing_ways.compare(validation, asked.options.missing, validate_with, masks)


def workers(asked: FitRequest) -> Workers:
    return Workers(asked.workers, asked.backend, asked.scheduler)


def judge_of(asked: FitRequest, y: Array) -> Judge:
    """Return the scoring of the classes; the rarer of two is positive by default, the last one if equal."""
    labels, counts = np.unique(y, return_counts=True)
    classes = [str(label) for label in labels]
    positive = asked.positive or min(reversed(classes), key=lambda label: counts[classes.index(label)])
    if positive not in classes:
        raise ValueError(
            f"--positive {positive!r} is not a class of the target. The classes: {', '.join(classes)}."
        )
    prices = request.prices(asked.answers.costs, classes)
    return Judge(classes, positive, prices, asked.answers.calibrate)


def finish(
    pipeline: Any, data: Prepared, grid: Any, judge: Judge, seed: int
) -> tuple[Any, dict[str, Any], Any, Counter[str]]:
    """Fit the model to all rows; with a grid, return the choice and the scores of the search."""
    X, y, said = data.X, data.y, Counter[str]()
    with heard(said):
        if not grid:
            return decided(pipeline.fit(X, y), X, y, judge, seed, data.ties), {}, {}, said
        search = searched(pipeline, X, y, grid, seed, data.ties)
        final = decided(search.best_estimator_, X, y, judge, seed, data.ties)
    results = search.cv_results_
    tried = [{name.removeprefix("model__"): v for name, v in p.items()} for p in results["params"]]
    curve = {"tried": tried, "mean": results["mean_test_score"], "sd": results["std_test_score"]}
    chosen = {name.removeprefix("model__"): v for name, v in search.best_params_.items()}
    return final, chosen, curve, said


def warned(said: Counter[str], fits: int, where: str) -> list[str]:
    """List each warning once, with the number of fits that raised it."""
    times = f" ({{}} of {count(fits, 'fold')})" if fits > 1 else ""
    return [f"{where}{times.format(n)}: {text}" for text, n in said.most_common(5)]
