"""`markone fit FOLDER`: findings, scores and the student of all rows of a folder of Parquet files."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.pipeline import Pipeline

from markone.numerics.arrays import Array
from markone.tables import models
from markone.tables.answers.drift import QUANTILES
from markone.tables.findings.finding import TableFinding
from markone.tables.model_summary import ModelSummary, summarise
from markone.tables.partitions.describing import PartitionSummary, describe_partitions
from markone.tables.partitions.fitting import fit_partitions
from markone.tables.partitions.sources import ChangedPartitions, as_partitions
from markone.tables.partitions.summing import Summing
from markone.tables.partitions.validation import PartitionScores, validate_partitions
from markone.tables.plan.task import are_quantities
from markone.tables.regression.fitting import described
from markone.tables.regression.scaled_target import ScaledTarget
from markone.tables.request import FitRequest, settings
from markone.tables.request import folds as read_folds
from markone.tables.running.run import Progress
from markone.tables.scaling import Scaling

FOLDS = 5
SAMPLE_ROWS = 100_000


@dataclass
class FolderResult:
    """Scores of the folds, what the columns are like, and the student of all rows if it was wanted."""

    request: FitRequest
    model: str
    task: str
    scores: PartitionScores
    known: PartitionSummary
    pipeline: Any
    summary: ModelSummary | None
    percentiles: Array  # (101, columns), of a sample; with the student of all rows
    seconds: float


@dataclass
class TextLabels(ChangedPartitions):
    """Classes by their names, as in tables that are read at once."""

    def _change(self, k: int, X: Array, y: Array) -> tuple[Array, Array]:
        return X, y.astype(str)


def fit_folder(
    request: FitRequest,
    client: Any = None,
    whole: bool = False,
    progress: Progress = lambda done, total: None,
    tell: Callable[[list[TableFinding]], None] = lambda found: None,
) -> FolderResult:
    """Score on folds, each fitted by sums over the files; `whole`: fit to all rows, too."""
    began = time.perf_counter()
    data: Any = as_partitions(request.data, request.options.target)
    task = task_of(request, data)
    name = request.model or models.DEFAULT[task]
    model = models.make(name, settings(request.settings), request.seed, task)
    classified = is_classifier(model)
    data = TextLabels(data) if classified else data
    how: dict[str, Any] = {"client": client, "threads": request.workers or 1}
    known = describe_partitions(data, classes=classified, **how)
    tell(known.findings)
    scaled: dict[str, Any] = {"scale": request.scale == "standard", "missing": request.options.missing}
    found = validate_partitions(
        model, data, folds=folds(request.cv), seed=request.seed, progress=progress, **scaled, **how
    )
    pipeline, summary, percentiles = None, None, np.zeros(0)
    if whole:
        pipeline = in_pipeline(fit_partitions(model, data, **scaled, **how), data, how)
        summary = summary_of(pipeline, known.names, request.scale)
        percentiles = sampled_percentiles(data, known, how)
    return FolderResult(
        request, name, task, found, known, pipeline, summary, percentiles, time.perf_counter() - began
    )


def task_of(request: FitRequest, data: Any) -> str:
    """The first partition tells numbers from classes, if nobody said."""
    if request.task != "auto":
        return request.task
    y = data.load(0)[1]
    return models.REGRESSION if y.dtype.kind in "fiu" and are_quantities(y) else models.CLASSIFICATION


def folds(cv: str) -> int:
    how = read_folds(cv)
    return FOLDS if cv == "5x10" or how.leave_one_out else how.folds


def in_pipeline(fitted: Any, data: Any, how: dict[str, Any]) -> Pipeline:
    """Scaling and student as `markone fit` keeps them: there is always a scaling, and numbers have a mean."""
    N = len(data.names)
    if not isinstance(fitted, Pipeline):
        scaling = Scaling(N, "none")
        scaling.mean_, scaling.deviation_, scaling.fill_ = np.zeros(N), np.ones(N), np.zeros(N)
        scaling.n_features_in_ = N
        fitted = Pipeline([("scaling", scaling), ("model", fitted)])
    if is_classifier(fitted["model"]):
        return fitted
    sums = Summing(data, **how)
    total, rows = sums.total(target_sum)
    sums.close()
    unit = fitted["model"]
    target = ScaledTarget(clone(unit))
    target.mean_, target.deviation_, target.n_features_in_ = float(total / rows), 1.0, N
    unit.intercept_ = unit.intercept_ - target.mean_
    target.regressor_ = unit
    return Pipeline([("scaling", fitted["scaling"]), ("model", target)])


def sampled_percentiles(data: Any, known: PartitionSummary, how: dict[str, Any]) -> Array:
    """Of some rows of each partition, with the least and the largest of all: what `predict` compares with."""
    sums = Summing(data, **how)
    rows = np.concatenate(list(sums.each(every, -(-known.rows // SAMPLE_ROWS))))
    sums.close()
    with warnings.catch_warnings():
        # A column without any value has no percentiles.
        warnings.filterwarnings("ignore", "All-NaN slice")
        found = np.nanquantile(rows, QUANTILES, axis=0, method="nearest")
    found[0], found[-1] = known.quantiles[0], known.quantiles[-1]
    return np.asarray(found)


def every(X: Array, y: Array, step: int) -> Array:
    return X[::step]


def target_sum(X: Array, y: Array) -> tuple[float, int]:
    return float(y.sum()), len(y)


def summary_of(pipeline: Pipeline, names: list[str], scale: str) -> ModelSummary:
    if is_classifier(pipeline["model"]):
        units = "of z-scores" if scale == "standard" else "in the units of the table"
        return summarise(pipeline, names, [], units)
    weights, sentences = described(pipeline, names, scale)
    return ModelSummary(sentences, bars=weights)
