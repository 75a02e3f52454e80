"""Commands for experiments, from the declaration to the rows in a store."""

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from markone.cli import stores
from markone.cli.commands.app import (
    Allow,
    Experiment,
    Json,
    Measure,
    Portable,
    Quiet,
    Sbatch,
    Settings,
    Setup,
    StoragePlace,
    StorePath,
    Submit,
    TrustNetwork,
    Workers,
    YesReally,
    app,
    load_with_settings,
    rerun_arguments,
)
from markone.cli.terminal import echo
from markone.lab import run_paths
from markone.run.progress import format_duration

if TYPE_CHECKING:
    from markone.lab.runner.run import RunSummary


class Backend(StrEnum):
    threads = "threads"
    processes = "processes"
    loky = "loky"
    dask = "dask"
    mpi = "mpi"


@app.command("list")
def list_command(
    chapter: Annotated[int | None, typer.Option(help="Only those of this chapter of the notes.")] = None,
    as_json: Json = False,
) -> None:
    """Show the experiments that come with markone."""
    from markone.lab import catalogue

    everything = catalogue.list_experiments()
    found = [e for e in everything if chapter in (None, e.chapter)]
    if not found:
        known = sorted({e.chapter for e in everything})
        raise ValueError(f"No experiment is about chapter {chapter}: choose one of {known}.")
    if as_json:
        for e in found:
            facts = {"name": e.name, "title": e.title, "scenario": e.scenario}
            echo(json.dumps(facts | {"chapter": e.chapter, "time": e.time}))
        return
    width, times = max(len(e.name) for e in found), max(len(e.time) for e in found)
    for number, title in catalogue.CHAPTERS.items():
        entries = [e for e in found if e.chapter == number]
        if entries:
            echo(f"Chapter {number}: {title}" if number else title)
        for e in entries:
            echo(f"  {e.name:{width}}  {e.time:>{times}}  {e.title}")
    echo("\nTimes are for one core of one machine; `markone check NAME` estimates yours.")
    echo("Try: markone check demo_capacity; markone run demo_capacity; markone report demo_capacity")


