"""`markone figure`: the figures of the notes by number, and `markone watch`: a student that learns."""

import json
from pathlib import Path

import typer


def figure(number: str | None, out: Path | None, size: str, as_json: bool) -> None:
    from markone import figures

    if number is None:
        _list(as_json)
        return
    target = out or Path(f"figure-{number}.svg")
    figures.draw(number, target, size=size)
    typer.echo(f"Drew {target}: {figures.find(number).title}")


def _list(as_json: bool) -> None:
    from markone.figures import catalogue

    for entry in catalogue():
        told = {"number": entry.number, "title": entry.title}
        typer.echo(json.dumps(told) if as_json else f"{entry.number:12} {entry.title}")
    if not as_json:
        typer.echo("\nTry: markone figure 3.4 --out rosenblatt.svg")


def watch(student: str, data: str, points: int, seed: int, out: Path | None) -> None:
    from markone.show import animate
    from markone.show.watching import learn

    target = out or Path(f"{student}-{data}.html")
    fitted, told = learn(student, data, points, seed)
    animate(fitted, title=told).save(target)
    typer.echo(f"Wrote {target}: {told}. Open it in a browser; the arrow keys step through it.")
