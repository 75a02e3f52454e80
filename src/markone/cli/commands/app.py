"""The Typer application."""

from typing import Annotated

import typer

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
