"""This machine, the laboratory on it, and the pages."""

from typing import Annotated

import typer

from markone.cli.commands.app import app
from markone.cli.commands.options import Json


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
