"""`--model all` or a list of models, cross-validated on the same folds."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.tables import fitting, models, prepared_data, request, row_splits
from markone.tables.comparing.comparison_fits import ComparisonFits, FitFailure
from markone.tables.comparing.differences import PairDifference, indistinguishable_runs, model_differences
from markone.tables.findings.finding import TableFinding
from markone.tables.plan.row_ties import RowTies
from markone.tables.plan.task import REGRESSION
from markone.tables.regression import fitting as regression
from markone.tables.regression import scores as number_scores
from markone.tables.regression import validation as number_validation
from markone.tables.request import FitRequest, Folds
from markone.tables.row_intervals import widen_intervals
from markone.tables.running.run import Progress, run_problem
from markone.tables.scores import ClassScoring, Interval, resampled_intervals
from markone.tables.solver_tolerance import relax_tolerance
from markone.tables.validation import FoldFits, check_class_sizes, confusion_of_folds

ALL = "all"
# The measure by which models are compared.
MEASURE = {"classification": "balanced_accuracy", REGRESSION: "rmse"}


@dataclass(frozen=True)
class ComparedModel:
    """A model: scores of each fold and together, seconds per fit, and its warnings."""

    name: str
    values: Array
    estimates: dict[str, Interval]
    seconds: float
    said: list[str] = field(default_factory=list)


@dataclass
class ModelComparison:
    """Results of `fit` for several models, from best to worst.

    Parameters
    ----------
    request : FitRequest
        The request.
    task : {"classification", "regression"}
        Kind of target.
    measure : str
        The measure by which models are compared.
    notes : list of str
        What was done to the data.
    target : str
        The predicted column.
    rows, inputs : int
        Numbers of rows and inputs.
    how : Folds
        Repetitions and folds.
    trivial : float
        The measure of a constant prediction.
    entries : list of ComparedModel
        The models, the best first.
    pairs : list of PairDifference
        Their differences on the same folds.
    failed : dict of str to str
        Error messages of models that could not be fitted.
    seconds : float
        Time of all fits.
    findings : list of TableFinding
        Problems found in the data.

    Examples
    --------
    >>> from markone.tables import FitRequest, fit
    >>> compared = fit(FitRequest("iris", model="hebb,adaline", cv="2x5"))
    >>> sorted(entry.name for entry in compared.entries)
    ['adaline', 'hebb']
    """

    request: FitRequest
    task: str
    measure: str
    notes: list[str]
    target: str
    rows: int
    inputs: int
    how: Folds
    trivial: float
    entries: list[ComparedModel]
    pairs: list[PairDifference]
    failed: dict[str, str]
    seconds: float
    findings: list[TableFinding] = field(default_factory=list)

    @property
    def runs(self) -> list[tuple[int, int]]:
        return indistinguishable_runs([entry.name for entry in self.entries], self.pairs)

    def pair_difference(self, first: str, second: str) -> PairDifference:
        return next(p for p in self.pairs if {p.first, p.second} == {first, second})


def is_comparison(model: str) -> bool:
    return model == ALL or "," in model


def requested_models(model: str, task: str) -> list[str]:
    """Names of the requested models, each once."""
    if model == ALL:
        return models.model_names(task)
    return list(dict.fromkeys(name.strip() for name in model.split(",") if name.strip()))


def compare_models(
    asked: FitRequest,
    table: CellTable,
    task: str,
    progress: Progress = lambda done, total: None,
    findings: Callable[[list[TableFinding]], None] = lambda found: None,
) -> ModelComparison:
    """Cross-validate every model with its default settings on the same folds."""
    began = time.perf_counter()
    how = request.parse_folds(asked.cv)
    how = Folds(1, how.folds) if asked.options.time else how
    _check_comparison_options(asked, how)
    prepare = regression.prepare_numbers if task == REGRESSION else prepared_data.prepare_classes
    data = prepare(asked, how, table)
    findings(data.findings)
    pipelines, failed = _build_pipelines(asked, data, task)
    fits, judge = _build_comparison_fits(asked, data, how, list(pipelines.values()), task)
    done = run_problem(fits, fitting.requested_workers(asked), progress)
    entries = []
    for k, name in enumerate(pipelines):
        own = done[k :: len(pipelines)]
        errors = [d.result.sentence for d in own if isinstance(d.result, FitFailure)]
        if errors:
            failed[name] = f"{errors[0]} ({len(errors)} of {len(own)} folds)"
        else:
            entries.append(_summarise_model(name, own, data.y, judge, how.repeats))
    entries.sort(key=lambda e: e.estimates[MEASURE[task]].mean, reverse=task != REGRESSION)
    train, test = (np.array([len(split[side]) for split in fits.splits]) for side in (0, 1))
    return ModelComparison(
        request=asked,
        task=task,
        measure=MEASURE[task],
        notes=data.notes,
        target=data.plan.target,
        rows=len(data.y),
        inputs=len(data.plan.feature_names),
        how=how,
        trivial=_constant_prediction_score(data.y, judge, fits.splits),
        entries=entries,
        pairs=model_differences({e.name: e.values for e in entries}, train, test),
        failed=failed,
        findings=data.findings,
        seconds=time.perf_counter() - began,
    )


def _check_comparison_options(asked: FitRequest, how: Folds) -> None:
    if asked.settings or asked.grid:
        raise ValueError("--set and --grid are for one model: name it with --model, or leave them out.")
    if how.leave_one_out:
        raise ValueError("Leave-one-out has no spread over folds to compare models by: use --cv 5x10.")


def _build_pipelines(asked: FitRequest, data: Any, task: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Return a pipeline for each model, and an error message for those that cannot be used.

    Notes on the data are added once, with the first model.
    """
    found: dict[str, Any] = {}
    failed: dict[str, str] = {}
    for short in requested_models(asked.model, task):
        model, notes = models.create_model(short, {}, asked.seed, task), [] if found else data.notes
        name = models.display_name(short, model, task)
        data.notes += [f"{name}: {note}" for note in relax_tolerance(model, {}, len(data.y))]
        try:
            if task == REGRESSION:
                found[name] = regression.build_regression_pipeline(
                    asked, replace(data, notes=notes), model, name
                )
            else:
                found[name] = prepared_data.build_pipeline(
                    replace(asked, model=short), data.plan, model, notes
                )
        except BadTable as error:
            failed[name] = str(error)
    if not found:
        raise BadTable(next(iter(failed.values())))
    return found, failed


