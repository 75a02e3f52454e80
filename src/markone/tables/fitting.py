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
from markone.numerics.text import format_count
from markone.tables import models, request
from markone.tables.answers.class_weights import set_class_weights
from markone.tables.answers.decision import add_decision_rule
from markone.tables.answers.reject_option import rejection_threshold
from markone.tables.findings.finding import TableFinding
from markone.tables.fit_result import FitResult
from markone.tables.inspect import missing_treatments
from markone.tables.inspect.misclassified_rows import misclassified_rows
from markone.tables.inspect.missing_treatments import MissingTreatment
from markone.tables.model_summary import summarise_model_fit
from markone.tables.prepared_data import PreparedData, build_pipeline, prepare_classes, read_requested_table
from markone.tables.request import FitRequest, Folds
from markone.tables.running.run import Workers
from markone.tables.scores import ClassScoring
from markone.tables.solver_tolerance import relax_tolerance
from markone.tables.source import file_hash
from markone.tables.validation import (
    Progress,
    Validation,
    cross_validate_classifier,
    record_warnings,
    search_classifier,
)

# Largest number of columns whose permutation importance is computed; more would take longer than the fits.
MAX_PERMUTED_COLUMNS = 300


def fit_classifier(
    asked: FitRequest,
    progress: Progress = lambda done, total: None,
    findings: Callable[[list[TableFinding]], None] = lambda found: None,
    table: CellTable | None = None,
) -> FitResult:
    """Read the table if not given, cross-validate the classifier and fit it to all rows."""
    began = time.perf_counter()
    asked = replace(asked, model=asked.model or models.DEFAULT[models.CLASSIFICATION])
    how, grid = request.parse_folds(asked.cv), request.parse_grid(asked.grid)
    how = Folds(1, how.folds) if asked.options.time else how
    model = models.create_model(asked.model, request.parse_model_settings(asked.settings), asked.seed)
    models.check_model_parameters(
        grid, model.get_params(deep=False), models.friendly_name(type(model).__name__)
    )
    data = prepare_classes(asked, how, read_requested_table(asked) if table is None else table)
    judge = scoring_of_classes(asked, data.y)
    data.notes += [
        *set_class_weights(model, judge),
        *relax_tolerance(model, request.parse_model_settings(asked.settings), len(data.y)),
    ]
    pipeline = build_pipeline(asked, data.plan, model, data.notes)
    findings(data.findings)
    columns = data.plan.inputs_by_column if len(data.plan.inputs_by_column) <= MAX_PERMUTED_COLUMNS else {}
    validation = cross_validate_classifier(
        pipeline,
        data.X,
        data.y,
        how,
        judge,
        grid,
        asked.seed,
        progress,
        data.ties,
        columns,
        requested_workers(asked),
    )
    final, chosen, search, said = _fit_all_rows(pipeline, data, grid, judge, asked.seed)
    data.notes += count_warnings(validation.warned, len(validation.folds), "In cross-validation")
    data.notes += count_warnings(said, 1, "The final model")
    if asked.answers.compare_missing and asked.options.missing == "refuse":
        data.notes.append("No value is missing: there are no ways to compare.")
    units = "of z-scores" if asked.scale == "standard" else "in the units of the table"
    labels, counts = np.unique(data.y, return_counts=True)
    return FitResult(
        request=asked,
        plan=data.plan,
        notes=data.notes,
        model=models.display_name(asked.model, model),
        judge=judge,
        class_counts={str(a): int(n) for a, n in zip(labels, counts, strict=True)},
        baseline=judge.constant_baseline(data.y[validation.tested > 0]),
        validation=validation,
        pipeline=final,
        summary=summarise_model_fit(
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
        rejection=rejection_threshold(validation, data.y, asked.answers.reject),
        missing_ways=_compare_missing_treatments(asked, how, judge, grid, validation),
        cases=misclassified_rows(final, data.plan, data.X, data.y, data.rows, validation),
        data_hash=file_hash(asked.data),
    )


def _compare_missing_treatments(
    asked: FitRequest, how: Folds, judge: ClassScoring, grid: Any, validation: Validation
) -> list[MissingTreatment]:
    """Score the other treatments of missing values on the same folds, if requested."""
    # With "refuse" there are no missing values at this point.
    if not asked.answers.compare_missing or asked.options.missing == "refuse":
        return []

    def validate_with(way: str) -> Validation:
        other = replace(asked, options=replace(asked.options, missing=way))
        model = models.create_model(asked.model, request.parse_model_settings(asked.settings), asked.seed)
        set_class_weights(model, judge)
        data = prepare_classes(other, how, read_requested_table(other))
        relax_tolerance(model, request.parse_model_settings(asked.settings), len(data.y))
        pipeline = build_pipeline(other, data.plan, model, [])
        return cross_validate_classifier(
            pipeline, data.X, data.y, how, judge, grid, asked.seed, ties=data.ties
        )

    masks = models.normalised_name(asked.model) in {
        models.normalised_name(name) for name in models.models_with_masking()
    }
    return missing_treatments.compare_treatments(validation, asked.options.missing, validate_with, masks)


def requested_workers(asked: FitRequest) -> Workers:
    return Workers(asked.workers, asked.backend, asked.scheduler)


def scoring_of_classes(asked: FitRequest, y: Array) -> ClassScoring:
    """Return the scoring of the classes; the rarer of two is positive by default, the last one if equal."""
    labels, counts = np.unique(y, return_counts=True)
    classes = [str(label) for label in labels]
    positive = asked.positive or min(reversed(classes), key=lambda label: counts[classes.index(label)])
    if positive not in classes:
        raise ValueError(
            f"--positive {positive!r} is not a class of the target. The classes: {', '.join(classes)}."
        )
    prices = request.parse_costs(asked.answers.costs, classes)
    return ClassScoring(classes, positive, prices, asked.answers.calibrate)


def _fit_all_rows(
    pipeline: Any, data: PreparedData, grid: Any, judge: ClassScoring, seed: int
) -> tuple[Any, dict[str, Any], Any, Counter[str]]:
    """Fit the model to all rows; with a grid, return the choice and the scores of the search."""
    X, y, said = data.X, data.y, Counter[str]()
    with record_warnings(said):
        if not grid:
            return add_decision_rule(pipeline.fit(X, y), X, y, judge, seed, data.ties), {}, {}, said
        search = search_classifier(pipeline, X, y, grid, seed, data.ties)
        final = add_decision_rule(search.best_estimator_, X, y, judge, seed, data.ties)
    results = search.cv_results_
    tried = [{name.removeprefix("model__"): v for name, v in p.items()} for p in results["params"]]
    curve = {"tried": tried, "mean": results["mean_test_score"], "sd": results["std_test_score"]}
    chosen = {name.removeprefix("model__"): v for name, v in search.best_params_.items()}
    return final, chosen, curve, said


def count_warnings(said: Counter[str], fits: int, where: str) -> list[str]:
    """List each warning once, with the number of fits that raised it."""
    times = f" ({{}} of {format_count(fits, 'fold')})" if fits > 1 else ""
    return [f"{where}{times.format(n)}: {text}" for text, n in said.most_common(5)]
