"""Commands for experiments, from the declaration to the rows in a store."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from markone.cli.commands.app import app
from markone.cli.commands.options import (
    Allow,
    Experiment,
    Json,
    Portable,
    Quiet,
    Settings,
    StorePath,
    YesReally,
)
from markone.cli.terminal import echo


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
    from markone.cli import status_commands

    status_commands.print_experiments(chapter, as_json)


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
    """Validate, count the tasks and estimate the time; store nothing."""
    from markone.cli import experiment_commands

    experiment_commands.check_experiment(experiment, store, set_ or [], yes_really, as_json)


@app.command("run")
def run_command(
    experiment: Experiment,
    workers: Annotated[int | None, typer.Option(min=1, help="All cores if not given.")] = None,
    backend: Annotated[Backend, typer.Option(help="How the workers run.")] = Backend.threads,
    scheduler: Annotated[str | None, typer.Option(help="Address of a running Dask scheduler.")] = None,
    trust_network: Annotated[
        bool, typer.Option("--trust-network", help="Accept a remote scheduler without TLS.")
    ] = False,
    store: StorePath = None,
    set_: Settings = None,
    allow: Allow = None,
    shard: Annotated[str | None, typer.Option(help="i/n: every n-th grid point, from the i-th.")] = None,
    portable: Portable = False,
    yes_really: YesReally = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Compute the missing tasks. It can be stopped at any time; the same command continues."""
    from markone.cli import experiment_commands

    experiment_commands.check_portable(portable)
    pool = experiment_commands.Workers(backend.value, workers, scheduler, trust_network)
    experiment_commands.run_experiment(experiment, pool, store, set_ or [], shard, yes_really, quiet, as_json)


@app.command("status")
def status_command(
    experiment: Annotated[str | None, typer.Argument(help="A name, or all runs in this folder.")] = None,
    store: StorePath = None,
    as_json: Json = False,
) -> None:
    """Show the progress of the runs in this folder."""
    from markone.cli import status_commands

    status_commands.show_status(experiment, store, as_json)


@app.command("verify")
def verify_command(
    experiment: Annotated[str | None, typer.Argument(help="A name, or all runs in this folder.")] = None,
    store: StorePath = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="Copy all valid rows to a new store; keep the old one.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Check the integrity of the stored results: markone verify capacity"""
    from markone.cli import verify_stores

    raise typer.Exit(verify_stores.verify_stores(experiment, store, repair, as_json))


@app.command("slurm")
def slurm_command(
    experiment: Experiment,
    shards: Annotated[int, typer.Option(min=1, help="Tasks of the array.")],
    cores: Annotated[int, typer.Option(min=1, help="Cores of each.")] = 1,
    hours: Annotated[float, typer.Option(help="Time limit of each.")] = 4.0,
    store: StorePath = None,
    portable: Portable = False,
    allow: Allow = None,
) -> None:
    """Print the script of a SLURM array job: markone slurm capacity_large --shards 64 > job.sh"""
    from markone.lab.run_paths import experiment_name
    from markone.lab.runner.slurm import slurm_script

    name = experiment_name(experiment)
    echo(slurm_script(experiment, name, shards, cores, hours, store, portable, allow or []), nl=False)


@app.command("merge")
def merge_command(
    experiment: Experiment,
    parts: Annotated[
        list[Path] | None, typer.Argument(help="Stores to merge; all shards if none is given.")
    ] = None,
    store: StorePath = None,
    allow: Allow = None,
    other_code: Annotated[
        bool, typer.Option("--other-code", help="Also accept stores computed by another version of markone.")
    ] = False,
) -> None:
    """Merge the stores of the shards and list the missing tasks."""
    from markone.cli import experiment_commands

    experiment_commands.merge_shards(experiment, parts or [], store, other_code)
