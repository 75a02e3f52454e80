"""Commands that reproduce documents and fetch their data."""

from pathlib import Path
from typing import Annotated

import typer

from markone.cli.commands.app import app
from markone.cli.commands.options import Quiet


@app.command("reproduce")
def reproduce_command(
    document: Annotated[str | None, typer.Argument(help="All are listed if none is given.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the page; runs/<document> by default.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="All cores if not given.")] = None,
    quiet: Quiet = False,
) -> None:
    """Reproduce a document on one page: markone reproduce learning-a-rule"""
    from markone.cli import document_commands

    document_commands.reproduce_document(document, out, workers, quiet)


@app.command("data")
def data_command(
    name: Annotated[str, typer.Argument(help="semeion: the digits of the digits report.")],
    yes: Annotated[bool, typer.Option("--yes", help="Download without asking.")] = False,
) -> None:
    """Download a data set that cannot be shipped: markone data semeion"""
    from markone.cli import document_commands

    document_commands.fetch_data_set(name, yes)
