"""`--model all` or a list of models, cross-validated on the same folds."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.tables import models, request, row_splits
from markone.tables.comparing.differences import (
    ComparedModel,
    PairDifference,
    indistinguishable_runs,
    model_differences,
)
from markone.tables.findings.evidence import TableFinding
from markone.tables.fitting import requested_scoring, requested_workers, weighted_pipeline
from markone.tables.inspect.row_intervals import widen_intervals
from markone.tables.prepared_data import PreparedData
from markone.tables.request import FitRequest, Folds
from markone.tables.row_splits import RowTies
from markone.tables.running import Progress, run_problem
from markone.tables.scoring import ClassScoring, Scoring
from markone.tables.validation import FoldFits, confusion_of_folds, estimate_over_folds

ALL = "all"


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


@dataclass(frozen=True)
class ComparisonFits:
    """All fits as one resumable problem, by fold, then model: an early time estimate includes each model."""

    pipelines: list[Any]
    X: Array
    y: Array
    splits: list[tuple[Array, Array]]
    scoring: Scoring
    seed: int
    ties: RowTies

    def __len__(self) -> int:
        return len(self.pipelines) * len(self.splits)

    def run_piece(self, k: int) -> Any:
        """One fit, or the message of its error."""
        fold, model = divmod(k, len(self.pipelines))
        fits = FoldFits(
            self.pipelines[model], self.X, self.y, self.splits, self.scoring, {}, self.seed, self.ties
        )
        try:
            return fits.run_piece(fold)
        except (ValueError, RuntimeError, FloatingPointError, MemoryError) as error:
            return str(error).split("\n")[0]


def is_comparison(model: str) -> bool:
    return model == ALL or "," in model


def requested_models(model: str, task: str) -> list[str]:
    """Names of the requested models, each once."""
    if model == ALL:
        return models.model_names(task)
    return list(dict.fromkeys(name.strip() for name in model.split(",") if name.strip()))


def compare_models(
    asked: FitRequest,
    data: PreparedData,
    task: str,
    progress: Progress = lambda done, total: None,
    findings: Callable[[list[TableFinding]], None] = lambda found: None,
) -> ModelComparison:
    """Cross-validate every model with its default settings on the same folds."""
    began = time.perf_counter()
    findings(data.findings)
    scoring = requested_scoring(asked, data, task)
    splits = row_splits.make_splits(data.how, data.y, asked.seed, data.ties, task)
    names = requested_models(asked.model, task)
    entries, failed = score_models(asked, data, names, scoring, splits, progress)
    train, test = (np.array([len(split[side]) for split in splits]) for side in (0, 1))
    return ModelComparison(
        request=asked,
        task=task,
        measure=scoring.main_measure,
        notes=data.notes,
        target=data.plan.target,
        rows=len(data.y),
        inputs=len(data.plan.feature_names),
        how=data.how,
        trivial=_constant_prediction_score(data.y, scoring, splits),
        entries=entries,
        pairs=model_differences({e.name: e.values[scoring.main_measure] for e in entries}, train, test),
        failed=failed,
        findings=data.findings,
        seconds=time.perf_counter() - began,
    )


def check_comparison(asked: FitRequest) -> None:
    """Raise for options that need one model."""
    if asked.settings or asked.grid or asked.more:
        raise ValueError(
            "--set, --grid and --more are for one model: name it with --model, or leave them out."
        )
    if request.requested_folds(asked).leave_one_out:
        raise ValueError("Leave-one-out has no spread over folds to compare models by: use --cv 5x10.")


def score_models(
    asked: FitRequest,
    data: PreparedData,
    names: list[str],
    scoring: Scoring,
    splits: list[tuple[Array, Array]],
    progress: Progress,
) -> tuple[list[ComparedModel], dict[str, str]]:
    """Scores of the models on these splits, from best to worst, and messages of those that failed."""
    pipelines, failed = _build_pipelines(asked, data, names, scoring)
    fits = ComparisonFits(list(pipelines.values()), data.X, data.y, splits, scoring, asked.seed, data.ties)
    done = run_problem(fits, requested_workers(asked), progress)
    by_model = {name: done[k :: len(pipelines)] for k, name in enumerate(pipelines)}
    repeats = sum(len(test) for _, test in splits) / len(np.unique(np.concatenate([t for _, t in splits])))
    return _summarise_models(by_model, failed, data.y, scoring, repeats), failed


def _build_pipelines(
    asked: FitRequest, data: PreparedData, names: list[str], scoring: Scoring
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return a pipeline for each model, and an error message for those that cannot be used.

    Notes on the data are added once.
    """
    found: dict[str, Any] = {}
    failed: dict[str, str] = {}
    for short in names:
        model, notes = models.create_model(short, {}, asked.seed, scoring.task), list[str]()
        name = models.display_name(short, model, scoring.task)
        try:
            found[name] = weighted_pipeline(replace(asked, model=short), data, scoring, model, notes)
        except BadTable as error:
            failed[name] = str(error)
        data.notes += [note for note in notes if note not in data.notes]
    if not found:
        raise BadTable(next(iter(failed.values())))
    return found, failed


def _summarise_models(
    by_model: dict[str, list[Any]], failed: dict[str, str], y: Array, scoring: Scoring, repeats: float
) -> list[ComparedModel]:
    """Summaries from best to worst; error messages of failed models are added to `failed`."""
    entries = []
    for name, own in by_model.items():
        errors = [d.result for d in own if isinstance(d.result, str)]
        if errors:
            failed[name] = f"{errors[0]} ({len(errors)} of {len(own)} folds)"
        else:
            entries.append(_summarise_model(name, own, y, scoring, repeats))
    largest_first = isinstance(scoring, ClassScoring)
    return sorted(entries, key=lambda e: e.estimates[scoring.main_measure].mean, reverse=largest_first)


def _summarise_model(name: str, done: list[Any], y: Array, scoring: Scoring, repeats: float) -> ComparedModel:
    folds = [d.result for d in done]
    estimates = estimate_over_folds(folds)
    if isinstance(scoring, ClassScoring):
        confusion = confusion_of_folds(folds, y, scoring.classes) / repeats
        estimates = widen_intervals(estimates, scoring, confusion)
    values = {measure: np.array([fold.measures[measure] for fold in folds]) for measure in estimates}
    said = sorted({text for fold in folds for text in fold.said})
    return ComparedModel(name, values, estimates, float(np.median([d.seconds for d in done])), said)


def _constant_prediction_score(y: Array, scoring: Scoring, splits: list[tuple[Array, Array]]) -> float:
    """Measure of a constant prediction: the most frequent class, or the mean of the training rows."""
    if isinstance(scoring, ClassScoring):
        return scoring.constant_baseline(y)[scoring.main_measure]
    errors = [np.sqrt(np.mean((y[test] - y[train].mean()) ** 2)) for train, test in splits]
    return float(np.mean(errors))
