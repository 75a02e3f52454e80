"""Output of `markone fit` for a regression."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from markone.cli.terminal import items, show

if TYPE_CHECKING:
    from markone.tables.regression.fitting import RegressionResult


def answer(fitted: RegressionResult, report: Path | None, save: Path | None, as_json: bool) -> None:
    import markone
    from markone.tables import model_file
    from markone.tables.regression.page import page
    from markone.tables.regression.to_dict import save_model, to_dict

    if report:
        model_file.write(report, page(fitted, sys.argv[1:], markone.__version__).encode())
    if save:
        save_model(fitted, save)
    if as_json:
        wrote = [str(path) for path in (report, save) if path]
        typer.echo(json.dumps(to_dict(fitted) | {"wrote": wrote}))
        return
    tell(fitted)
    for path in filter(None, [report, save]):
        typer.echo(f"Wrote {path}.")
    if save:
        typer.echo(f"Next: markone predict {save} NEW_TABLE --out predictions.csv")


def tell(fitted: RegressionResult) -> None:
    from markone.tables.regression import inspection, sentences

    typer.echo("What was done to the data")
    items(fitted.notes)
    typer.echo(f"\n{sentences.headline(fitted)}\n")
    if fitted.doubts:
        typer.echo("This score may be misleading")
        items(fitted.doubts)
        typer.echo("")
    if fitted.remarks:
        items(fitted.remarks)
        typer.echo("")
    show(sentences.scores(fitted))
    for text in sentences.footnotes(fitted):
        typer.echo(text)
    typer.echo("\nPrediction intervals")
    items(sentences.bands(fitted))
    typer.echo("\nLargest errors on left-out rows")
    show(sentences.furthest(fitted, 5))
    columns = inspection.columns(fitted)
    if columns.rows:
        typer.echo(f"\n{inspection.LOST}")
        show(columns, most=12)
    typer.echo(f"\nThe model of all rows: {fitted.model}")
    items(fitted.sentences)
    if fitted.weights is not None:
        typer.echo(f"\n{fitted.weights.title}")
        show(sentences.weights(fitted), most=12)
