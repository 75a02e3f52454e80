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
from markone.tables.answers.decision import balance_classes, label_shares, set_class_weights
from markone.tables.findings.evidence import TableFinding
from markone.tables.findings.target_checks import find_heteroscedasticity, find_infinite_coefficients
from markone.tables.fit_result import ApartScore, FitResult, RegressionResult
from markone.tables.inspect.learning_curve import LearningCurve, measure_curve
from markone.tables.inspect.model_summary import summarise_classifier, summarise_regressor
from markone.tables.inspect.row_changes import misclassified_rows
from markone.tables.inspect.validation_diagnostics import (
    calibrate_validated,
    calibrated_shares,
    logistic_shares,
    prediction_sets,
    rejection_threshold,
    score_probabilities,
)
from markone.tables.prepared_data import PreparedData, build_pipeline
from markone.tables.request import FitRequest
from markone.tables.running import Progress, Workers
from markone.tables.scoring import INTERVAL_LEVEL, ClassScoring, NumberScoring, Scoring, conformal_widths
from markone.tables.source import file_hash
from markone.tables.validation import Grid, Validation, cross_validate, fit_with_search, record_warnings

# Largest number of columns whose permutation importance is computed.
MAX_PERMUTED_COLUMNS = 300
# The learning curve takes about as long as one more repeat: up to so many cells it is measured unasked.
MOST_CHEAP_CELLS, LEAST_REPEATS = 20_000, 5


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
    grid = request.parse_grid(asked.grid)
    model, scoring = create_requested_model(asked, task), requested_scoring(asked, data, task)
    pipeline = weighted_pipeline(asked, data, scoring, model, data.notes)
    if asked.model == "logistic":
        data.findings += find_infinite_coefficients(data.X, data.y, data.plan.feature_names)
    findings(data.findings)
    validation = _validate(pipeline, data, scoring, grid, asked, progress)
    with record_warnings(said := Counter[str]()):
        fitted = fit_with_search(pipeline, data.X, data.y, grid, asked.seed, data.ties, scoring)
    data.notes += _warning_notes(validation, said)
    shared: dict[str, Any] = {
        "request": asked,
        "plan": data.plan,
        "notes": data.notes,
        "model": models.display_name(asked.model, model, task),
        "validation": validation,
        "y": data.y,
        "rows": data.rows,
        **dict(zip(("pipeline", "chosen", "search"), fitted, strict=True)),
        "training": data.training,
        "data_hash": file_hash(asked.data),
        "apart": _score_units_apart(pipeline, data, scoring, asked.seed),
        "more": _forecast_rows(pipeline, data, scoring, grid, asked, validation),
    }
    if isinstance(scoring, ClassScoring):
        found: FitResult | RegressionResult = _class_result(shared, data, scoring)
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
    pipeline: Any, data: PreparedData, scoring: Scoring, grid: Grid, asked: FitRequest, progress: Progress
) -> Validation:
    """Cross-validate; permutation importances of very wide tables would take longer than the fits."""
    how, places, workers = data.how, data.plan.inputs_by_column, requested_workers(asked)
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


def _forecast_rows(
    pipeline: Any, data: PreparedData, scoring: Scoring, grid: Grid, asked: FitRequest, validation: Validation
) -> LearningCurve | None:
    """The learning curve, if requested, or where it is cheap beside the folds."""
    cheap = data.X.size <= MOST_CHEAP_CELLS and data.how.repeats >= LEAST_REPEATS and not grid
    if not asked.more and not cheap:
        return None
    workers = requested_workers(asked)
    try:
        return measure_curve(
            pipeline, data.X, data.y, validation, scoring, grid, asked.seed, data.ties, workers
        )
    except BadTable:
        if asked.more:
            raise
        return None


def requested_scoring(asked: FitRequest, data: PreparedData, task: str) -> Scoring:
    """Scoring of the target; of two classes the rarer is positive by default, the last one if equal."""
    if task == models.REGRESSION:
        return NumberScoring()
    labels, counts = np.unique(data.y, return_counts=True)
    classes = [str(label) for label in labels]
    if asked.positive and asked.positive not in classes:
        raise ValueError(
            f"--positive {asked.positive!r} is not a class of the target. The classes: {', '.join(classes)}."
        )
    prices = request.parse_costs(asked.answers.costs, classes)
    return ClassScoring.of_counts(dict(zip(classes, counts, strict=True)), asked.positive, prices=prices)


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


def _class_result(shared: dict[str, Any], data: PreparedData, scoring: ClassScoring) -> FitResult:
    asked, validation, final = shared["request"], shared["validation"], shared["pipeline"]
    labels, counts = np.unique(data.y, return_counts=True)
    names = final["scaling"].output_names(data.plan.feature_names)
    folds = [fold.inputs for fold in validation.folds]
    calibration = calibrate_validated(scoring, validation, data.y)
    share_of = label_shares(final, calibration, scoring.classes)
    ours = calibrated_shares(scoring, validation, data.y)
    logistic = logistic_shares(scoring, data.X, data.y, validation, data.ties, asked.seed, final["scaling"])
    return FitResult(
        **shared,
        judge=scoring,
        calibration=calibration,
        probabilities=score_probabilities(scoring, ours, logistic),
        class_counts={str(a): int(n) for a, n in zip(labels, counts, strict=True)},
        baseline=scoring.constant_baseline(data.y[validation.tested > 0]),
        summary=summarise_classifier(final, names, data.rows, asked.scale, folds),
        findings=data.findings,
        ties=data.ties,
        rejection=rejection_threshold(validation, data.y, asked.answers.reject),
        sets=prediction_sets(scoring, validation, data.y, asked.answers.sets, asked.answers.sets_per_class),
        cases=misclassified_rows(final.predict, share_of, data, validation),
    )


def _number_result(shared: dict[str, Any], data: PreparedData) -> RegressionResult:
    asked, validation = shared["request"], shared["validation"]
    names = shared["pipeline"]["scaling"].output_names(data.plan.feature_names)
    width = float(conformal_widths(np.abs(validation.residuals), np.array([INTERVAL_LEVEL]))[0])
    return RegressionResult(
        **shared,
        summary=summarise_regressor(shared["pipeline"], names, asked.scale),
        findings=[*data.findings, *find_heteroscedasticity(data.y, validation)],
        width=width,
    )


def _warning_notes(validation: Validation, said: Counter[str]) -> list[str]:
    """List each warning of the folds and of the final fit once, with the number of folds that raised it."""
    total = format_count(len(validation.folds), "fold")
    folds = [f"In cross-validation ({n} of {total}): {text}" for text, n in validation.warned.most_common(5)]
    return folds + [f"The final model: {text}" for text, _ in said.most_common(5)]
