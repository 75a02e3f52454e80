"""`markone fit FOLDER`: a folder of Parquet files, possibly larger than memory."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from markone.cli.fit_progress import fit_progress
from markone.cli.terminal import print_findings, print_items, print_table, translate_interrupt

if TYPE_CHECKING:
    from markone.tables.partitions.folder_fit import FolderResult
    from markone.tables.request import FitRequest


def run_folder_fit(request: FitRequest, report: Path | None, save: Path | None, as_json: bool) -> None:
    """Cross-validate by sums over the files; fit to all rows if a report or a model is requested."""
    _check_folder_options(request)
    with translate_interrupt(), fit_progress(as_json) as progress:
        from markone.tables.partitions.folder_fit import fit_folder

        with _dask_client(request) as client:
            show_findings = print_findings if not as_json else lambda found: None
            found = fit_folder(request, client, bool(report or save), progress, show_findings)
    _write_folder_outputs(found, report, save)
    if as_json:
        from markone.tables.partitions.summary_text import folder_to_dict

        typer.echo(
            json.dumps(folder_to_dict(found) | {"wrote": [str(path) for path in (report, save) if path]})
        )
        return
    _print_folder(found)
    for path in filter(None, [report, save]):
        typer.echo(f"Wrote {path}.")
    if save:
        typer.echo(f"Next: markone predict {save} NEW_FOLDER --out predictions.csv")


def _write_folder_outputs(found: FolderResult, report: Path | None, save: Path | None) -> None:
    if report:
        import markone
        from markone.tables.model_file import write_output_file as write_file
        from markone.tables.partitions.folder_page import build_folder_page

        write_file(report, build_folder_page(found, sys.argv[1:], markone.__version__).encode())
    if save:
        from markone.tables.partitions.folder_file import save_folder_model

        save_folder_model(found, save)


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
        f"--missing {options.missing}": options.missing not in ("refuse", "median", "mean"),
        "--group": options.group,
        "--time": options.time,
        "--cost, --calibrate or --reject": request.answers != AnswerOptions(),
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
    from markone.numerics.lazy_import import require_module
    from markone.run.executors import connect_dask_client, count_cores

    return connect_dask_client(
        require_module("distributed", "dask"), request.scheduler, request.workers or count_cores()
    )


def _print_folder(found: FolderResult) -> None:
    from markone.tables.partitions import summary_text
    from markone.tables.scores import RESAMPLED

    if summary_text.note_missing_values(found):
        typer.echo(f"{summary_text.note_missing_values(found)}\n")
    doubt = " This may be misleading, for the reason above." if found.known.findings else ""
    typer.echo(f"{summary_text.folder_headline(found)}{doubt}\n")
    print_table(summary_text.folder_score_table(found))
    typer.echo(RESAMPLED)
    if found.known.classes:
        typer.echo("\nEach class")
        print_table(summary_text.folder_class_table(found))
    if found.summary:
        typer.echo(f"\nThe student of all rows: {found.model}")
        print_items(found.summary.sentences)
