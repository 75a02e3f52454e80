"""Commands for documents, theory curves, figures and animations."""

import json
from pathlib import Path
from typing import Annotated

import typer

from markone.cli.commands.app import Dark, Json, Quiet, Size, Width, Workers, app
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
    from markone.data.semeion import UCI, data_home

    if name != "semeion":
        raise ValueError(f"There is no data set {name!r} to download: choose semeion.")
    if (found := find_semeion()) is None:
        if not yes:
            typer.confirm(f"Download semeion.data (2.9 MB) from {UCI} to {data_home()}?", abort=True)
        found = fetch_semeion()
    echo(f"The semeion digits are in {found}.")


@app.command("theory", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def theory_command(
    context: typer.Context,
    curve: Annotated[str | None, typer.Argument(help="A curve; all are listed if none is given.")] = None,
    draw: Annotated[
        Path | None, typer.Option("--draw", "--out", help="Draw into this file (.svg, .png, .pdf).")
    ] = None,
    as_json: Json = False,
) -> None:
    """List the theory curves, or print one: markone theory bayes --alpha 0.5,1,2 --noise 0.1

    Or solve for a student of your own: markone theory --loss "max(0, 1-E)" --l2 0.5 --teacher probit
    --noise 0.1 --alpha 0:8:0.1. An on-line rule: --f "expit(-E)". Other values: --show epsilon_t.
    """
    from markone.cli.theory import solutions

    solutions.show_theory(curve, context.args, draw, as_json)


@app.command("figure")
def figure_command(
    number: Annotated[str | None, typer.Argument(help="3.4, ...; all are listed if none is given.")] = None,
    out: Annotated[Path | None, typer.Option(help="A .svg, .png or .pdf file.")] = None,
    size: Size = "column",
    width: Width = None,
    dark: Dark = False,
    as_json: Json = False,
) -> None:
    """List the figures of the notes, or draw one: markone figure 3.4 --out rosenblatt.svg"""
    from markone import figures

    if number is not None:
        target = out or Path(f"figure-{number}.svg")
        figures.draw(number, target, size=size, width=width, dark=dark)
        echo(f"Drew {target}: {figures.find_figure(number).title}")
        return
    for entry in figures.list_figures():
        facts = {"number": entry.number, "title": entry.title}
        echo(json.dumps(facts) if as_json else f"{entry.number:12} {entry.title}")
    if not as_json:
        echo("\nTry: markone figure 3.4 --out rosenblatt.svg")


@app.command("watch")
def watch_command(
    student: Annotated[str, typer.Argument(help="rosenblatt, minover, adatron, ...")],
    data: Annotated[str, typer.Option(help="easy, tight, noisy, halo, dense, arcs or rings.")] = "easy",
    points: Annotated[int, typer.Option(min=4, max=500, help="How many examples.")] = 40,
    seed: Annotated[int, typer.Option(min=0, help="Random seed of the examples.")] = 0,
    out: Annotated[Path | None, typer.Option(help="An .html, .gif, .mp4, .svg, .png or .pdf file.")] = None,
) -> None:
    """Write a page that shows a student learning, step by step: markone watch rosenblatt --data tight"""
    from markone.show import animate
    from markone.show.demo_students import train_demo

    target = out or Path(f"{student}-{data}.html")
    fitted, title = train_demo(student, data, points, seed)
    animate(fitted, title=title).save(target)
    echo(f"Wrote {target}: {title}. Open it in a browser; the arrow keys step through it.")
