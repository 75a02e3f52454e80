"""Commands for this machine, the web laboratory and the documentation."""

import json
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from markone.cli.commands.app import Json, app
from markone.cli.terminal import echo

ROOT = Path(__file__).resolve().parents[4]


@app.command("doctor")
def doctor_command(
    warm: Annotated[bool, typer.Option("--warm", help="Compile the students now, on all cores.")] = False,
    as_json: Json = False,
) -> None:
    """Check that this machine is ready."""
    from markone.lab import run_paths
    from markone.run import machine_check, precompile, progress

    if warm:
        with progress.watch_progress("compiling", as_json=as_json) as report:
            precompile.precompile_students(report)
    findings = machine_check.examine_machine(run_paths.RUNS)
    for finding in findings:
        if as_json:
            echo(json.dumps(vars(finding)))
            continue
        echo(f"{'ok  ' if finding.good else 'LOOK'} {finding.name:15} {finding.value}")
        if finding.advice:
            echo(f"     {finding.advice}")
    raise typer.Exit(0 if all(finding.good for finding in findings) else 1)


@app.command("lab")
def lab_command(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port of the server.")] = 8765,
    host: Annotated[
        str | None, typer.Option(help="Address to listen on (127.0.0.1; with --class 0.0.0.0).")
    ] = None,
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
    with_class: Annotated[
        bool, typer.Option("--class", help="Let students predict on their phones; they join with a code.")
    ] = False,
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
        host = host or ("0.0.0.0" if with_class else "127.0.0.1")
        lab_server.serve_lab(host, port, name or [], token, open_page, lessons, with_class)


@app.command("docs")
def docs_command(
    show: Annotated[bool, typer.Option(help="Open a browser; --no-show prints the path only.")] = True,
) -> None:
    """Open the built documentation, or print how to build it."""
    open_docs(show)


def open_docs(show: bool, root: Path = ROOT) -> None:
    """Print the path of the documentation built in a clone, and open it in a browser."""
    page = root / "docs" / "_build" / "html" / "index.html"
    if not page.exists():
        here = "in this clone" if (root / "docs" / "conf.py").exists() else "in a clone of the repository"
        raise FileNotFoundError(f"The documentation is not built. Build it {here}: make docs")
    echo(str(page))
    if show:
        webbrowser.open(page.as_uri())
