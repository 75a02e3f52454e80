"""Regression: from the table to the fitted model, without output."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.utils import get_tags

from markone.data.reading.cell_table import CellTable
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.tables import fitting, models, prepared_data, request, row_splits
from markone.tables.answers.drift import TrainingRange, training_range
from markone.tables.findings.evidence import Evidence
from markone.tables.findings.finding import TableFinding
from markone.tables.findings.run_checks import run_all_checks
from markone.tables.model_summary import SortedInputs
from markone.tables.plan import build_plan, encoding
from markone.tables.plan.column_plan import ColumnPlan
from markone.tables.plan.target import drop_unlabelled
from markone.tables.plan.task import REGRESSION, target_numbers
from markone.tables.regression import findings, scores
from markone.tables.regression.scaled_target import ScaledTarget
from markone.tables.regression.validation import (
    PARAMETER_PREFIX,
    NumberValidation,
    cross_validate_regressor,
    search_regressor,
)
from markone.tables.request import FitRequest, Folds
from markone.tables.running.run import Progress
from markone.tables.source import file_hash
from markone.tables.validation import record_warnings


@dataclass
class RegressionResult:
    """Results of `fit` for a numeric target.

    Parameters
    ----------
    request : FitRequest
        The request.
    plan : ColumnPlan
        How each column is used.
    notes : list of str
        What was done to the data.
    findings : list of TableFinding
        Problems found in the data and in the residuals.
    model : str
        Name of the model.
    validation : NumberValidation
        Scores of the folds.
    pipeline : sklearn.pipeline.Pipeline
        Scaling and model, fitted to all rows.
    weights : SortedInputs or None
        Weights of a linear model, the largest first.
    sentences : list of str
        Summary of the model.
    y : array (P,)
        The target.
    rows : list of int
        The rows of the file that were used.
    chosen : dict
        Parameters chosen by the grid search.
    search : dict
        Scores of the search.
    width : float
        Half the width of the prediction interval from residuals.
    training : TrainingRange or None
        Distribution of the training rows.
    seconds : float
        Time of the fit.
    data_hash : str, default=""
        SHA-256 of the file.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from sklearn.datasets import load_diabetes
    >>> from markone.tables import ColumnOptions, FitRequest, fit
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "diabetes.csv")
    ...     load_diabetes(as_frame=True).frame.to_csv(path, index=False)
    ...     fitted = fit(FitRequest(str(path), options=ColumnOptions("target"), cv="1x5"))
    >>> fitted.model, bool(fitted.validation.estimates["r2"].mean > 0.4)
    ('ridge', True)
    """

    request: FitRequest
    plan: ColumnPlan
    notes: list[str]
    findings: list[TableFinding]
    model: str
    validation: NumberValidation
    pipeline: Any
    weights: SortedInputs | None
    sentences: list[str]
    y: Array
    rows: list[int]
    chosen: dict[str, Any]
    search: dict[str, Any]
    width: float
    training: TrainingRange | None
    seconds: float
    data_hash: str = ""

    @property
    def doubts(self) -> list[str]:
        """Findings that question the score."""
        return [str(found) for found in self.findings if found.doubts_score]

    @property
    def remarks(self) -> list[str]:
        return [str(found) for found in self.findings if not found.doubts_score]

    @property
    def regressor(self) -> Any:
        return self.pipeline["model"].regressor_


def fit_regressor(
    asked: FitRequest,
    table: CellTable,
    progress: Progress = lambda done, total: None,
    show_findings: Callable[[list[TableFinding]], None] = lambda found: None,
) -> RegressionResult:
    """Cross-validate the regressor and fit it to all rows."""
    began = time.perf_counter()
    asked = replace(asked, model=asked.model or models.DEFAULT[REGRESSION])
    how, grid = request.parse_folds(asked.cv), request.parse_grid(asked.grid)
    how = Folds(1, how.folds) if asked.options.time else how
    model = models.create_model(
        asked.model, request.parse_model_settings(asked.settings), asked.seed, REGRESSION
    )
    name = models.display_name(asked.model, model, REGRESSION)
    models.check_model_parameters(grid, model.get_params(deep=False), name)
    data = prepare_numbers(asked, how, table)
    show_findings(data.findings)
    pipeline = build_regression_pipeline(asked, data, model, name)
    workers = fitting.requested_workers(asked)
    columns = (
        data.plan.inputs_by_column if len(data.plan.inputs_by_column) <= fitting.MAX_PERMUTED_COLUMNS else {}
    )
    validation = cross_validate_regressor(
        pipeline, data.X, data.y, how, grid, asked.seed, progress, workers, data.ties, columns
    )
    final, chosen, search, said = _fit_regressor_to_all_rows(pipeline, data, grid, asked.seed)
    data.notes += fitting.count_warnings(validation.warned, len(validation.folds), "In cross-validation")
    data.notes += fitting.count_warnings(said, 1, "The final model")
    width = float(scores.conformal_widths(np.abs(validation.residuals), np.array([scores.INTERVAL_LEVEL]))[0])
    weights, sentences = describe_linear_weights(final, data.plan.feature_names, asked.scale)
    return RegressionResult(
        request=asked,
        plan=data.plan,
        notes=data.notes,
        findings=[*data.findings, *findings.residual_findings(data.y, validation, data.rows)],
        model=name,
        validation=validation,
        pipeline=final,
        weights=weights,
        sentences=sentences,
        y=data.y,
        rows=data.rows,
        chosen=chosen,
        search=search,
        width=width,
        training=data.training,
        data_hash=file_hash(asked.data),
        seconds=time.perf_counter() - began,
    )


def prepare_numbers(asked: FitRequest, how: Folds, table: CellTable) -> prepared_data.PreparedData:
    plan, kept, notes = build_plan.make_plan(table, asked.options, REGRESSION, asked.task)
    X, y = encoding.encode_inputs(kept, plan), target_numbers(kept, plan.target)
    table = drop_unlabelled(table, plan.target, plan.missing, [])
    every = target_numbers(table, plan.target)
    seen = Evidence(table, plan, every, X, y, kept.rows, how, of_numbers=True)
    ties, training = row_splits.find_row_ties(kept, asked.options, seen), training_range(kept, plan)
    found = [*findings.number_findings(X, y, plan.feature_names), *run_all_checks(seen)]
    return prepared_data.PreparedData(plan, X, y, kept.rows.tolist(), notes, ties, found, training)


def build_regression_pipeline(
    asked: FitRequest, data: prepared_data.PreparedData, model: Any, name: str
) -> Any:
    if data.plan.missing == "mask" and not get_tags(model).input_tags.allow_nan:
        raise BadTable(
            f"{name} cannot skip missing values, so --missing mask does not apply. Use --missing median, "
            "mean or drop, or --model gradient-boosting."
        )
    return prepared_data.build_pipeline(asked, data.plan, ScaledTarget(model), data.notes)


def _fit_regressor_to_all_rows(
    pipeline: Any, data: prepared_data.PreparedData, grid: Any, seed: int
) -> tuple[Any, dict[str, Any], dict[str, Any], Counter[str]]:
    """Fit the model to all rows; with a grid, return the choice and the scores of the search."""
    X, y, said = data.X, data.y, Counter[str]()
    with record_warnings(said):
        if not grid:
            return pipeline.fit(X, y), {}, {}, said
        search = search_regressor(pipeline, X, y, grid, seed, data.ties.groups)
    results = search.cv_results_
    tried = [{n.removeprefix(PARAMETER_PREFIX): v for n, v in p.items()} for p in results["params"]]
    curve = {"tried": tried, "mean": -results["mean_test_score"], "sd": results["std_test_score"]}
    chosen = {n.removeprefix(PARAMETER_PREFIX): v for n, v in search.best_params_.items()}
    return search.best_estimator_, chosen, curve, said


def describe_linear_weights(
    pipeline: Any, names: list[str], scale: str
) -> tuple[SortedInputs | None, list[str]]:
    """Weights in units of the target, with their standard errors, and sentences."""
    scaled = pipeline["model"]
    model, sentences = scaled.regressor_, []
    if np.shape(getattr(model, "coef_", 0.0)) not in ((len(names),), (1, len(names))):
        return None, []
    weights = np.reshape(model.coef_, (1, -1)) * scaled.deviation_
    what = "one standard deviation" if scale == "standard" else "one unit"
    what += " (0/1: one step)" if len(names) > pipeline["scaling"].n_numbers else ""
    lines = ["change of the target"]
    covariance = getattr(model, "covariance_", None)
    if covariance is not None:
        errors = np.sqrt(np.diag(covariance))[: len(names)] * scaled.deviation_
        weights, lines = np.vstack([weights, errors]), [*lines, "standard error"]
        sigma = float(model.sigma_) * scaled.deviation_
        sentences.append(f"Noise of one row: {sigma:.4g} (standard deviation, sigma of (2.11)).")
    order = np.argsort(-np.abs(weights[0]), kind="stable")
    title = f"Change of the target for {what} of each input"
    return SortedInputs(title, [names[k] for k in order], weights[:, order], lines), sentences
