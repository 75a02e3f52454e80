"""The commands: each names its options and calls one function, imported when it is needed."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from markone.cli import tables
from markone.cli.tables import Json

Experiment = Annotated[str, typer.Argument(help="A name of `markone list`, or a TOML file.")]
StorePath = Annotated[
    Path | None, typer.Option(help="The database; runs/<name>/results.sqlite if not given.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUES", help="Other values: N=10,20 or alpha=0.5:3:0.5; again for more names."
    ),
]


def _allow(packages: list[str] | None) -> list[str]:
    from markone.lab import own_code

    own_code.allow(*(packages or []))
    return packages or []


# Its callback does all: what follows may run code of these packages.
Allow = Annotated[
    list[str] | None,
    typer.Option(
        "--allow",
        metavar="PACKAGE",
        help="Code of this package, which the declaration names, may run; again for more.",
        callback=_allow,
    ),
]
Size = Annotated[str, typer.Option(help="column, slide or poster.")]
Portable = Annotated[
    bool,
    typer.Option("--portable", help="Compute for x86-64-v3: the same bits on all machines of a cluster."),
]
YesReally = Annotated[bool, typer.Option("--yes-really", help="More than ten million tasks are meant.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Show nothing but problems.")]

app = typer.Typer(
    help="A laboratory for learning from examples: perceptrons beside their theory.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _version(asked: bool) -> None:
    if asked:
        from markone import __version__

        typer.echo(f"markone {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """A laboratory for learning from examples: perceptrons beside their theory."""


class Backend(StrEnum):
    threads = "threads"
    processes = "processes"
    loky = "loky"
    dask = "dask"
    mpi = "mpi"


@app.command("list")
def list_(
    chapter: Annotated[int | None, typer.Option(help="Only those of this chapter of the notes.")] = None,
    as_json: Json = False,
) -> None:
    """Show the experiments that come with markone."""
    from markone.cli import showing

    showing.experiments(chapter, as_json)


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="The experiment to copy.")],
    to: Annotated[Path | None, typer.Argument(help="The file to write; <name>.toml if not given.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:
    """Write a commented copy of an experiment, to edit and run."""
    from markone.lab.catalogue import write_copy

    path = write_copy(name, to, force)
    typer.echo(f"Wrote {path}. Edit it, then: markone run {path}")


@app.command()
def check(
    experiment: Experiment,
    store: StorePath = None,
    set_: Settings = None,
    allow: Allow = None,
    yes_really: YesReally = False,
    as_json: Json = False,
) -> None:
    """Validate, count the tasks and estimate the time; store nothing."""
    from markone.cli import running

    running.check(experiment, store, set_ or [], yes_really, as_json)


@app.command()
def run(
    experiment: Experiment,
    workers: Annotated[int | None, typer.Option(min=1, help="All cores if not given.")] = None,
    backend: Annotated[Backend, typer.Option(help="Who computes.")] = Backend.threads,
    scheduler: Annotated[str | None, typer.Option(help="Address of a running Dask scheduler.")] = None,
    trust_network: Annotated[
        bool, typer.Option("--trust-network", help="A scheduler elsewhere needs no TLS.")
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
    """Compute what is missing. Stop it as you like: the same command continues."""
    from markone.cli import running

    running.portable(portable)
    who = running.Workers(backend.value, workers, scheduler, trust_network)
    running.run(experiment, who, store, set_ or [], shard, yes_really, quiet, as_json)


@app.command()
def status(
    experiment: Annotated[str | None, typer.Argument(help="A name, or all runs in this folder.")] = None,
    store: StorePath = None,
    as_json: Json = False,
) -> None:
    """Show how far the runs in this folder have come."""
    from markone.cli import showing

    showing.status(experiment, store, as_json)


@app.command()
def verify(
    experiment: Annotated[str | None, typer.Argument(help="A name, or all runs in this folder.")] = None,
    store: StorePath = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="Keep all that is sound in a new store, the old one beside it.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Look whether the stored results are what was written: markone verify capacity"""
    from markone.cli import verifying

    raise typer.Exit(verifying.verify(experiment, store, repair, as_json))


@app.command()
def report(
    experiment: Experiment, store: StorePath = None, set_: Settings = None, allow: Allow = None
) -> None:
    """Write figures, tables and claims as one HTML page and as Markdown, beside the store."""
    from markone.cli import running

    running.report(experiment, store, set_ or [])


@app.command()
def compare(
    first: Annotated[str, typer.Argument(help="A run: a name in runs/, a store, or an experiment.")],
    second: Annotated[str, typer.Argument(help="Another one on the same grid.")],
    name: Annotated[
        str | None, typer.Option("--figure", help="Which figure; the first if not given.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Draw both into this file (.svg, .png, .pdf).")] = None,
    size: Size = "column",
    allow: Allow = None,
    as_json: Json = False,
) -> None:
    """Show how two runs differ, with 95 % intervals: markone compare one other --out both.svg"""
    from markone.cli import drawing

    drawing.compare(first, second, name, out, size, as_json)