@app.command("new")
def new_command(
    name: Annotated[str, typer.Argument(help="The experiment to copy.")],
    to: Annotated[Path | None, typer.Argument(help="The file to write; <name>.toml if not given.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:
    """Write a commented copy of an experiment, to edit and run."""
    from markone.lab.catalogue import copy_experiment

    path = copy_experiment(name, to, force)
    echo(f"Wrote {path}. Edit it, then: markone run {path}")


@app.command("check")
def check_command(
    experiment: Experiment,
    store: StorePath = None,
    set_: Settings = None,
    allow: Allow = None,
    yes_really: YesReally = False,
    as_json: Json = False,
) -> None:
    """Validate, count the tasks, estimate the time and the power of the claims; store nothing."""
    from markone.lab.claims.decision_power import decision_power, describe_decision_power
    from markone.lab.claims.power import describe_power
    from markone.lab.runner.estimate import plan_run
    from markone.lab.store.results import Store

    declaration = load_with_settings(experiment, set_)
    path = run_paths.store_path(declaration.name, store)
    plan, power = plan_run(declaration, path, yes_really), list[float]()
    if path.exists():
        with Store(path, mode="r") as results:
            power = decision_power(declaration, results.points(declaration))
    if as_json:
        echo(json.dumps(plan.facts() | {"power": power}))
    else:
        decided = describe_decision_power(declaration, power)
        echo("\n".join([*plan.lines(), *describe_power(declaration), decided]))


@app.command("run")
def run_command(
    experiment: Experiment,
    workers: Workers = None,
    backend: Annotated[Backend, typer.Option(help="How the workers run.")] = Backend.threads,
    scheduler: Annotated[str | None, typer.Option(help="Address of a running Dask scheduler.")] = None,
    trust_network: TrustNetwork = False,
    store: StorePath = None,
    set_: Settings = None,
    allow: Allow = None,
    shard: Annotated[str | None, typer.Option(help="i/n: every n-th grid point, from the i-th.")] = None,
    storage: StoragePlace = None,
    portable: Portable = False,
    yes_really: YesReally = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Compute the missing tasks. It can be stopped at any time; the same command continues."""
    from markone.lab.claims.power import describe_power
    from markone.lab.runner.run import run
    from markone.lab.store.results import Store
    from markone.lab.store.storage import Storage, mirror_store
    from markone.numerics import cpu
    from markone.run import executors, progress

    # `main` requests it before numpy is imported; a Python caller must.
    if portable or cpu.portable_requested():
        cpu.require_portable()
    share = run_paths.parse_shard(shard) if shard else None
    declaration = load_with_settings(experiment, set_)
    path = run_paths.store_path(declaration.name, store, share)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not (quiet or as_json or share or path.exists()):
        for line in describe_power(declaration):
            echo(line)
    shown = progress.watch_progress(declaration.name, quiet=quiet, as_json=as_json)
    place = Storage(storage, declaration.name) if storage else None
    with shown as each, mirror_store(place, path, share, each) as report, Store(path, mode="w") as results:
        maker = executors.executor_factory(backend.value, workers, scheduler, trust_network)
        summary = run(declaration, results, maker, progress=report, shard=share, yes_really=yes_really)
    _end_run(summary, path, rerun_arguments(experiment, set_), quiet, as_json)


def _end_run(summary: "RunSummary", path: Path, arguments: str, quiet: bool, as_json: bool) -> None:
    """Print the summary of a run, and end with an error if tasks have failed."""
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
        echo(f"See the figures: markone report {arguments}")
    if summary.failed:
        raise typer.Exit(1)


@app.command("status")
def status_command(
    experiment: Annotated[str | None, typer.Argument(help="A name, or all runs in this folder.")] = None,
    store: StorePath = None,
    as_json: Json = False,
) -> None:
    """Show the progress of the runs in this folder."""
    stores.show_status(experiment, store, as_json)


@app.command("verify")
def verify_command(
    experiment: Annotated[str | None, typer.Argument(help="A name, or all runs in this folder.")] = None,
    store: StorePath = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="Copy all valid rows to a new store; keep the old one.")
    ] = False,
    storage: StoragePlace = None,
    as_json: Json = False,
) -> None:
    """Check the integrity of the stored results: markone verify capacity"""
    raise typer.Exit(stores.verify_stores(experiment, store, repair, as_json, storage))


@app.command("slurm")
def slurm_command(
    experiment: Experiment,
    shards: Annotated[int, typer.Option(min=1, help="Tasks of the array.")],
    cores: Annotated[int, typer.Option(min=1, help="Cores of each.")] = 1,
    hours: Annotated[float, typer.Option(help="Time limit of each.")] = 4.0,
    measure: Measure = False,
    sbatch: Sbatch = None,
    setup: Setup = None,
    store: StorePath = None,
    set_: Settings = None,
    portable: Portable = False,
    allow: Allow = None,
    submit: Submit = False,
) -> None:
    """Print the script of a SLURM array job: markone slurm capacity_large --shards 64 > job.sh"""
    from markone.lab.runner.slurm import ArrayJob, hours_of_work, submit_job

    name = run_paths.experiment_name(experiment)
    if measure or set_:
        declaration = load_with_settings(experiment, set_)
        name = declaration.name
    if measure:
        from markone.lab.runner.estimate import plan_run

        plan = plan_run(declaration, run_paths.store_path(name, store))
        hours = hours_of_work(plan.estimate.at_most, shards, cores)
    given = (store, portable, allow or (), set_ or (), sbatch or (), setup or ())
    job = ArrayJob(experiment, name, shards, cores, hours, *given)
    if not submit:
        echo(job.array_script(), nl=False)
        return
    array, merge = submit_job(job)
    echo(f"Submitted the array as job {array}; job {merge} merges its shards when it has ended.")


@app.command("merge")
def merge_command(
    experiment: Experiment,
    parts: Annotated[
        list[Path] | None, typer.Argument(help="Stores to merge; all shards if none is given.")
    ] = None,
    store: StorePath = None,
    storage: StoragePlace = None,
    set_: Settings = None,
    allow: Allow = None,
    other_code: Annotated[
        bool, typer.Option("--other-code", help="Also accept stores computed by another version of markone.")
    ] = False,
) -> None:
    """Merge the stores of the shards and list the missing tasks."""
    from markone.lab.store.merge import merge_stores
    from markone.lab.store.results import Store
    from markone.lab.store.storage import Storage

    declaration = load_with_settings(experiment, set_)
    path = run_paths.store_path(declaration.name, store)
    sources = [run_paths.require_store(part, experiment) for part in parts or run_paths.shard_paths(path)]
    if not (sources or storage):
        raise ValueError(f"There are no shards beside {path}. Name the stores to merge after {experiment}.")
    path.parent.mkdir(parents=True, exist_ok=True)
    with Store(path, mode="w") as results:
        found, number = merge_stores(results, sources, declaration, other_code), len(sources)
        if storage:
            found, number = Storage(storage, declaration.name).merge_into(results, declaration, other_code)
    echo(f"{found.added} tasks of {number} stores merged into {path}.")
    other = "differ from what is stored here: computed by other code or on another machine"
    _print_tasks(other, found.differing)
    _print_tasks(f"are missing: markone run {experiment} computes them here", found.missing)
    if found.differing or found.missing:
        raise typer.Exit(1)


def _print_tasks(what: str, tasks: list[str]) -> None:
    if tasks:
        shown = [f"  {task}" for task in tasks[:10]] + ["  ..."] * (len(tasks) > 10)
        echo("\n".join([f"{len(tasks)} tasks {what}.", *shown]), err=True)
