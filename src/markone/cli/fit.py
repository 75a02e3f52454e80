"""`markone fit`: fit a model to a table or to a folder of files, and print the results."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markone.cli.terminal import check_output_files, echo, print_findings, print_report, translate_interrupt

if TYPE_CHECKING:
    from markone.tables.dispatch import AnyResult
    from markone.tables.request import FitRequest

PICKLES = (".pkl", ".pickle", ".joblib")


def run_fit(request: FitRequest, report: Path | None, save: Path | None, force: bool, as_json: bool) -> None:
    from markone.cli.fit_progress import fit_progress

    check_output_files(request.data, [report, save], force)
    if save and save.suffix.lower() in PICKLES:
        raise ValueError(f"--save {save}: pickles can run code when they are loaded. Write a .skops file.")
    show_findings = (lambda found: None) if as_json else print_findings
    # The imports take a second or two: show the progress bar first.
    with translate_interrupt(), fit_progress(as_json) as progress:
        if Path(request.data).is_dir():
            result = _fit_folder(request, bool(report or save), progress, show_findings)
        else:
            result = _fit_table(request, bool(save), progress, show_findings)
    _write_outputs(result, report, save, as_json)


def _fit_table(request: FitRequest, save: bool, progress: Any, show_findings: Any) -> AnyResult:
    from markone.tables import dispatch, models
    from markone.tables.comparing.comparison import is_comparison

    if save and is_comparison(request.model):
        raise ValueError("--save keeps one model: compare first, then name the one to keep with --model.")
    if save:
        models.check_model_can_be_saved(request.model)
    return dispatch.fit(request, progress, show_findings)


def _fit_folder(request: FitRequest, whole: bool, progress: Any, show_findings: Any) -> AnyResult:
    """Cross-validate by sums over the files; fit to all rows if a report or a model is requested."""
    _check_folder_options(request)
    from markone.tables.partitions.folder_fit import fit_folder

    with _dask_client(request) as client:
        return fit_folder(request, client, whole, progress, show_findings)


def _check_folder_options(request: FitRequest) -> None:
    """Raise if an option is given that a folder does not support."""
    from markone.tables.request import AnswerOptions

    options = request.options
    unsupported = {
        "--grid": request.grid,
        "--rows": request.rows,
        "--positive": request.positive,
        "--drop": options.drop,
        "--categorical": options.categorical,
        "--keep": options.keep,
        f"--missing {options.missing}": options.missing not in ("auto", "refuse", "median", "mean"),
        "--missing-words": options.missing_words,
        "--group": options.group,
        "--time": options.time,
        "--cost, --calibrate, --reject or --sets": request.answers != AnswerOptions(),
        "a list of models": "," in request.model or request.model == "all",
    }
    given = [name for name, value in unsupported.items() if value]
    if given:
        raise ValueError(
            f"A folder of files does not support {given[0]}: it is fitted and scored by sums over "
            "partitions. Leave it out, or give one file that fits into memory."
        )


def _dask_client(request: FitRequest) -> Any:
    from contextlib import nullcontext

    if request.backend != "dask":
        return nullcontext()
    from markone.lazy_import import require_module
    from markone.run.executors import connect_dask_client, count_cores

    workers = request.workers or count_cores()
    return connect_dask_client(require_module("distributed", "dask"), request.scheduler, workers)


def _write_outputs(result: AnyResult, report: Path | None, save: Path | None, as_json: bool) -> None:
    from markone.numerics.files import write_atomically
    from markone.tables.dispatch import build_report, result_to_dict, save_result

    if report:
        from markone.tables.report.page import build_page

        write_atomically(report, build_page(build_report(result), sys.argv[1:]).encode())
    if save:
        save_result(result, save)
    if as_json:
        wrote = [str(path) for path in (report, save) if path]
        echo(json.dumps(result_to_dict(result) | {"wrote": wrote}))
        return
    print_report(build_report(result))
    for path in filter(None, [report, save]):
        echo(f"Wrote {path}.")
    if save:
        echo(f"Next: markone predict {save} NEW_TABLE --out predictions.csv")
