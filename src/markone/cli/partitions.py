"""`markone fit FOLDER`: a folder of Parquet files, larger than memory perhaps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from markone.cli.pace import bar
from markone.cli.terminal import interruptible, show, tell_findings

if TYPE_CHECKING:
    from markone.tables.partitions.describing import PartitionSummary
    from markone.tables.partitions.validation import PartitionScores
    from markone.tables.request import FitRequest

FOLDS = 5


def fit(request: FitRequest, report: Path | None, save: Path | None, as_json: bool) -> None:
    """Score on folds, each fitted by sums over the files. The model itself is a matter of Python."""
    from sklearn.base import is_classifier

    from markone.tables.partitions.describing import describe_partitions
    from markone.tables.partitions.validation import validate_partitions

    refuse(request, report, save)
    model, name = chosen(request)
    with interruptible(), bar(as_json) as progress, cluster(request) as client:
        known = describe_partitions(
            request.data,
            request.options.target,
            classes=is_classifier(model),
            client=client,
            threads=request.workers or 1,
        )
        if not as_json:
            tell_findings(known.findings)
        found = validate_partitions(
            model,
            request.data,
            request.options.target,
            folds=folds(request.cv),
            scale=request.scale == "standard",
            missing=request.options.missing,
            seed=request.seed,
            client=client,
            threads=request.workers or 1,
            progress=progress,
        )
    if as_json:
        content = {"model": name, "rows": found.rows, "folds": found.folds} | described(known)
        scores = {measure: vars(value) for measure, value in found.estimates.items()}
        typer.echo(json.dumps(content | {"scores": scores, "trivial": found.trivial}))
        return
    tell(found, known, name)


def refuse(request: FitRequest, report: Path | None, save: Path | None) -> None:
    """What is not done must not be passed over in silence."""
    from markone.tables.request import AnswerOptions

    options = request.options
    asked = {
        "--report": report,
        "--save": save,
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
    given = [name for name, value in asked.items() if value]
    if given:
        raise ValueError(
            f"A folder of files is not for {given[0]}: it is scored by sums over its partitions, and "
            "answered in the terminal. Leave it out; markone.tables.fit_partitions gives the model in Python."
        )


def chosen(request: FitRequest) -> tuple[Any, str]:
    """The first partition tells numbers from classes, if nobody said."""
    from markone.tables import models
    from markone.tables.partitions.sources import as_partitions
    from markone.tables.plan.task import are_quantities
    from markone.tables.request import settings

    task = request.task
    if task == "auto":
        y = as_partitions(request.data, request.options.target).load(0)[1]
        task = models.REGRESSION if y.dtype.kind in "fiu" and are_quantities(y) else models.CLASSIFICATION
    name = request.model or models.DEFAULT[task]
    return models.make(name, settings(request.settings), request.seed, task), name


def folds(cv: str) -> int:
    from markone.tables.request import folds as read

    how = read(cv)
    return FOLDS if cv == "5x10" or how.leave_one_out else how.folds


def cluster(request: FitRequest) -> Any:
    from contextlib import nullcontext

    if request.backend != "dask":
        return nullcontext()
    from markone.lab.runner.executors import connect, cores
    from markone.numerics.lazily import needed

    return connect(needed("distributed", "dask"), request.scheduler, request.workers or cores())


def described(known: PartitionSummary) -> dict[str, Any]:
    return {
        "findings": [vars(finding) | {"numbers": dict(finding.numbers)} for finding in known.findings],
        "missing": dict(zip(known.names, known.missing.tolist(), strict=True)),
        "levels": known.levels,
        "quantiles": dict(zip(known.names, known.quantiles.T.tolist(), strict=True)),
        "classes": known.classes,
    }


def tell(found: PartitionScores, known: PartitionSummary, name: str) -> None:
    from markone.numerics.text import rounded, shortened
    from markone.show.page import PageTable
    from markone.tables.regression.scores import NAMES as OF_NUMBERS
    from markone.tables.scores import NAMES, RESAMPLED

    rows = []
    for measure, value in found.estimates.items():
        mean, low, high = rounded([value.mean, value.low, value.high], max(value.high - value.low, 1e-6) / 2)
        trivial = f"{found.trivial[measure]:.4g}" if measure in found.trivial else ""
        rows.append([(NAMES | OF_NUMBERS)[measure], mean, f"{low} to {high}", trivial])
    absent = {column: int(n) for column, n in zip(known.names, known.missing, strict=True) if n}
    if absent:
        words = shortened([f"{column} {n}" for column, n in absent.items()], 8)
        typer.echo(f"Missing values, by column: {words}.\n")
    doubt = " This may be untrue, for the reason above." if known.findings else ""
    typer.echo(f"{name} on rows it has not seen, {found.rows} rows in {found.folds} folds.{doubt}\n")
    show(PageTable(["measure", "left-out rows", "95 % interval", "without inputs"], rows))
    typer.echo(RESAMPLED)
