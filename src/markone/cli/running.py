"""Commands that run experiments or read their results."""

import json
import shlex
from pathlib import Path
from typing import Any, NamedTuple

import typer

from markone.lab import places
from markone.lab.runner.progress import duration


class Workers(NamedTuple):
    """How the tasks are executed."""

    backend: str
    number: int | None
    scheduler: str | None
    trusted: bool


def declared(experiment: str, changes: list[str]) -> Any:
    """Load the experiment, with the values of --set."""
    from markone.lab.load import load

    declaration = load(experiment)
    if not changes:
        return declaration
    from markone.lab.overrides import changed, settings

    return changed(declaration, settings(changes))


def check(experiment: str, store: Path | None, changes: list[str], yes_really: bool, as_json: bool) -> None:
    from markone.lab.runner import executors
    from markone.lab.runner.estimate import estimate, grid_points
    from markone.lab.store.results import Store
    from markone.lab.survey import not_too_many, survey

    declaration = declared(experiment, changes)
    if not yes_really:
        not_too_many(declaration)
    path = places.store_path(declaration.name, store)
    if path.exists():
        with Store(path, mode="r") as results:
            found = estimate(declaration, survey(declaration, results.done(declaration.precision_of)))
    else:
        found = estimate(declaration, survey(declaration, {}))
    if as_json:
        facts = {"points": found.points, "tasks": found.tasks, "repeats": found.repeats}
        typer.echo(json.dumps({**facts, "core_seconds": found.seconds, "at_most": found.at_most}))
        return
    typer.echo(f"{declaration.name}: {declaration.title}")
    points = grid_points(len(declaration), found)
    typer.echo(f"{points}, {found.tasks} tasks to run, {found.repeats} repeats in them.")
    text = f"About {duration(found.seconds)} on one core"
    if found.at_most > found.seconds:
        text += f" for the next round, at most {duration(found.at_most)} until all points reach the precision"
    cores = executors.cores()
    typer.echo(f"{text}; {duration(found.seconds / cores)} on the {cores} cores here.")


def portable(requested: bool) -> None:
    """Raise if --portable comes too late: `main` sets it before numpy is imported, a Python caller must."""
    from markone.numerics import cpu

    if requested or cpu.asked():
        cpu.require_pinned()


def run(
    experiment: str,
    workers: Workers,
    store: Path | None,
    changes: list[str],
    shard: str | None,
    yes_really: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    from markone.lab.runner import executors, progress
    from markone.lab.runner.run import run as run_all
    from markone.lab.store.results import Store

    share = places.parse_shard(shard) if shard else None
    declaration = declared(experiment, changes)
    path = places.store_path(declaration.name, store, share)
    path.parent.mkdir(parents=True, exist_ok=True)
    with (
        Store(path, mode="w") as results,
        progress.watch(declaration.name, quiet=quiet, as_json=as_json) as report,
    ):
        maker = executors.named(workers.backend, workers.number, workers.scheduler, workers.trusted)
        summary = run_all(declaration, results, maker, progress=report, shard=share, yes_really=yes_really)
    _tell(summary, path, again(experiment, changes), quiet, as_json)
    if summary.failed:
        raise typer.Exit(1)


def again(experiment: str, changes: list[str]) -> str:
    """Arguments by which `markone report` finds the same run."""
    from markone.lab import own_code

    settings = [f"--set {shlex.quote(change)}" for change in changes]
    return " ".join([experiment, *settings, *(f"--allow {package}" for package in own_code.allowed())])


def _tell(summary: Any, path: Path, experiment: str, quiet: bool, as_json: bool) -> None:
    if as_json:
        facts = {name: getattr(summary, name) for name in ("done", "failed", "skipped", "seconds")}
        typer.echo(json.dumps({"event": "finished", "store": str(path), **facts}))
    elif summary.failed:
        text = f"{summary.failed} tasks failed, {summary.done} were stored in {path}."
        typer.echo(f"{text} The report lists the errors; the same command retries them.", err=True)
    elif not quiet and not summary.done:
        typer.echo(f"Nothing to do: all {summary.skipped} tasks are stored in {path}.")
    elif not quiet:
        if summary.alone:
            reason = "tasks were running when an earlier run crashed"
            typer.echo(f"{summary.alone} {reason}: each was run in a separate process.")
        typer.echo(f"{summary.done} tasks in {duration(summary.seconds)}, stored in {path}.")
        typer.echo(f"See the figures: markone report {experiment}")


def report(experiment: str, store: Path | None, changes: list[str]) -> None:
    from markone.lab.report.pages import write
    from markone.lab.store.results import Store
    from markone.lab.survey import count

    declaration, arguments = declared(experiment, changes), again(experiment, changes)
    path = places.existing(places.store_path(declaration.name, store), arguments)
    with Store(path, mode="r") as results:
        points, provenance = results.points(declaration), results.provenance()
        missing = count(declaration, results.done(declaration.precision_of)).missing
    written = write(declaration, points, provenance, path.parent)
    typer.echo(f"Wrote {written.html} and {written.markdown}, figures in {path.parent / 'figures'}.")
    if missing:
        typer.echo(f"{missing} tasks are still missing: markone run {arguments} continues.")


def merge(experiment: str, parts: list[Path], store: Path | None, other_code: bool) -> None:
    from markone.lab.load import load
    from markone.lab.store.merge import merge as join
    from markone.lab.store.results import Store

    declaration = load(experiment)
    path = places.store_path(declaration.name, store)
    sources = [places.existing(part, experiment) for part in parts or places.shard_paths(path)]
    if not sources:
        raise ValueError(f"There are no shards beside {path}. Name the stores to merge after {experiment}.")
    path.parent.mkdir(parents=True, exist_ok=True)
    with Store(path, mode="w") as results:
        found = join(results, sources, declaration, other_code)
    typer.echo(f"{found.added} tasks of {len(sources)} stores merged into {path}.")
    _complain(
        "differ from what is stored here: computed by other code or on another machine", found.differing
    )
    _complain(f"are missing: markone run {experiment} computes them here", found.missing)
    if found.differing or found.missing:
        raise typer.Exit(1)


def _complain(what: str, tasks: list[str]) -> None:
    if tasks:
        shown = [f"  {task}" for task in tasks[:10]] + ["  ..."] * (len(tasks) > 10)
        typer.echo("\n".join([f"{len(tasks)} tasks {what}.", *shown]), err=True)


def export(experiment: str, to: Path, store: Path | None, changes: list[str]) -> None:
    from markone.lab.store.export import export as write
    from markone.lab.store.results import Store

    declaration = declared(experiment, changes)
    path = places.existing(places.store_path(declaration.name, store), again(experiment, changes))
    with Store(path, mode="r") as results:
        write(results, declaration, to)
    typer.echo(f"Wrote {to}")
