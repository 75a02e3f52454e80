"""`markone fit FOLDER`: a folder of Parquet files, possibly larger than memory."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from markone.cli.pace import bar
from markone.cli.terminal import interruptible, items, show, tell_findings

if TYPE_CHECKING:
    from markone.tables.partitions.folder import FolderResult
    from markone.tables.request import FitRequest


def fit(request: FitRequest, report: Path | None, save: Path | None, as_json: bool) -> None:
    """Cross-validate by sums over the files; fit to all rows if a report or a model is requested."""
    refuse(request)
    with interruptible(), bar(as_json) as progress:
        from markone.tables.partitions.folder import fit_folder

        with cluster(request) as client:
            show_findings = tell_findings if not as_json else lambda found: None
            found = fit_folder(request, client, bool(report or save), progress, show_findings)
    write(found, report, save)
    if as_json:
        from markone.tables.partitions.saying import to_dict

        typer.echo(json.dumps(to_dict(found) | {"wrote": [str(path) for path in (report, save) if path]}))
        return
    tell(found)
    for path in filter(None, [report, save]):
        typer.echo(f"Wrote {path}.")
    if save:
        typer.echo(f"Next: markone predict {save} NEW_FOLDER --out predictions.csv")


def write(found: FolderResult, report: Path | None, save: Path | None) -> None:
    if report:
        import markone
        from markone.tables.model_file import write as write_file
        from markone.tables.partitions.page import page

        write_file(report, page(found, sys.argv[1:], markone.__version__).encode())
    if save:
        from markone.tables.partitions.keeping import save_folder

        save_folder(found, save)


def refuse(request: FitRequest) -> None:
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


def cluster(request: FitRequest) -> Any:
    from contextlib import nullcontext

    if request.backend != "dask":
        return nullcontext()
    from markone.lab.runner.executors import connect, cores
    from markone.numerics.lazily import needed

    return connect(needed("distributed", "dask"), request.scheduler, request.workers or cores())


def tell(found: FolderResult) -> None:
    from markone.tables.partitions import saying
    from markone.tables.scores import RESAMPLED

    if saying.missing(found):
        typer.echo(f"{saying.missing(found)}\n")
    doubt = " This may be misleading, for the reason above." if found.known.findings else ""
    typer.echo(f"{saying.headline(found)}{doubt}\n")
    show(saying.score_table(found))
    typer.echo(RESAMPLED)
    if found.known.classes:
        typer.echo("\nEach class")
        show(saying.classes_table(found))
    if found.summary:
        typer.echo(f"\nThe student of all rows: {found.model}")
        items(found.summary.sentences)
