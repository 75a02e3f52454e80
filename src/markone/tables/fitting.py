"""`markone fit` from the table to the fitted student; printing, drawing and saving are done elsewhere."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils import get_tags

from markone.data.reading.cell_table import CellTable
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.numerics.text import count
from markone.tables import models, request, splitting
from markone.tables.answers.deciding import decided
from markone.tables.answers.drift import TrainingRange, training_range
from markone.tables.answers.rejecting import Rejection, rejection
from markone.tables.answers.weighing import weigh
from markone.tables.findings.evidence import Evidence
from markone.tables.findings.finding import TableFinding
from markone.tables.findings.looking import look
from markone.tables.inspect import missing_ways
from markone.tables.inspect.cases import Case, cases
from markone.tables.inspect.missing_ways import MissingWay
from markone.tables.model_summary import ModelSummary, summarise
from markone.tables.plan import encoding, making
from markone.tables.plan.column_plan import ColumnPlan
from markone.tables.plan.target import labelled
from markone.tables.plan.ties import RowTies
from markone.tables.request import FitRequest, Folds
from markone.tables.running.run import Workers
from markone.tables.scaling import Scaling
from markone.tables.scores import Judge
from markone.tables.source import hash_of, read
from markone.tables.splitting import FREE
from markone.tables.validation import Progress, Validation, cross_validate, heard, searched

# Columns that are shuffled one by one to see what they are worth; more would take longer than the fits.
MOST_SHUFFLED = 300


@dataclass
class FitResult:
    """All that a report, a terminal or a file wants to know about a fit.

    Parameters
    ----------
    request : FitRequest
        What was asked.
    plan : ColumnPlan
        What became of every column.
    notes : list of str
        What was done to the data, in sentences.
    model : str
        The model in words.
    judge : Judge
        Classes and positive class.
    class_counts : dict of str to int
        Rows of each class.
    baseline : dict of str to float
        Scores of always naming the most frequent class.
    validation : Validation
        Scores of the folds.
    pipeline : sklearn.pipeline.Pipeline
        Scaling and student, fitted to all rows.
    summary : ModelSummary
        What the student says about its inputs.
    y : array (P,)
        The labels.
    rows : list of int
        The rows of the file that were used.
    chosen : dict
        Parameters that a grid search chose.
    search : dict
        Scores of the search.
    seconds : float
        Time of the fit.
    findings : list of TableFinding
        What the table itself shows.
    ties : RowTies
        Rows that stay together in a fold.
    training : TrainingRange or None
        What the rows that taught were like.
    rejection : Rejection or None
        Where answers are refused, if that was asked for.
    missing_ways : list of MissingWay
        Other ways to treat missing values on the same folds, if that was asked for.
    cases : list of Case
        Rows to look at.
    data_hash : str
        SHA-256 of the file.

    Examples
    --------
    >>> from markone.tables import FitRequest, fit
    >>> fitted = fit(FitRequest("iris", model="hebb", cv="3"))
    >>> fitted.class_counts
    {'setosa': 50, 'versicolor': 50, 'virginica': 50}
    """

    request: FitRequest
    plan: ColumnPlan
    notes: list[str]
    model: str
    judge: Judge
    class_counts: dict[str, int]
    baseline: dict[str, float]
    validation: Validation
    pipeline: Any
    summary: ModelSummary
    y: Array
    rows: list[int]
    chosen: dict[str, Any]
    search: dict[str, Any]
    seconds: float
    findings: list[TableFinding] = field(default_factory=list)
    ties: RowTies = FREE
    training: TrainingRange | None = None
    rejection: Rejection | None = None
    missing_ways: list[MissingWay] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    data_hash: str = ""


@dataclass
class Prepared:
    """The table as a student takes it: inputs, labels and the numbers of their rows, by the plan."""

    plan: ColumnPlan
    X: Array
    y: Array
    rows: list[int]
    notes: list[str]
    ties: RowTies = FREE
    findings: list[TableFinding] = field(default_factory=list)
    training: TrainingRange | None = None


def fit(
    asked: FitRequest,
    progress: Progress = lambda done, total: None,
    findings: Callable[[list[TableFinding]], None] = lambda found: None,
    table: CellTable | None = None,
) -> FitResult:
    """Read the table if it is not given, validate the classifier on its folds, fit it to all rows."""
    began = time.perf_counter()
    asked = replace(asked, model=asked.model or models.DEFAULT[models.CLASSIFICATION])
    how, grid = request.folds(asked.cv), request.grid(asked.grid)
    how = Folds(1, how.folds) if asked.options.time else how
    model = models.make(asked.model, request.settings(asked.settings), asked.seed)
    models.check(grid, model.get_params(deep=False), models.friendly(type(model).__name__))
    data = prepare(asked, how, the_table(asked) if table is None else table)
    judge = judge_of(asked, data.y)
    data.notes += weigh(model, judge)
    pipeline = assemble(asked, data.plan, model, data.notes)
    findings(data.findings)
    columns = data.plan.places if len(data.plan.places) <= MOST_SHUFFLED else {}
    validation = cross_validate(
        pipeline, data.X, data.y, how, judge, grid, asked.seed, progress, data.ties, columns, workers(asked)
    )
    final, chosen, search, said = finish(pipeline, data, grid, judge, asked.seed)
    data.notes += warned(validation.warned, len(validation.folds), "In cross-validation")
    data.notes += warned(said, 1, "The final student")
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
    """The other ways to treat missing values on the same folds, if asked."""
    # Who refuses missing values and got this far has none.
    if not asked.answers.compare_missing or asked.options.missing == "refuse":
        return []

    def scored(way: str) -> Validation:
        other = replace(asked, options=replace(asked.options, missing=way))
        model = models.make(asked.model, request.settings(asked.settings), asked.seed)
        weigh(model, judge)
        data = prepare(other, how, the_table(other))
        pipeline = assemble(other, data.plan, model, [])
        return cross_validate(pipeline, data.X, data.y, how, judge, grid, asked.seed, ties=data.ties)

    masks = models.key(asked.model) in {models.key(name) for name in models.masking()}
    return missing_ways.compare(validation, asked.options.missing, scored, masks)


def the_table(asked: FitRequest) -> CellTable:
    return read(
        asked.data, header=asked.header, texts=asked.options.written, rows=asked.rows, seed=asked.seed
    )


def prepare(asked: FitRequest, how: Folds, table: CellTable) -> Prepared:
    plan, kept, notes = making.make(table, asked.options)
    X, y = encoding.inputs(kept, plan), encoding.labels(kept, plan)
    table = labelled(table, plan.target, plan.missing, [])
    seen = Evidence(table, plan, encoding.labels(table, plan), X, y, kept.rows, how)
    ties = splitting.ties_of(kept, asked.options, X, plan)
    return Prepared(plan, X, y, kept.rows.tolist(), notes, ties, look(seen), training_range(kept, plan))


def assemble(asked: FitRequest, plan: ColumnPlan, model: Any, notes: list[str]) -> Pipeline:
    """Scaling and student as one, so that both are fitted anew in each fold; and what was done, said."""
    if asked.scale not in ("standard", "none"):
        raise ValueError(f"--scale must be standard or none, not {asked.scale!r}.")
    if plan.missing == "mask" and not get_tags(model).input_tags.allow_nan:
        raise BadTable(
            f"{models.called(asked.model, model)} cannot skip missing values, so --missing mask is not for "
            "it. Use --missing median, mean, indicator or drop, or a model that can: "
            f"{', '.join(models.masking())}."
        )
    if plan.n_numbers:
        done = "The numbers were not scaled (--scale none)."
        if asked.scale == "standard":
            done = (
                "Numbers were scaled to z-scores, with mean and deviation of the training part of each fold."
            )
            done += " 0/1 inputs stay as they are." if len(plan.feature_names) > plan.n_numbers else ""
        notes.append(done)
    fill = {"median": "median", "mean": "mean", "indicator": "median"}.get(plan.missing, "mask")
    scaling = Scaling(plan.n_numbers, asked.scale, fill)
    return Pipeline([("scaling", scaling), ("model", model)])


def workers(asked: FitRequest) -> Workers:
    return Workers(asked.workers, asked.backend, asked.scheduler)


def judge_of(asked: FitRequest, y: Array) -> Judge:
    """The rarer of two classes is the positive one, if nobody said; of equally frequent ones the last."""
    labels, counts = np.unique(y, return_counts=True)
    classes = [str(label) for label in labels]
    positive = asked.positive or min(reversed(classes), key=lambda label: counts[classes.index(label)])
    if positive not in classes:
        raise ValueError(
            f"--positive {positive!r} is no class of the target. The classes: {', '.join(classes)}."
        )
    prices = request.prices(asked.answers.costs, classes)
    return Judge(classes, positive, prices, asked.answers.calibrate)


def finish(
    pipeline: Any, data: Prepared, grid: Any, judge: Judge, seed: int
) -> tuple[Any, dict[str, Any], Any, Counter[str]]:
    """The student of all rows; with a grid, the choice and the scores of the search."""
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
    """Each warning once, with the number of fits that gave it."""
    times = f" ({{}} of {count(fits, 'fold')})" if fits > 1 else ""
    return [f"{where}{times.format(n)}: {text}" for text, n in said.most_common(5)]
