"""Commands for this machine, the web laboratory and the documentation."""

from pathlib import Path
from typing import Annotated

import typer

from markone.cli.commands.app import app
from markone.cli.commands.options import Json


@app.command("doctor")
def doctor_command(
    warm: Annotated[bool, typer.Option("--warm", help="Compile the students now, on all cores.")] = False,
    as_json: Json = False,
) -> None:
    """Check that this machine is ready."""
    from markone.cli import status_commands

    if warm:
        status_commands.warm_cache(as_json)
    raise typer.Exit(status_commands.show_doctor(as_json))


@app.command("lab")
def lab_command(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port of the server.")] = 8765,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    name: Annotated[list[str] | None, typer.Option(help="Host name of an https reverse proxy.")] = None,
    token: Annotated[
        bool,
        typer.Option(
            help="Access needs the token in the printed link; --no-token, on localhost only, gives access to "
            "every user of this machine."
        ),
    ] = True,
    open_page: Annotated[bool, typer.Option("--open", help="Open it in your browser.")] = False,
    lessons: Annotated[Path | None, typer.Option(help="Folder of your own lessons, one TOML each.")] = None,
    check_lessons: Annotated[Path | None, typer.Option(help="List the errors of the lessons there.")] = None,
    sheet: Annotated[Path | None, typer.Option(help="Write the lessons there as sheets to print.")] = None,
    export: Annotated[
        Path | None, typer.Option(help="Write a page there that needs no server, instead of serving.")
    ] = None,
    screen: Annotated[list[str] | None, typer.Option(help="Screen of the exported page.")] = None,
) -> None:
    """Start the web laboratory: students learning, compared with theory, in a browser."""
    from markone.cli import lab_server

    if check_lessons:
        raise typer.Exit(lab_server.show_lesson_problems(check_lessons))
    if sheet:
        lab_server.write_sheets(sheet, lessons)
    elif export:
        lab_server.export_lab(export, screen or [], lessons)
    else:
        lab_server.serve_lab(host, port, name or [], token, open_page, lessons)


@app.command("docs")
def docs_command(
    show: Annotated[bool, typer.Option(help="Open a browser; --no-show prints the path only.")] = True,
) -> None:
    """Open the built documentation, or print how to build it."""
    from markone.cli import docs_site

    docs_site.open_docs(show)
