"""Commands that reproduce documents and fetch their data."""

from pathlib import Path
from typing import Annotated

import typer

from markone.cli.commands.app import app
from markone.cli.commands.options import Quiet, Workers
from markone.cli.terminal import echo


@app.command("reproduce")
def reproduce_command(
    document: Annotated[str | None, typer.Argument(help="All are listed if none is given.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the page; runs/<document> by default.")] = None,
    workers: Workers = None,
    quiet: Quiet = False,
) -> None:
    """Reproduce a document on one page: markone reproduce learning-a-rule"""
    from markone.lab.documents.spec import document_names, load_document

    if document is None:
        for known in document_names():
            found = load_document(known)
            echo(f"{known:16} {found.title} ({found.authors})")
        echo("\nTry: markone reproduce learning-a-rule")
        return
    from markone.lab.documents.reproduction import describe_answers, reproduce

    written = reproduce(document, folder=out, workers=workers, progress=not quiet)
    echo(f"Wrote {written.page}: {describe_answers(written.answers)}.")


@app.command("data")
def data_command(
    name: Annotated[str, typer.Argument(help="semeion: the digits of the digits report.")],
    yes: Annotated[bool, typer.Option("--yes", help="Download without asking.")] = False,
) -> None:
    """Download a data set that cannot be shipped: markone data semeion"""
    from markone.data import fetch_semeion, find_semeion
    from markone.data.fetching import UCI
    from markone.data.semeion import data_home

    if name != "semeion":
        raise ValueError(f"There is no data set {name!r} to download: choose semeion.")
    if (found := find_semeion()) is None:
        if not yes:
            typer.confirm(f"Download semeion.data (2.9 MB) from {UCI} to {data_home()}?", abort=True)
        found = fetch_semeion()
    echo(f"The semeion digits are in {found}.")
