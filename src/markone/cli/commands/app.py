"""The Typer application, options shared by several commands, and the declaration that they stand for."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from markone.lab.schema import Declaration

app = typer.Typer(
    help="A laboratory for learning from examples: perceptrons beside their theory.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _show_version(given: bool) -> None:
    if given:
        from markone import __version__

        typer.echo(f"markone {__version__}")
        raise typer.Exit


@app.callback()
def _global_options(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """A laboratory for learning from examples: perceptrons beside their theory."""


Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")]
NoHeader = Annotated[
    bool, typer.Option("--no-header", help="The first line is data; columns are c1, c2, ...")
]
Experiment = Annotated[str, typer.Argument(help="A name of `markone list`, or a TOML file.")]
StorePath = Annotated[
    Path | None, typer.Option(help="The database; runs/<name>/results.sqlite if not given.")
]
StoragePlace = Annotated[
    str | None,
    typer.Option(
        "--storage", metavar="PLACE", help="Also keep the rows in a shared folder or at an fsspec path."
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUES", help="Other values: N=10,20 or alpha=0.5:3:0.5; may be repeated."
    ),
]


def _allow_packages(packages: list[str] | None) -> list[str]:
    from markone.lab import foreign_code

    foreign_code.allow_packages(*(packages or []))
    return packages or []


# Its callback allows the code of these packages for the rest of the process.
Allow = Annotated[
    list[str] | None,
    typer.Option(
        "--allow",
        metavar="PACKAGE",
        help="Allow code of this package, named in the declaration, to run; may be repeated.",
        callback=_allow_packages,
    ),
]
Size = Annotated[str, typer.Option(help="column, double (two columns), slide or poster.")]
Width = Annotated[str | None, typer.Option(help="Another width: 86mm, 17.2cm, 3.4in, 246pt.")]
Style = Annotated[Path | None, typer.Option(help="A style file of matplotlib, with fonts and lines.")]
Dark = Annotated[bool, typer.Option("--dark", help="Light lines on a dark background.")]
Portable = Annotated[
    bool,
    typer.Option(
        "--portable", help="Compile for x86-64-v3: bit-identical results on all machines of a cluster."
    ),
]
YesReally = Annotated[bool, typer.Option("--yes-really", help="Accept more than ten million tasks.")]
# Of `markone slurm`.
Measure = Annotated[bool, typer.Option("--measure", help="Time limit by `markone check`, and half as much.")]
Sbatch = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=VALUE", help="mem=4G, partition=short, account=, qos=; repeatable."),
]
Setup = Annotated[
    list[str] | None, typer.Option(help='Line of shell run before, "module load python"; repeatable.')
]
Submit = Annotated[
    bool, typer.Option("--submit", help="Submit it, and a job that merges the shards when it has ended.")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Show nothing but problems.")]
TrustNetwork = Annotated[bool, typer.Option("--trust-network", help="Accept a remote scheduler without TLS.")]
Workers = Annotated[int | None, typer.Option(min=1, help="All cores if not given.")]
Run = Annotated[str, typer.Argument(help="A run: a name in runs/, a store, or an experiment.")]


def load_with_settings(experiment: str, changes: list[str] | None) -> "Declaration":
    """The declaration of an experiment, with the values of --set."""
    from markone.lab.load import load_declaration

    declaration = load_declaration(experiment)
    if not changes:
        return declaration
    from markone.lab.overrides import change_declaration, parse_settings

    return change_declaration(declaration, parse_settings(changes))


def rerun_arguments(experiment: str, changes: list[str] | None) -> str:
    """Arguments by which another command finds the same run."""
    from markone.lab import foreign_code

    settings = [f"--set {shlex.quote(change)}" for change in changes or []]
    allowed = [f"--allow {package}" for package in foreign_code.allowed_packages()]
    return " ".join([experiment, *settings, *allowed])
