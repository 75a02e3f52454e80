"""`markone fit FOLDER`: findings, scores, final model and report of a folder of Parquet files."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.pipeline import Pipeline

from markone.data.reading import cell_table
from markone.data.reading.arrow import find_parquet_files
from markone.numerics.arrays import Array
from markone.numerics.files import staged_file
from markone.numerics.text import format_count, format_number, shorten_list
from markone.show.page import PageTable
from markone.tables import models, table_prediction
from markone.tables.answers.drift import QUANTILES, TrainingRange
from markone.tables.findings.evidence import TableFinding
from markone.tables.fit_result import FolderResult
from markone.tables.inspect.model_summary import summarise_classifier, summarise_regressor
from markone.tables.inspect.row_intervals import scores_per_class
from markone.tables.model_file import SavedModel, write_model_file
from markone.tables.partitions.fitting import fit_partitions
from markone.tables.partitions.partition_summary import PartitionSummary, describe_partitions
from markone.tables.partitions.partition_sums import PartitionSums
from markone.tables.partitions.sources import ChangedPartitions, as_partitions
from markone.tables.partitions.validation import validate_partitions
from markone.tables.plan.column_plan import NUMBER, ColumnPlan, PlannedColumn
from markone.tables.plan.target import are_quantities
from markone.tables.report.blocks import NO_TABLE, PAGE, Items, Report, Section, Table, Text, make_report
from markone.tables.report.class_report import SHARES, score_table, table_of_classes
from markone.tables.report.formats import inputs_picture, table_of_prototypes
from markone.tables.report.headline import class_headline
from markone.tables.report.number_report import error_table, regression_headline
from markone.tables.report.to_dict import to_plain
from markone.tables.request import FitRequest, Folds, parse_model_settings
from markone.tables.request import parse_folds as read_folds
from markone.tables.running import Progress
from markone.tables.scaling import ScaledTarget, Scaling
from markone.tables.scoring import RESAMPLED, ClassScoring
from markone.tables.validation import Validation

FOLDS = 5
SAMPLE_ROWS = 100_000


def _write_labels(k: int, X: Array, y: Array) -> tuple[Array, Array]:
    """Class labels as text, as in tables in memory."""
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
    data = ChangedPartitions(data, _write_labels) if classified else data
    how: dict[str, Any] = {"client": client, "threads": request.workers or 1}
    known = describe_partitions(data, classes=classified, **how)
    show_findings(known.findings)
    if request.options.missing == "auto":
        missing = "median" if known.missing.any() and not request.options.strict else "refuse"
        request = replace(request, options=replace(request.options, missing=missing))
    scaled: dict[str, Any] = {"scale": request.scale == "standard", "missing": request.options.missing}
    folds = read_folds(request.cv)
    k = FOLDS if request.cv == "5x10" or folds.leave_one_out else folds.folds
    scores = validate_partitions(model, data, folds=k, seed=request.seed, progress=progress, **scaled, **how)
    confusion = np.zeros((0, 0)) if scores.confusion is None else scores.confusion
    found = FolderResult(
        request=request,
        model=name,
        task=task,
        judge=ClassScoring.of_counts(known.classes),
        validation=Validation(Folds(1, k), estimates=scores.estimates, confusion=confusion),
        baseline=scores.trivial,
        known=known,
    )
    if whole:
        _add_final_model(found, fit_partitions(model, data, **scaled, **how), data, how)
    found.seconds = time.perf_counter() - began
    return found


def _add_final_model(found: FolderResult, fitted: Any, data: Any, how: dict[str, Any]) -> None:
    """The model of all rows, its summary, and percentiles of the columns."""
    names, scale = found.known.names, found.request.scale
    found.pipeline = _build_saved_pipeline(fitted, data, how)
    if found.known.classes:
        found.summary = summarise_classifier(found.pipeline, names, [], scale)
    else:
        found.summary = summarise_regressor(found.pipeline, names, scale)
    found.percentiles = _sampled_percentiles(data, found.known, how)


def _folder_task(request: FitRequest, data: Any) -> str:
    """Return the requested task, or decide by the target of the first partition."""
    if request.task != "auto":
        return request.task
    y = data.load(0)[1]
    return models.REGRESSION if y.dtype.kind in "fiu" and are_quantities(y) else models.CLASSIFICATION


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
    with closing(PartitionSums(data, **how)) as sums:
        total, rows = sums.total(_sum_target)
    unit = fitted["model"]
    target = ScaledTarget(clone(unit))
    target.mean_, target.deviation_, target.n_features_in_ = float(total / rows), 1.0, N
    unit.intercept_ = unit.intercept_ - target.mean_
    target.regressor_ = unit
    return Pipeline([("scaling", fitted["scaling"]), ("model", target)])


def _sampled_percentiles(data: Any, known: PartitionSummary, how: dict[str, Any]) -> Array:
    """Percentiles of a sample, with exact minimum and maximum; `predict` compares new rows with them."""
    with closing(PartitionSums(data, **how)) as sums:
        rows = np.concatenate(list(sums.map_partitions(_every_nth_row, -(-known.rows // SAMPLE_ROWS))))
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


def build_folder_report(found: FolderResult) -> Report:
    known, summary, classes = found.known, found.summary, NO_TABLE
    P, k = known.rows, found.validation.how.folds
    folds = f"Cross-validation: {P} rows in {k} folds, seed {found.request.seed}. {RESAMPLED}"
    if known.classes:
        classes = table_of_classes(scores_per_class(found.judge, found.validation.confusion))
    scores = score_table(found) if known.classes else error_table(found)
    sections = [
        Section("Scores", [Table(scores, "numbers scores"), Text(folds, small=True)]),
        Section(
            "Each class", [Table(classes, most=100), Text(SHARES, True, [PAGE]) if classes.rows else None]
        ),
    ]
    if summary is not None:
        blocks = [
            Items(summary.sentences),
            inputs_picture(summary.bars),
            Table(table_of_prototypes(summary, known.names), heading="Prototypes", where=[PAGE]),
        ]
        sections.append(Section(f"The student of all rows: {found.model}", blocks))
    sections.append(Section("Columns", [Table(_column_table(found), where=[PAGE])]))
    absent = {c: int(n) for c, n in zip(known.names, known.missing, strict=True) if n}
    words = shorten_list([f"{column} {n}" for column, n in absent.items()], 8)
    return make_report(
        found.request,
        found.model,
        (P, len(known.names)),
        f"target {found.request.options.target!r}",
        found.findings,
        [["fits", f"{format_count(k + 1, 'student')}, {found.seconds:.1f} s"]],
        headline=_folder_headline(found),
        notes=[f"Missing values, by column: {words}."] if absent else [],
        sections=sections,
    )


def _folder_headline(found: FolderResult) -> str:
    return class_headline(found) if found.known.classes else regression_headline(found)


def _column_table(found: FolderResult) -> PageTable:
    """Missing values and quartiles of every column."""
    known = found.known
    rows = [
        [name, str(int(missing)), *(format_number(float(value)) for value in values)]
        for name, missing, values in zip(known.names, known.missing, known.quantiles.T, strict=True)
    ]
    return PageTable(["column", "missing", "minimum", "25 %", "median", "75 %", "maximum"], rows)


def folder_to_dict(found: FolderResult) -> dict[str, Any]:
    known, validation = found.known, found.validation
    content = {
        "data": found.request.data,
        "target": found.request.options.target,
        "task": found.task,
        "model": found.model,
        "rows": known.rows,
        "folds": validation.how.folds,
        "headline": _folder_headline(found),
        "findings": known.findings,
        "inputs": known.names,
        "missing": dict(zip(known.names, known.missing.tolist(), strict=True)),
        "levels": known.levels,
        "quantiles": dict(zip(known.names, known.quantiles.T.tolist(), strict=True)),
        "classes": known.classes,
        "scores": validation.estimates,
        "trivial": found.baseline,
        "per_class": scores_per_class(found.judge, validation.confusion) if known.classes else [],
        "seed": found.request.seed,
        "seconds": found.seconds,
    }
    return dict(to_plain(content))


def save_folder_model(found: FolderResult, path: Path) -> None:
    """Save the final model, its columns and their training ranges."""
    known, options = found.known, found.request.options
    plan = ColumnPlan(
        str(options.target), [PlannedColumn(name, NUMBER) for name in known.names], options.missing
    )
    percentiles = dict(zip(known.names, np.asarray(found.percentiles).T.tolist(), strict=True))
    shares = {name: float(n / known.rows) for name, n in zip(known.names, known.missing, strict=True)}
    training = TrainingRange(known.rows, percentiles, missing=shares)
    model = SavedModel(plan, found.pipeline, found.judge, folder_to_dict(found), training)
    write_model_file(model, path)


# Rows in memory at once.
ROWS_IN_MEMORY = 100_000


@dataclass
class FolderPredictions:
    """Number of rows, number with a prediction, and notes."""

    rows: int = 0
    answered: int = 0
    notes: list[str] = field(default_factory=list)


def predict_folder(model: SavedModel, folder: Path, out: Path, proba: bool = False) -> FolderPredictions:
    """Write a line for each row of each file, starting with the file name."""
    found = FolderPredictions()
    with staged_file(out) as part, part.open("wb") as file:
        for place, (name, piece) in enumerate(_read_pieces(model, folder)):
            answers = table_prediction.predict(model, piece, proba)
            cells = [[name, *row] for row in answers.cells]
            lines = table_prediction.to_safe_csv(["file", *answers.header], cells)
            file.write((lines if not place else lines.split("\n", 1)[1]).encode())
            found.rows += len(cells)
            found.answered += sum(bool(str(label)) and label == label for label in answers.labels)
            found.notes += [f"{name}: {note}" for note in answers.notes]
    return found


def _read_pieces(model: SavedModel, folder: Path) -> Iterator[tuple[str, cell_table.CellTable]]:
    for path in find_parquet_files(folder):
        for piece in cell_table.read_cell_pieces(
            cell_table.TableFile(path, True), ROWS_IN_MEMORY, model.plan.text_columns
        ):
            yield path.relative_to(folder).as_posix(), piece


def first_notes(found: FolderPredictions, most: int = 10) -> list[str]:
    """The first notes, and the number of the others."""
    more = len(found.notes) - most
    return [*found.notes[:most], *([f"... and {format_count(more, 'more note')}."] if more > 0 else [])]
