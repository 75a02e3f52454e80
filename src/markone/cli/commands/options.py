"""Options shared by several commands, and the declaration and the arguments that they stand for."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from markone.lab.schema import Declaration

Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that exist.")]
NoHeader = Annotated[
    bool, typer.Option("--no-header", help="The first line is data; columns are c1, c2, ...")
]
Experiment = Annotated[str, typer.Argument(help="A name of `markone list`, or a TOML file.")]
StorePath = Annotated[
    Path | None, typer.Option(help="The database; runs/<name>/results.sqlite if not given.")
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
Size = Annotated[str, typer.Option(help="column, slide or poster.")]
Dark = Annotated[bool, typer.Option("--dark", help="Light lines on a dark background.")]
Portable = Annotated[
    bool,
    typer.Option(
        "--portable", help="Compile for x86-64-v3: bit-identical results on all machines of a cluster."
    ),
]
YesReally = Annotated[bool, typer.Option("--yes-really", help="Accept more than ten million tasks.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Show nothing but problems.")]
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
