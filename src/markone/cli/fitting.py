"""`markone fit`: a person with a table, answered in sentences."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from markone.errors import Interrupted

if TYPE_CHECKING:
    from markone.lab.fitting.work import Asked, Fitted
    from markone.show.page import PageTable as Table

PICKLES = (".pkl", ".pickle", ".joblib")


def fit(asked: Asked, report: Path | None, save: Path | None, force: bool, as_json: bool) -> None:
    from markone.lab.fitting import work

    free(asked.data, [report, save], force)
    if save and save.suffix.lower() in PICKLES:
        raise ValueError(f"--save {save}: pickles can run code when they are loaded. Write a .skops file.")
    with interruptible(), bar(as_json) as progress:
        fitted = work.fit(asked, progress)
    written = []
    if report:
        written.append(write_report(fitted, report))
    if save:
        written.append(write_model(fitted, save))
    if as_json:
        from markone.lab.fitting.facts import facts

        typer.echo(json.dumps(facts(fitted) | {"wrote": [str(path) for path in written]}))
        return
    tell(fitted)
    for path in written:
        typer.echo(f"Wrote {path}.")
    if save:
        typer.echo(f"Next: markone predict {save} NEW_TABLE --out predictions.csv")


def free(data: str, paths: list[Path | None], force: bool) -> None:
    """Nothing is overwritten without --force, and the table never."""
    named = [path for path in paths if path]
    if len({path.resolve() for path in named}) < len(named):
        raise ValueError(f"{named[0]} is asked for twice: give each result a file of its own.")
    for path in named:
        if Path(data).exists() and path.exists() and path.samefile(data):
            raise ValueError(f"{path} is the table itself and will not be overwritten.")
        if path.is_dir():
            raise ValueError(f"{path} is a folder. Give the name of the file to write.")
        if path.exists() and not force:
            raise FileExistsError(f"{path} exists already. Give another name, or --force to overwrite it.")


@contextmanager
def interruptible() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted("Interrupted. Nothing was written.") from None


@contextmanager
def bar(hidden: bool) -> Iterator[Callable[[int, int], None]]:
    """Folds done, on a terminal only."""
    if hidden or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("cross-validating", total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)


def write_report(fitted: Fitted, path: Path) -> Path:
    import markone
    from markone.lab.fitting.page import page
    from markone.lab.fitting.saving import write

    write(path, page(fitted, sys.argv[1:], markone.__version__).encode())
    return path


def write_model(fitted: Fitted, path: Path) -> Path:
    from markone.lab.fitting.facts import facts
    from markone.lab.fitting.saving import Model, dump

    dump(Model(fitted.plan, fitted.pipeline, fitted.judge, facts(fitted)), path)
    return path


def tell(fitted: Fitted) -> None:
    from markone.lab.fitting import tables

    typer.echo("What was done to the data")
    for note in fitted.notes:
        typer.echo(f"- {note}")
    typer.echo(f"\n{tables.headline(fitted)}\n")
    show(tables.scores(fitted))
    for text in tables.footnotes(fitted):
        typer.echo(text)
    typer.echo("\nConfusion: rows of each true class, by predicted class, mean over the repeats")
    show(tables.confusion(fitted))
    for text in filter(None, [tables.chosen(fitted), tables.doubtful(fitted)]):
        typer.echo(text)
    typer.echo(f"\nThe student of all rows: {fitted.model}")
    for sentence in fitted.portrait.sentences:
        typer.echo(f"- {sentence}")
    if fitted.portrait.bars is not None:
        typer.echo(f"\n{fitted.portrait.bars.title}")
        show(tables.inputs(fitted), most=12)
    if fitted.portrait.prototypes is not None:
        typer.echo("\nPrototypes")
        show(tables.prototypes(fitted), most=12)


def show(table: Table, most: int = 100) -> None:
    """A table with lines on a terminal, aligned words in a file."""
    rows = table.rows[:most]
    if sys.stdout.isatty():
        from rich import box
        from rich.console import Console
        from rich.table import Table as Rich

        rich = Rich(box=box.SIMPLE_HEAD)
        for k, name in enumerate(table.header):
            rich.add_column(name, justify="right" if k else "left")
        for row in rows:
            rich.add_row(*row)
        Console().print(rich)
    else:
        widths = [max(map(len, column)) for column in zip(table.header, *rows, strict=True)]
        for row in [table.header, *rows]:
            cells = [
                f"{cell:{'>' if k else '<'}{w}}" for k, (cell, w) in enumerate(zip(row, widths, strict=True))
            ]
            typer.echo("  ".join(cells))
    if len(table.rows) > most:
        typer.echo(f"... and {len(table.rows) - most} more (all of them in --report and --json)")
