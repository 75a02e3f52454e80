"""Commands that draw: figures of the notes, of one run, of two runs, and animations."""

import json
from pathlib import Path
from typing import Any

from markone.cli.terminal import echo


def draw_notes_figure(number: str | None, out: Path | None, size: str, dark: bool, as_json: bool) -> None:
    from markone import figures

    if number is None:
        _list_figures(as_json)
        return
    target = out or Path(f"figure-{number}.svg")
    figures.draw(number, target, size=size, dark=dark)
    echo(f"Drew {target}: {figures.find_figure(number).title}")


def _list_figures(as_json: bool) -> None:
    from markone.figures import list_figures

    for entry in list_figures():
        facts = {"number": entry.number, "title": entry.title}
        echo(json.dumps(facts) if as_json else f"{entry.number:12} {entry.title}")
    if not as_json:
        echo("\nTry: markone figure 3.4 --out rosenblatt.svg")


def write_animation(student: str, data: str, points: int, seed: int, out: Path | None) -> None:
    from markone.show import animate
    from markone.show.demo_students import train_demo

    target = out or Path(f"{student}-{data}.html")
    fitted, title = train_demo(student, data, points, seed)
    animate(fitted, title=title).save(target)
    echo(f"Wrote {target}: {title}. Open it in a browser; the arrow keys step through it.")


def draw_run_figure(
    run: str,
    name: str | None,
    size: str,
    dark: bool,
    suffix: str,
    out: Path | None,
    changes: dict[str, Any],
) -> None:
    from markone.lab.result import Result

    result = Result.open(run)
    if name is None:
        for figure in result.declaration.figures:
            echo(f"{figure.name:20} {figure.ylabel or ', '.join(figure.measures) or figure.picture}")
        return
    given = {key: value for key, value in changes.items() if value is not None}
    drawn = result.plot(name, size=size, dark=dark, **given)
    echo(f"Drew {drawn.save(out or Path(f'{result.name}-{name}.{suffix}'))}")


def compare_two_runs(
    first: str, second: str, name: str | None, out: Path | None, size: str, as_json: bool
) -> None:
    from markone.cli.terminal import print_table
    from markone.lab.comparison import compare as compared

    found = compared(first, second)
    if as_json:
        echo(found.frame().to_json(orient="records"))
    else:
        echo(f"{found!r}\n")
        print_table(found.table())
    if out is not None:
        echo(f"Drew {found.plot(name, size=size).save(out)}", err=as_json)
