"""Commands that run experiments or read their results."""

import json
import shlex
from pathlib import Path
from typing import Any, NamedTuple

import typer

from markone.cli.terminal import echo
from markone.lab import run_paths
from markone.run.progress import format_duration


class Workers(NamedTuple):
    """How the tasks are executed."""

    backend: str
    number: int | None
    scheduler: str | None
    trusted: bool


def _load_with_settings(experiment: str, changes: list[str]) -> Any:
    """Load the experiment, with the values of --set."""
    from markone.lab.load import load_declaration

    declaration = load_declaration(experiment)
    if not changes:
        return declaration
    from markone.lab.overrides import change_declaration, parse_settings

    return change_declaration(declaration, parse_settings(changes))


def check_experiment(
    experiment: str, store: Path | None, changes: list[str], yes_really: bool, as_json: bool
) -> None:
    from markone.lab.runner.estimate import describe_grid_size, estimate_run_time
    from markone.lab.schedule.remaining import check_task_count, survey_tasks
    from markone.lab.store.results import Store
    from markone.run import executors

    declaration = _load_with_settings(experiment, changes)
    if not yes_really:
        check_task_count(declaration)
    path = run_paths.store_path(declaration.name, store)
    if path.exists():
        with Store(path, mode="r") as results:
            found = estimate_run_time(
                declaration, survey_tasks(declaration, results.done(declaration.precision_of))
            )
    else:
        found = estimate_run_time(declaration, survey_tasks(declaration, {}))
    if as_json:
        facts = {"points": found.points, "tasks": found.tasks, "repeats": found.repeats}
        echo(json.dumps({**facts, "core_seconds": found.seconds, "at_most": found.at_most}))
        return
    echo(f"{declaration.name}: {declaration.title}")
    points = describe_grid_size(len(declaration), found)
    echo(f"{points}, {found.tasks} tasks to run, {found.repeats} repeats in them.")
    text = f"About {format_duration(found.seconds)} on one core"
    if found.at_most > found.seconds:
        text += (
            f" for the next round, at most {format_duration(found.at_most)} until all points "
            "reach the precision"
        )
    cores = executors.count_cores()
    echo(f"{text}; {format_duration(found.seconds / cores)} on the {cores} cores here.")


def check_portable(requested: bool) -> None:
    """Raise if --portable comes too late: `main` sets it before numpy is imported, a Python caller must."""
    from markone.numerics import cpu

    if requested or cpu.portable_requested():
        cpu.require_portable()


def run_experiment(
    experiment: str,
    workers: Workers,
    store: Path | None,
    changes: list[str],
    shard: str | None,
    yes_really: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    from markone.lab.runner.run import run as run_all
    from markone.lab.store.results import Store
    from markone.run import executors, progress

    share = run_paths.parse_shard(shard) if shard else None
    declaration = _load_with_settings(experiment, changes)
    path = run_paths.store_path(declaration.name, store, share)
    path.parent.mkdir(parents=True, exist_ok=True)
    with (
        Store(path, mode="w") as results,
        progress.watch_progress(declaration.name, quiet=quiet, as_json=as_json) as report,
    ):
        maker = executors.executor_factory(
            workers.backend, workers.number, workers.scheduler, workers.trusted
        )
        summary = run_all(declaration, results, maker, progress=report, shard=share, yes_really=yes_really)
    _print_summary(summary, path, _rerun_arguments(experiment, changes), quiet, as_json)
    if summary.failed:
        raise typer.Exit(1)


def _rerun_arguments(experiment: str, changes: list[str]) -> str:
    """Arguments by which `markone report` finds the same run."""
    from markone.lab import foreign_code

    settings = [f"--set {shlex.quote(change)}" for change in changes]
    return " ".join(
        [experiment, *settings, *(f"--allow {package}" for package in foreign_code.allowed_packages())]
    )


def _print_summary(summary: Any, path: Path, experiment: str, quiet: bool, as_json: bool) -> None:
    if as_json:
        facts = {name: getattr(summary, name) for name in ("done", "failed", "skipped", "seconds")}
        echo(json.dumps({"event": "finished", "store": str(path), **facts}))
    elif summary.failed:
        text = f"{summary.failed} tasks failed, {summary.done} were stored in {path}."
        echo(f"{text} The report lists the errors; the same command retries them.", err=True)
    elif not quiet and not summary.done:
        echo(f"Nothing to do: all {summary.skipped} tasks are stored in {path}.")
    elif not quiet:
        if summary.alone:
            reason = "tasks were running when an earlier run crashed"
            echo(f"{summary.alone} {reason}: each was run in a separate process.")
        echo(f"{summary.done} tasks in {format_duration(summary.seconds)}, stored in {path}.")
        echo(f"See the figures: markone report {experiment}")


def write_experiment_report(experiment: str, store: Path | None, changes: list[str]) -> None:
    from markone.lab.report.pages import write_report
    from markone.lab.schedule.remaining import count_tasks
    from markone.lab.store.results import Store

    declaration, arguments = _load_with_settings(experiment, changes), _rerun_arguments(experiment, changes)
    path = run_paths.require_store(run_paths.store_path(declaration.name, store), arguments)
    with Store(path, mode="r") as results:
        points, provenance = results.points(declaration), results.provenance()
        missing = count_tasks(declaration, results.done(declaration.precision_of)).missing
    written = write_report(declaration, points, provenance, path.parent)
    echo(f"Wrote {written.html} and {written.markdown}, figures in {path.parent / 'figures'}.")
    if missing:
        echo(f"{missing} tasks are still missing: markone run {arguments} continues.")


def merge_shards(experiment: str, parts: list[Path], store: Path | None, other_code: bool) -> None:
    from markone.lab.load import load_declaration
    from markone.lab.store.merge import merge_stores as join
    from markone.lab.store.results import Store

    declaration = load_declaration(experiment)
    path = run_paths.store_path(declaration.name, store)
    sources = [run_paths.require_store(part, experiment) for part in parts or run_paths.shard_paths(path)]
    if not sources:
        raise ValueError(f"There are no shards beside {path}. Name the stores to merge after {experiment}.")
    path.parent.mkdir(parents=True, exist_ok=True)
    with Store(path, mode="w") as results:
        found = join(results, sources, declaration, other_code)
    echo(f"{found.added} tasks of {len(sources)} stores merged into {path}.")
    _print_tasks(
        "differ from what is stored here: computed by other code or on another machine", found.differing
    )
    _print_tasks(f"are missing: markone run {experiment} computes them here", found.missing)
    if found.differing or found.missing:
        raise typer.Exit(1)


def _print_tasks(what: str, tasks: list[str]) -> None:
    if tasks:
        shown = [f"  {task}" for task in tasks[:10]] + ["  ..."] * (len(tasks) > 10)
        echo("\n".join([f"{len(tasks)} tasks {what}.", *shown]), err=True)


def export_values(experiment: str, to: Path, store: Path | None, changes: list[str]) -> None:
    from markone.lab.store.export import export_results as write
    from markone.lab.store.results import Store

    declaration = _load_with_settings(experiment, changes)
    path = run_paths.require_store(
        run_paths.store_path(declaration.name, store), _rerun_arguments(experiment, changes)
    )
    with Store(path, mode="r") as results:
        write(results, declaration, to)
    echo(f"Wrote {to}")
