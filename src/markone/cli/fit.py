"""`markone fit`: fit a model to a table and print the results."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from markone.cli.terminal import (
    check_output_files,
    print_findings,
    print_items,
    print_table,
    translate_interrupt,
)

if TYPE_CHECKING:
    from markone.tables.fit_result import FitResult
    from markone.tables.request import FitRequest

# Limits of what is printed; the report and --json contain everything.
MOST_CLASSES = 10
MOST_LINES = 6
PICKLES = (".pkl", ".pickle", ".joblib")


def run_fit(request: FitRequest, report: Path | None, save: Path | None, force: bool, as_json: bool) -> None:
    from markone.cli import comparison_output, folder_fit, regression_output
    from markone.cli.fit_progress import fit_progress

    check_output_files(request.data, [report, save], force)
    if save and save.suffix.lower() in PICKLES:
        raise ValueError(f"--save {save}: pickles can run code when they are loaded. Write a .skops file.")
    if Path(request.data).is_dir():
        folder_fit.run_folder_fit(request, report, save, as_json)
        return
    # The imports take a second or two: show the progress bar first.
    with translate_interrupt(), fit_progress(as_json) as progress:
        from markone.tables import dispatch, models
        from markone.tables.comparing.comparison import ModelComparison, is_comparison
        from markone.tables.regression.fitting import RegressionResult

        if is_comparison(request.model):
            comparison_output.check_single_model(save)
        elif save:
            models.check_model_can_be_saved(request.model)
        fitted = dispatch.fit(request, progress, print_findings if not as_json else lambda found: None)
    if isinstance(fitted, RegressionResult):
        regression_output.write_regression(fitted, report, save, as_json)
        return
    if isinstance(fitted, ModelComparison):
        comparison_output.write_comparison(fitted, report, as_json)
        return
    _write_fit_outputs(fitted, report, save)
    if as_json:
        _print_fit_json(fitted, report, save)
    else:
        _print_fit(fitted, report, save)


def _write_fit_outputs(fitted: FitResult, report: Path | None, save: Path | None) -> None:
    from markone.tables import model_file

    if report:
        import markone
        from markone.tables.report.fit_page import build_fit_page

        model_file.write_output_file(
            report, build_fit_page(fitted, sys.argv[1:], markone.__version__).encode()
        )
    if save:
        model_file.save_classifier(fitted, save)


def _print_fit_json(fitted: FitResult, report: Path | None, save: Path | None) -> None:
    from markone.tables.report.to_dict import fit_to_dict

    typer.echo(json.dumps(fit_to_dict(fitted) | {"wrote": [str(path) for path in (report, save) if path]}))


def _print_fit(fitted: FitResult, report: Path | None, save: Path | None) -> None:
    typer.echo("What was done to the data")
    print_items(fitted.notes)
    _print_scores(fitted)
    _print_student(fitted)
    for path in filter(None, [report, save]):
        typer.echo(f"Wrote {path}.")
    if save:
        typer.echo(f"Next: markone predict {save} NEW_TABLE --out predictions.csv")


def _print_scores(fitted: FitResult) -> None:
    from markone.tables.report import fit_text, inspection
    from markone.tables.report.headline import class_headline, score_doubts

    typer.echo(f"\n{class_headline(fitted)}\n")
    if score_doubts(fitted):
        typer.echo("This score may be misleading")
        print_items(score_doubts(fitted))
        typer.echo("")
    print_table(fit_text.score_table(fitted))
    for text in fit_text.score_footnotes(fitted):
        typer.echo(text)
    if len(fitted.judge.classes) <= MOST_CLASSES:
        typer.echo("\nConfusion: rows of each true class, by predicted class, mean over the repeats")
        print_table(fit_text.confusion_table(fitted))
    typer.echo("\nEach class")
    print_table(inspection.class_score_table(fitted))
    probabilities = inspection.fit_reliability(fitted)
    texts = [
        fit_text.search_sentence(fitted),
        fit_text.misclassified_sentence(fitted),
        inspection.rejection_sentence(fitted),
    ]
    for text in filter(None, [*texts, inspection.brier_sentence(probabilities) if probabilities else ""]):
        typer.echo(text)
    for title, table in (
        ("Rows to look at", inspection.misclassified_table(fitted)),
        ("Balanced accuracy lost when a column is permuted", inspection.importance_table(fitted)),
        ("Ways to treat missing values", inspection.missing_treatment_table(fitted)),
    ):
        if table.rows:
            typer.echo(f"\n{title}")
            print_table(table, most=12)


def _print_student(fitted: FitResult) -> None:
    from markone.tables.report import fit_text

    typer.echo(f"\nThe student of all rows: {fitted.model}")
    print_items(fitted.summary.sentences)
    if fitted.summary.problems:
        print_table(fit_text.binary_problem_table(fitted))
    if fitted.summary.bars is not None:
        typer.echo(f"\n{fitted.summary.bars.title}")
        if len(fitted.summary.bars.lines) <= MOST_LINES:
            print_table(fit_text.input_table(fitted), most=12)
        else:
            typer.echo(
                f"One line for each of {len(fitted.summary.bars.lines)} classes: see --report and --json."
            )
    if fitted.summary.prototypes is not None:
        typer.echo("\nPrototypes")
        print_table(fit_text.prototype_table(fitted), most=12)