def _build_comparison_fits(
    asked: FitRequest, data: Any, how: Folds, pipelines: list[Any], task: str
) -> tuple[ComparisonFits, ClassScoring | None]:
    if task == REGRESSION:
        splits = number_validation.number_splits(len(data.y), how, asked.seed, data.ties)
        fits_of = partial(_number_fold_fits, asked.seed, data.ties.groups)
        return ComparisonFits(pipelines, data.X, data.y, splits, fits_of), None
    judge = fitting.scoring_of_classes(asked, data.y)
    check_class_sizes(data.y, how)
    splits = row_splits.make_splits(how, data.y, asked.seed, data.ties)
    fits_of = partial(_class_fold_fits, judge, asked.seed, data.ties)
    return ComparisonFits(pipelines, data.X, data.y, splits, fits_of), judge


def _class_fold_fits(
    judge: ClassScoring, seed: int, ties: RowTies, pipeline: Any, X: Array, y: Array, splits: Any
) -> FoldFits:
    return FoldFits(pipeline, X, y, splits, judge, {}, seed, ties)


def _number_fold_fits(seed: int, groups: Array | None, pipeline: Any, X: Array, y: Array, splits: Any) -> Any:
    return number_validation.RegressionFits(pipeline, X, y, splits, {}, seed, groups)


def _summarise_model(
    name: str, done: list[Any], y: Array, judge: ClassScoring | None, repeats: int
) -> ComparedModel:
    """Summarise the fits of one model; `judge` is None for a regression."""
    results, tests = [d.result for d in done], [len(d.result.test) for d in done]
    task = REGRESSION if judge is None else "classification"
    rows = np.array([r.train_size for r in results]) + tests
    if judge is None:
        measures = [
            number_scores.errors_with_gain(y[r.test], r.predicted, np.full(len(r.test), r.middle))
            for r in results
        ]
        estimates = number_scores.estimate_over_folds(measures, tests, rows)
    else:
        measures = [r.measures for r in results]
        over_folds = resampled_intervals({m: [v[m] for v in measures] for m in measures[0]}, tests, rows)
        estimates = widen_intervals(
            over_folds, judge, confusion_of_folds(results, y, judge.classes) / repeats
        )
    values = np.array([v[MEASURE[task]] for v in measures])
    said = sorted({text for r in results for text in r.said})
    return ComparedModel(name, values, estimates, float(np.median([d.seconds for d in done])), said)


def _constant_prediction_score(
    y: Array, judge: ClassScoring | None, splits: list[tuple[Array, Array]]
) -> float:
    """Measure of a constant prediction: the most frequent class, or the mean of the training rows."""
    if judge is not None:
        return judge.constant_baseline(y)[MEASURE["classification"]]
    errors = [np.sqrt(np.mean((y[test] - y[train].mean()) ** 2)) for train, test in splits]
    return float(np.mean(errors))
