"""`markone fit`: the fit that table and request ask for; report, dictionary and file of its result."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.data.reading.frames import table_from_object
from markone.run.progress import Pace, is_in_notebook, progress_bar
from markone.tables import models
from markone.tables.comparing.comparison import (
    ModelComparison,
    check_comparison,
    compare_models,
    is_comparison,
)
from markone.tables.comparing.comparison_report import build_comparison_report, comparison_to_dict
from markone.tables.comparing.default_model import choose_student
from markone.tables.findings.evidence import TableFinding
from markone.tables.fit_result import FitResult, FolderResult, RegressionResult, TableResult
from markone.tables.fitting import create_requested_model, fit_model
from markone.tables.model_file import model_of_fit, write_model_file
from markone.tables.plan.column_kinds import mark_missing_words
from markone.tables.plan.target import REGRESSION, decide_task, find_target
from markone.tables.prepared_data import prepare_data, read_requested_table
from markone.tables.report.blocks import Report
from markone.tables.report.class_report import build_class_report
from markone.tables.report.headline import class_headline
from markone.tables.report.number_report import build_number_report, regression_headline
from markone.tables.report.page import build_page
from markone.tables.report.to_dict import class_fit_to_dict, number_fit_to_dict
from markone.tables.request import AnswerOptions, FitRequest
from markone.tables.running import Progress
from markone.tables.source import request_of_table
from markone.tables.table_prediction import Predictions, predict, read_new_table

Answer = FitResult | RegressionResult | ModelComparison
AnyResult: TypeAlias = Answer | FolderResult


def fit(
    asked: Any,
    progress: Progress | None = None,
    findings: Callable[[list[TableFinding]], None] = lambda found: None,
    *,
    target: Any = None,
    **options: Any,
) -> Answer:
    """Read a table, cross-validate a model and fit it to all rows, as `markone fit` does.

    Parameters
    ----------
    asked : FitRequest, str, data frame, dict or array
        The table, the model and the folds; or only the table: a file name, a data frame of pandas, polars,
        pyarrow or DuckDB, a dictionary of columns, or an array (n, N).
    progress : function (done, total), optional
        Called after each fold. By default a notebook shows a bar, and nothing is shown elsewhere.
    findings : function (list of TableFinding), optional
        Called with the problems found in the data, before anything is fitted.
    target : str or array, optional
        If `asked` is a table: the column to predict, or its values.
    **options
        If `asked` is a table: fields of `FitRequest`, `ColumnOptions` and `AnswerOptions`, as model="gmlvq",
        cv="1x5", group="patient".

    Returns
    -------
    FitResult, RegressionResult or ModelComparison
        Scores, notes and the fitted pipeline: a `FitResult` for classes, a `RegressionResult` for numbers,
        a `ModelComparison` for several models ("gmlvq,forest" or "all").

    Examples
    --------
    >>> from markone.tables import FitRequest, fit
    >>> fitted = fit(FitRequest("iris", model="hebb", cv="3"))
    >>> fitted.model, len(fitted.validation.folds)
    ('hebb', 3)
    >>> from sklearn.datasets import load_iris
    >>> frame = load_iris(as_frame=True).frame
    >>> fit(frame, target="target", model="hebb", cv="3").rows[:3]
    [1, 2, 3]
    """
    if not isinstance(asked, FitRequest):
        asked = request_of_table(asked, target, options)
    if progress is None and is_in_notebook():
        with progress_bar("fit", Pace()) as report:
            return fit(asked, lambda done, total: report(done, total, None), findings)
    progress = progress or (lambda done, total: None)
    table = read_requested_table(asked)
    task = decide_task(table, find_target(table, asked.options), asked.task)
    if is_comparison(asked.model):
        check_comparison(asked)
        return compare_models(asked, prepare_data(asked, table, task), task, progress, findings)
    if task == REGRESSION and asked.answers != AnswerOptions():
        raise ValueError(
            "--cost, --reject and --sets are for classes, and the target holds numbers. "
            "Leave them out, or set --task classification."
        )
    if asked.model or asked.settings or asked.grid:
        asked = replace(asked, model=asked.model or models.DEFAULT[task])
        create_requested_model(asked, task)
        return fit_model(asked, prepare_data(asked, table, task), task, progress, findings)
    return _fit_recommended_model(asked, table, task, progress, findings)


def _fit_recommended_model(
    asked: FitRequest,
    table: CellTable,
    task: str,
    progress: Progress,
    findings: Callable[[list[TableFinding]], None],
) -> FitResult | RegressionResult:
    """Compare the students, and fit the recommended one."""
    data, began = prepare_data(asked, table, task), time.perf_counter()
    findings(data.findings)
    later, compared = data.how.repeats * data.how.folds or len(data.y), [0]

    def show_comparison(done: int, total: int) -> None:
        compared[0] = total
        progress(done, total + later)

    choice = choose_student(asked, data, task, show_comparison)
    asked = replace(asked, model=models.DEFAULT[task] if choice is None else choice.name)
    found = fit_model(
        asked, data, task, lambda done, total: progress(done + compared[0], total + compared[0])
    )
    found.students, found.seconds = choice, time.perf_counter() - began
    return found


def headline(found: FitResult | RegressionResult) -> str:
    """Summary of a fit in one or two sentences: the score, its baseline, and doubts.

    Parameters
    ----------
    found : FitResult or RegressionResult
        As returned by `fit`.

    Returns
    -------
    str
        A sentence or two.

    Examples
    --------
    >>> from markone.tables import FitRequest, fit, headline
    >>> headline(fit(FitRequest("iris", model="hebb", cv="3"))).startswith("Of rows it has not seen")
    True
    """
    return class_headline(found) if isinstance(found, FitResult) else regression_headline(found)


def save_model(fitted: FitResult | RegressionResult, path: Path) -> None:
    """Save the fitted model, the plan of its columns and its results in one skops file.

    Parameters
    ----------
    fitted : FitResult or RegressionResult
        As returned by `fit`.
    path : pathlib.Path
        File to write, atomically.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from markone.tables import FitRequest, fit, save_model
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "iris.skops")
    ...     save_model(fit(FitRequest("iris", model="hebb", cv="3")), path)
    ...     print(path.exists())
    True
    """
    write_model_file(model_of_fit(fitted), path)


OUTPUTS: dict[type, tuple[Callable[[Any], Report], Callable[[Any], dict[str, Any]]]] = {
    ModelComparison: (build_comparison_report, comparison_to_dict),
    FitResult: (build_class_report, class_fit_to_dict),
    RegressionResult: (build_number_report, number_fit_to_dict),
}


# The modules of partitions are imported for folders only: they import every model that learns from sums.


def _outputs_of(result: AnyResult) -> tuple[Callable[[Any], Report], Callable[[Any], dict[str, Any]]]:
    if type(result) in OUTPUTS:
        return OUTPUTS[type(result)]
    from markone.tables.partitions.folder_fit import build_folder_report, folder_to_dict

    return build_folder_report, folder_to_dict


def build_report(result: AnyResult) -> Report:
    return _outputs_of(result)[0](result)


def result_to_dict(result: AnyResult) -> dict[str, Any]:
    return _outputs_of(result)[1](result)


def save_result(result: AnyResult, path: Path) -> None:
    """Save the model of a result; a comparison has none."""
    if isinstance(result, FitResult | RegressionResult):
        save_model(result, path)
    elif not isinstance(result, ModelComparison):
        from markone.tables.partitions.folder_fit import save_folder_model

        save_folder_model(result, path)


def _predict_new_table(fitted: FitResult | RegressionResult, data: Any, **options: Any) -> Predictions:
    model = model_of_fit(fitted)
    if isinstance(data, str):
        return predict(model, read_new_table(model, data), **options)
    table = table_from_object(data, model.plan.text_columns)
    return predict(model, mark_missing_words(table, model.plan.missing_words), **options)


def _explain_row(fitted: FitResult | RegressionResult, row: Any, keep: Sequence[str]) -> dict[str, str]:
    if isinstance(row, int):
        table = read_requested_table(fitted.request)
        if row not in table.rows:
            raise ValueError(f"There is no row {row}: the rows of {table.source} are 1 to {table.rows[-1]}.")
        row = table.only(np.flatnonzero(table.rows == row))
    data = {name: [value] for name, value in row.items()} if isinstance(row, dict) else row
    found = _predict_new_table(fitted, data, explain=True, keep=keep)
    return {name: text for name, text in zip(found.header, found.cells[0], strict=True) if text}


# Notebooks show the page; results cannot import the reports, which are built on them.
TableResult.render = staticmethod(lambda found: build_page(build_report(found), ["fit", found.request.data]))
TableResult.predict_table = staticmethod(_predict_new_table)
TableResult.explain_row = staticmethod(_explain_row)
