"""Output of `markone fit` for a regression."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from markone.cli.terminal import print_items, print_table

if TYPE_CHECKING:
    from markone.tables.regression.fitting import RegressionResult


def write_regression(fitted: RegressionResult, report: Path | None, save: Path | None, as_json: bool) -> None:
    import markone
    from markone.tables import model_file
    from markone.tables.regression.regression_page import build_regression_page
    from markone.tables.regression.to_dict import regression_to_dict, save_regressor

    if report:
        model_file.write_output_file(
            report, build_regression_page(fitted, sys.argv[1:], markone.__version__).encode()
        )
    if save:
        save_regressor(fitted, save)
    if as_json:
        wrote = [str(path) for path in (report, save) if path]
        typer.echo(json.dumps(regression_to_dict(fitted) | {"wrote": wrote}))
        return
    _print_regression(fitted)
    for path in filter(None, [report, save]):
        typer.echo(f"Wrote {path}.")
    if save:
        typer.echo(f"Next: markone predict {save} NEW_TABLE --out predictions.csv")


def _print_regression(fitted: RegressionResult) -> None:
    from markone.tables.regression import inspection, regression_text

    typer.echo("What was done to the data")
    print_items(fitted.notes)
    typer.echo(f"\n{regression_text.regression_headline(fitted)}\n")
    if fitted.doubts:
        typer.echo("This score may be misleading")
        print_items(fitted.doubts)
        typer.echo("")
    if fitted.remarks:
        print_items(fitted.remarks)
        typer.echo("")
    print_table(regression_text.error_table(fitted))
    for text in regression_text.error_footnotes(fitted):
        typer.echo(text)
    typer.echo("\nPrediction intervals")
    print_items(regression_text.coverage_sentences(fitted))
    typer.echo("\nLargest errors on left-out rows")
    print_table(regression_text.largest_error_table(fitted, 5))
    columns = inspection.error_importance_table(fitted)
    if columns.rows:
        typer.echo(f"\n{inspection.IMPORTANCE_TITLE}")
        print_table(columns, most=12)
    typer.echo(f"\nThe model of all rows: {fitted.model}")
    print_items(fitted.sentences)
    if fitted.weights is not None:
        typer.echo(f"\n{fitted.weights.title}")
        print_table(regression_text.weight_table(fitted), most=12)