@app.command()
def draw(
    run: Annotated[str, typer.Argument(help="A run: a name in runs/, a store, or an experiment.")],
    name: Annotated[str | None, typer.Argument(help="Which figure; all are listed if none is given.")] = None,
    size: Size = "column",
    format_: Annotated[str, typer.Option("--format", help="svg, png or pdf.")] = "svg",
    out: Annotated[Path | None, typer.Option(help="The file; <run>-<name>.<format> if not given.")] = None,
    logx: Annotated[bool | None, typer.Option("--logx/--linx", help="As declared if not given.")] = None,
    logy: Annotated[bool | None, typer.Option("--logy/--liny", help="As declared if not given.")] = None,
    allow: Allow = None,
) -> None:
    """Draw one figure of a run anew: markone draw capacity fraction --size slide --format pdf"""
    from markone.cli import drawing

    drawing.draw(run, name, size, format_, out, {"logx": logx, "logy": logy})


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def theory(
    context: typer.Context,
    curve: Annotated[str | None, typer.Argument(help="A curve; all are listed if none is given.")] = None,
    draw: Annotated[Path | None, typer.Option(help="Draw into this file (.svg, .png, .pdf).")] = None,
    as_json: Json = False,
) -> None:
    """List the exact curves, or show one: markone theory bayes --alpha 0.5,1,2 --noise 0.1"""
    from markone.cli import curves

    curves.show(curve, context.args, draw, as_json)


@app.command()
def slurm(
    experiment: Experiment,
    shards: Annotated[int, typer.Option(min=1, help="Tasks of the array.")],
    cores: Annotated[int, typer.Option(min=1, help="Cores of each.")] = 1,
    hours: Annotated[float, typer.Option(help="Time limit of each.")] = 4.0,
    store: StorePath = None,
    portable: Portable = False,
    allow: Allow = None,
) -> None:
    """Print the script of a SLURM array job: markone slurm capacity_large --shards 64 > job.sh"""
    from markone.lab.places import name_of
    from markone.lab.runner.slurm import script

    name = name_of(experiment)
    typer.echo(script(experiment, name, shards, cores, hours, store, portable, allow or []), nl=False)


@app.command()
def merge(
    experiment: Experiment,
    parts: Annotated[
        list[Path] | None, typer.Argument(help="Stores to join; all shards if none is given.")
    ] = None,
    store: StorePath = None,
    allow: Allow = None,
    other_code: Annotated[
        bool, typer.Option("--other-code", help="Also stores that another markone computed.")
    ] = False,
) -> None:
    """Join the stores of the shards, and name what is missing."""
    from markone.cli import running

    running.merge(experiment, parts or [], store, other_code)


@app.command()
def export(
    experiment: Experiment,
    to: Annotated[Path, typer.Argument(help="A .csv, .parquet or .nc file.")],
    store: StorePath = None,
    set_: Settings = None,
    allow: Allow = None,
) -> None:
    """Write the values as CSV, Parquet or NetCDF."""
    from markone.cli import running

    running.export(experiment, to, store, set_ or [])


@app.command()
def figure(
    number: Annotated[str | None, typer.Argument(help="3.4, ...; all are listed if none is given.")] = None,
    out: Annotated[Path | None, typer.Option(help="A .svg, .png or .pdf file.")] = None,
    size: Annotated[str, typer.Option(help="column, slide or poster.")] = "column",
    as_json: Json = False,
) -> None:
    """List the figures of the notes, or draw one: markone figure 3.4 --out rosenblatt.svg"""
    from markone.cli import drawing

    drawing.figure(number, out, size, as_json)


@app.command()
def watch(
    student: Annotated[str, typer.Argument(help="rosenblatt, minover, adatron, ...")],
    data: Annotated[str, typer.Option(help="easy, tight, noisy, halo, dense, arcs or rings.")] = "easy",
    points: Annotated[int, typer.Option(min=4, max=500, help="How many examples.")] = 40,
    seed: Annotated[int, typer.Option(min=0, help="Of the examples.")] = 0,
    out: Annotated[Path | None, typer.Option(help="An .html, .gif, .mp4, .svg, .png or .pdf file.")] = None,
) -> None:
    """Write a page that shows a student learning, step by step: markone watch rosenblatt --data tight"""
    from markone.cli import drawing

    drawing.watch(student, data, points, seed, out)


app.command("fit")(tables.fit)
app.command("predict")(tables.predict)


@app.command()
def doctor(
    warm: Annotated[bool, typer.Option("--warm", help="Compile the students now, on all cores.")] = False,
    as_json: Json = False,
) -> None:
    """Look whether this machine is ready."""
    from markone.cli import showing

    if warm:
        showing.warm(as_json)
    raise typer.Exit(showing.doctor(as_json))


@app.command()
def lab(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Where it listens.")] = 8765,
    host: Annotated[
        str, typer.Option(help="Another address than this machine's own needs --token.")
    ] = "127.0.0.1",
    name: Annotated[
        list[str] | None, typer.Option(help="A host name under which a reverse proxy offers it by https.")
    ] = None,
    token: Annotated[bool, typer.Option("--token", help="Only who has the link it shows gets in.")] = False,
    open_page: Annotated[bool, typer.Option("--open", help="Open it in your browser.")] = False,
) -> None:
    """See students learn, with the theory beside them, in your browser."""
    from markone.cli.lab import lab

    lab(host, port, name or [], token, open_page)


@app.command()
def docs(
    show: Annotated[bool, typer.Option(help="Open a browser; --no-show prints the place only.")] = True,
) -> None:
    """Open the built documentation, or say how to build it."""
    from markone.cli import site

    site.docs(show)
