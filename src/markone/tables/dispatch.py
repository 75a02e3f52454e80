"""`markone fit`: read the table and dispatch to classification, regression or a model comparison."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from markone.tables.comparing.comparison import ModelComparison, compare_models, is_comparison
from markone.tables.findings.evidence import TableFinding
from markone.tables.fit_result import FitResult, RegressionResult
from markone.tables.fitting import fit_model
from markone.tables.model_file import save_fit
from markone.tables.plan.target import REGRESSION, decide_task, find_target
from markone.tables.prepared_data import read_requested_table
from markone.tables.report.headline import class_headline
from markone.tables.report.number_report import regression_headline
from markone.tables.request import AnswerOptions, FitRequest
from markone.tables.running.run import Progress

Answer = FitResult | RegressionResult | ModelComparison


def fit(
    asked: FitRequest,
    progress: Progress = lambda done, total: None,
    findings: Callable[[list[TableFinding]], None] = lambda found: None,
) -> Answer:
    """Read a table, cross-validate a model and fit it to all rows, as `markone fit` does.

    Parameters
    ----------
    asked : FitRequest
        The table, the model and the folds.
    progress : function (done, total), optional
        Called after each fold.
    findings : function (list of TableFinding), optional
        Called with the problems found in the data, before anything is fitted.

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
    """
    table = read_requested_table(asked)
    task = decide_task(table, find_target(table, asked.options), asked.task)
    if is_comparison(asked.model):
        return compare_models(asked, table, task, progress, findings)
    if task == REGRESSION and asked.answers != AnswerOptions():
        raise ValueError(
            "--cost, --calibrate, --reject and --compare-missing are for classes, and the target holds "
            "numbers. Leave them out, or set --task classification."
        )
    return fit_model(asked, table, task, progress, findings)


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
    save_fit(fitted, path)
