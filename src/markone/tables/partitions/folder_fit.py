"""`markone fit FOLDER`: findings, scores and the final model of a folder of Parquet files."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.pipeline import Pipeline

from markone.numerics.arrays import Array
from markone.tables import models
from markone.tables.answers.drift import QUANTILES
from markone.tables.findings.evidence import TableFinding
from markone.tables.inspect.model_summary import ModelSummary, summarise_classifier, summarise_regressor
from markone.tables.partitions.fitting import fit_partitions
from markone.tables.partitions.partition_summary import PartitionSummary, describe_partitions
from markone.tables.partitions.partition_sums import PartitionSums
from markone.tables.partitions.sources import ChangedPartitions, as_partitions
from markone.tables.partitions.validation import PartitionScores, validate_partitions
from markone.tables.plan.target import are_quantities
from markone.tables.request import FitRequest, parse_model_settings
from markone.tables.request import parse_folds as read_folds
from markone.tables.running.run import Progress
from markone.tables.scaling import ScaledTarget, Scaling

FOLDS = 5
SAMPLE_ROWS = 100_000


@dataclass
class FolderResult:
    """Scores of the folds, summary of the columns, and the model fitted to all rows if requested."""

    request: FitRequest
    model: str
    task: str
    scores: PartitionScores
    known: PartitionSummary
    pipeline: Any
    summary: ModelSummary | None
    percentiles: Array  # (101, columns), of a sample; only with a final model
    seconds: float


@dataclass
class TextLabels(ChangedPartitions):
    """Class labels as text, as in tables in memory."""

    def _change_partition(self, k: int, X: Array, y: Array) -> tuple[Array, Array]:
        return X, y.astype(str)


def fit_folder(
    request: FitRequest,
    client: Any = None,
    whole: bool = False,
    progress: Progress = lambda done, total: None,
    show_findings: Callable[[list[TableFinding]], None] = lambda found: None,
) -> FolderResult:
    """Cross-validate by sums over the files; `whole`: fit to all rows as well."""
    began = time.perf_counter()
    data: Any = as_partitions(request.data, request.options.target)
    task = _folder_task(request, data)
    name = request.model or models.DEFAULT[task]
    model = models.create_model(name, parse_model_settings(request.settings), request.seed, task)
    classified = is_classifier(model)
    data = TextLabels(data) if classified else data
    how: dict[str, Any] = {"client": client, "threads": request.workers or 1}
    known = describe_partitions(data, classes=classified, **how)
    show_findings(known.findings)
    if request.options.missing == "auto":
        missing = "median" if known.missing.any() and not request.options.strict else "refuse"
        request = replace(request, options=replace(request.options, missing=missing))
    scaled: dict[str, Any] = {"scale": request.scale == "standard", "missing": request.options.missing}
    found = validate_partitions(
        model, data, folds=_folder_folds(request.cv), seed=request.seed, progress=progress, **scaled, **how
    )
    pipeline, summary, percentiles = None, None, np.zeros(0)
    if whole:
        pipeline = _build_saved_pipeline(fit_partitions(model, data, **scaled, **how), data, how)
        summary = _summarise_folder_model(pipeline, known.names, request.scale)
        percentiles = _sampled_percentiles(data, known, how)
    return FolderResult(
        request, name, task, found, known, pipeline, summary, percentiles, time.perf_counter() - began
    )


def _folder_task(request: FitRequest, data: Any) -> str:
    """Return the requested task, or decide by the target of the first partition."""
    if request.task != "auto":
        return request.task
    y = data.load(0)[1]
    return models.REGRESSION if y.dtype.kind in "fiu" and are_quantities(y) else models.CLASSIFICATION


def _folder_folds(cv: str) -> int:
    how = read_folds(cv)
    return FOLDS if cv == "5x10" or how.leave_one_out else how.folds


def _build_saved_pipeline(fitted: Any, data: Any, how: dict[str, Any]) -> Pipeline:
    """Build the pipeline that `markone fit` saves: with a scaling, and a scaled target for numbers."""
    N = len(data.names)
    if not isinstance(fitted, Pipeline):
        scaling = Scaling(N, "none")
        scaling.mean_, scaling.deviation_, scaling.fill_ = np.zeros(N), np.ones(N), np.zeros(N)
        scaling.n_features_in_ = N
        fitted = Pipeline([("scaling", scaling), ("model", fitted)])
    if is_classifier(fitted["model"]):
        return fitted
    sums = PartitionSums(data, **how)
    total, rows = sums.total(_sum_target)
    sums.close()
    unit = fitted["model"]
    target = ScaledTarget(clone(unit))
    target.mean_, target.deviation_, target.n_features_in_ = float(total / rows), 1.0, N
    unit.intercept_ = unit.intercept_ - target.mean_
    target.regressor_ = unit
    return Pipeline([("scaling", fitted["scaling"]), ("model", target)])


def _sampled_percentiles(data: Any, known: PartitionSummary, how: dict[str, Any]) -> Array:
    """Percentiles of a sample, with exact minimum and maximum; `predict` compares new rows with them."""
    sums = PartitionSums(data, **how)
    rows = np.concatenate(list(sums.map_partitions(_every_nth_row, -(-known.rows // SAMPLE_ROWS))))
    sums.close()
    with warnings.catch_warnings():
        # An empty column has no percentiles.
        warnings.filterwarnings("ignore", "All-NaN slice")
        found = np.nanquantile(rows, QUANTILES, axis=0, method="nearest")
    found[0], found[-1] = known.quantiles[0], known.quantiles[-1]
    return np.asarray(found)


def _every_nth_row(X: Array, y: Array, step: int) -> Array:
    return X[::step]


def _sum_target(X: Array, y: Array) -> tuple[float, int]:
    return float(y.sum()), len(y)


def _summarise_folder_model(pipeline: Pipeline, names: list[str], scale: str) -> ModelSummary:
    if is_classifier(pipeline["model"]):
        units = "of z-scores" if scale == "standard" else "in the units of the table"
        return summarise_classifier(pipeline, names, [], units)
    return summarise_regressor(pipeline, names, scale)
