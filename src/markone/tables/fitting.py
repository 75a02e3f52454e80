"""From the table to the fitted model, for classes and numbers, without output."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from markone.errors import BadTable
from markone.numerics.text import format_count
from markone.tables import models, request
from markone.tables.answers.decision import add_decision_rule, balance_classes, set_class_weights
from markone.tables.findings.evidence import TableFinding
from markone.tables.findings.number_checks import residual_findings
from markone.tables.fit_result import ApartScore, FitResult, RegressionResult
from markone.tables.inspect.misclassified_rows import misclassified_rows
from markone.tables.inspect.model_summary import summarise_classifier, summarise_regressor
from markone.tables.inspect.validation_diagnostics import (
    MissingTreatment,
    compare_treatments,
    prediction_sets,
    rejection_threshold,
)
from markone.tables.prepared_data import PreparedData, build_pipeline, prepare_data, read_requested_table
from markone.tables.request import FitRequest, Folds
from markone.tables.running.run import Progress, Workers
from markone.tables.scoring import INTERVAL_LEVEL, ClassScoring, NumberScoring, Scoring, conformal_widths
from markone.tables.source import file_hash
from markone.tables.validation import (
    Grid,
    Validation,
    cross_validate,
    record_warnings,
    search_parameters,
    without_prefix,
)

# Largest number of columns whose permutation importance is computed; more would take longer than the fits.
MAX_PERMUTED_COLUMNS = 300


def fit_model(
    asked: FitRequest,
    data: PreparedData,
    task: str,
    progress: Progress = lambda done, total: None,
    findings: Callable[[list[TableFinding]], None] = lambda found: None,
) -> FitResult | RegressionResult:
    """Cross-validate the model on the table and fit it to all rows."""
    began = time.perf_counter()
    asked = replace(asked, options=data.options)
    how, grid = data.how, request.parse_grid(asked.grid)
    model, scoring = create_requested_model(asked, task), requested_scoring(asked, data, task)
    pipeline = weighted_pipeline(asked, data, scoring, model, data.notes)
    findings(data.findings)
    validation = _validate(pipeline, data, how, scoring, grid, asked, progress)
    final, chosen, search, said = _fit_all_rows(pipeline, data, grid, scoring, asked.seed)
    data.notes += _count_warnings(validation.warned, len(validation.folds), "In cross-validation")
    data.notes += _count_warnings(said, 1, "The final model")
    shared: dict[str, Any] = {
        "request": asked,
        "plan": data.plan,
        "notes": data.notes,
        "model": models.display_name(asked.model, model, task),
        "validation": validation,
        "pipeline": final,
        "y": data.y,
        "rows": data.rows,
        "chosen": chosen,
        "search": search,
        "training": data.training,
        "data_hash": file_hash(asked.data),
        "apart": _score_units_apart(pipeline, data, scoring, asked.seed),
    }
    if isinstance(scoring, ClassScoring):
        found: FitResult | RegressionResult = _class_result(shared, data, scoring, how, grid)
    else:
        found = _number_result(shared, data)
    found.seconds = time.perf_counter() - began
    return found


def create_requested_model(asked: FitRequest, task: str) -> Any:
    """The requested estimator; raise for an unknown name, parameter or grid."""
    model = models.create_model(asked.model, request.parse_model_settings(asked.settings), asked.seed, task)
    name = models.friendly_name(type(model).__name__)
    models.check_model_parameters(request.parse_grid(asked.grid), model.get_params(deep=False), name)
    return model


def _validate(
    pipeline: Any,
    data: PreparedData,
    how: Folds,
    scoring: Scoring,
    grid: Grid,
    asked: FitRequest,
    progress: Progress,
) -> Validation:
    """Cross-validate; permutation importances are left out for very wide tables."""
    places, workers = data.plan.inputs_by_column, requested_workers(asked)
    columns = places if len(places) <= MAX_PERMUTED_COLUMNS else {}
    return cross_validate(
        pipeline, data.X, data.y, how, scoring, grid, asked.seed, progress, data.ties, columns, workers
    )


def _score_units_apart(pipeline: Any, data: PreparedData, scoring: Scoring, seed: int) -> ApartScore | None:
    """Score of folds that do not keep the rows of the units found together."""
    if not data.together:
        return None
    try:
        found = cross_validate(
            pipeline, data.X, data.y, replace(data.how, repeats=1), scoring, {}, seed, ties=data.loose
        )
    except BadTable:
        return None
    return ApartScore(data.together, found.estimates["accuracy" if data.y.dtype.kind != "f" else "rmse"].mean)


def requested_scoring(asked: FitRequest, data: PreparedData, task: str) -> Scoring:
    """Scoring of the target; of two classes the rarer is positive by default, the last one if equal."""
    if task == models.REGRESSION:
        return NumberScoring()
    labels, counts = np.unique(data.y, return_counts=True)
    classes = [str(label) for label in labels]
    positive = asked.positive or min(reversed(classes), key=lambda label: counts[classes.index(label)])
    if positive not in classes:
        raise ValueError(
            f"--positive {positive!r} is not a class of the target. The classes: {', '.join(classes)}."
        )
    prices = request.parse_costs(asked.answers.costs, classes)
    return ClassScoring(classes, positive, prices, asked.answers.calibrate)


def requested_workers(asked: FitRequest) -> Workers:
    return Workers(asked.workers, asked.backend, asked.scheduler)


def weighted_pipeline(
    asked: FitRequest, data: PreparedData, scoring: Scoring, model: Any, notes: list[str]
) -> Any:
    """Pipeline with class weights by cost or frequency, and a solver tolerance for long tables."""
    settings = request.parse_model_settings(asked.settings)
    if scoring.prices is not None:
        notes += set_class_weights(model, scoring)
    elif isinstance(scoring, ClassScoring) and not asked.options.strict:
        notes += balance_classes(model, data.y, settings)
    notes += models.relax_tolerance(model, settings, len(data.y))
    name = models.display_name(asked.model, model, scoring.task)
    return build_pipeline(asked, data.plan, model, name, notes, scoring.task)


def _class_result(
    shared: dict[str, Any], data: PreparedData, scoring: ClassScoring, how: Folds, grid: Grid
) -> FitResult:
    asked, validation, final = shared["request"], shared["validation"], shared["pipeline"]
    if asked.answers.compare_missing and not _has_gaps(data):
        data.notes.append("No value is missing: there are no ways to compare.")
    units = "of z-scores" if asked.scale == "standard" else "in the units of the table"
    labels, counts = np.unique(data.y, return_counts=True)
    names = final["scaling"].output_names(data.plan.feature_names)
    folds = [fold.look.inputs for fold in validation.folds]
    return FitResult(
        **shared,
        judge=scoring,
        class_counts={str(a): int(n) for a, n in zip(labels, counts, strict=True)},
        baseline=scoring.constant_baseline(data.y[validation.tested > 0]),
        summary=summarise_classifier(final, names, data.rows, units, folds),
        findings=data.findings,
        ties=data.ties,
        rejection=rejection_threshold(validation, data.y, asked.answers.reject),
        sets=prediction_sets(scoring, validation, data.y, asked.answers.sets, asked.answers.sets_per_class),
        missing_ways=_compare_missing(asked, data, scoring, grid, validation),
        cases=misclassified_rows(final, data.plan, data.X, data.y, data.rows, validation),
    )


def _number_result(shared: dict[str, Any], data: PreparedData) -> RegressionResult:
    asked, validation = shared["request"], shared["validation"]
    names = shared["pipeline"]["scaling"].output_names(data.plan.feature_names)
    width = float(conformal_widths(np.abs(validation.residuals), np.array([INTERVAL_LEVEL]))[0])
    return RegressionResult(
        **shared,
        summary=summarise_regressor(shared["pipeline"], names, asked.scale),
        findings=[*data.findings, *residual_findings(data.y, validation, data.rows)],
        width=width,
    )


def _compare_missing(
    asked: FitRequest, chosen: PreparedData, scoring: ClassScoring, grid: Grid, validation: Validation
) -> list[MissingTreatment]:
    """Score the other treatments of missing values on the same folds, if requested."""
    if not asked.answers.compare_missing or not _has_gaps(chosen):
        return []

    def validate_with(way: str) -> Validation:
        other = replace(asked, options=replace(asked.options, missing=way))
        model = models.create_model(asked.model, request.parse_model_settings(asked.settings), asked.seed)
        data = prepare_data(other, read_requested_table(other), scoring.task)
        pipeline = weighted_pipeline(other, data, scoring, model, [])
        return cross_validate(pipeline, data.X, data.y, chosen.how, scoring, grid, asked.seed, ties=data.ties)

    masks = models.normalised_name(asked.model) in map(models.normalised_name, models.models_with_masking())
    return compare_treatments(validation, chosen.plan.missing, validate_with, masks)


def _has_gaps(data: PreparedData) -> bool:
    return data.training is not None and any(data.training.missing.values())


def _fit_all_rows(
    pipeline: Any, data: PreparedData, grid: Grid, scoring: Scoring, seed: int
) -> tuple[Any, dict[str, Any], dict[str, Any], Counter[str]]:
    """Fit the model to all rows; with a grid, return the choice and the scores of the search."""
    X, y, said = data.X, data.y, Counter[str]()
    with record_warnings(said):
        if not grid:
            return add_decision_rule(pipeline.fit(X, y), X, y, scoring, seed, data.ties), {}, {}, said
        search = search_parameters(pipeline, X, y, grid, seed, data.ties, scoring)
        final = add_decision_rule(search.best_estimator_, X, y, scoring, seed, data.ties)
    results = search.cv_results_
    # The score of numbers is the negative error.
    mean = results["mean_test_score"] * (1 if isinstance(scoring, ClassScoring) else -1)
    tried = [without_prefix(p, scoring) for p in results["params"]]
    curve = {"tried": tried, "mean": mean, "sd": results["std_test_score"]}
    return final, without_prefix(search.best_params_, scoring), curve, said


def _count_warnings(said: Counter[str], fits: int, where: str) -> list[str]:
    """List each warning once, with the number of fits that raised it."""
    times = f" ({{}} of {format_count(fits, 'fold')})" if fits > 1 else ""
    return [f"{where}{times.format(n)}: {text}" for text, n in said.most_common(5)]
