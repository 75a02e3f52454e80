"""`markone fit`: fit a model to a table and print the results."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from markone.cli.terminal import free, interruptible, items, show, tell_findings

if TYPE_CHECKING:
    from markone.tables.fit_result import FitResult
    from markone.tables.request import FitRequest

# Limits of what is printed; the report and --json contain everything.
MOST_CLASSES = 10
MOST_LINES = 6
PICKLES = (".pkl", ".pickle", ".joblib")


def fit(request: FitRequest, report: Path | None, save: Path | None, force: bool, as_json: bool) -> None:
    from markone.cli import comparing, partitions, regression
    from markone.cli.pace import bar

    free(request.data, [report, save], force)
    if save and save.suffix.lower() in PICKLES:
        raise ValueError(f"--save {save}: pickles can run code when they are loaded. Write a .skops file.")
    if Path(request.data).is_dir():
        partitions.fit(request, report, save, as_json)
        return
    # The imports take a second or two: show the progress bar first.
    with interruptible(), bar(as_json) as progress:
        from markone.tables import answering, models
        from markone.tables.comparing.comparison import ModelComparison, several
        from markone.tables.regression.fitting import RegressionResult

        if several(request.model):
            comparing.refuse_to_save(save)
        elif save:
            models.refuse_to_keep(request.model)
        fitted = answering.fit(request, progress, tell_findings if not as_json else lambda found: None)
    if isinstance(fitted, RegressionResult):
        regression.answer(fitted, report, save, as_json)
        return
    if isinstance(fitted, ModelComparison):
        comparing.answer(fitted, report, as_json)
        return
    write(fitted, report, save)
    if as_json:
        tell_machine(fitted, report, save)
    else:
        tell(fitted, report, save)


def write(fitted: FitResult, report: Path | None, save: Path | None) -> None:
    from markone.tables import model_file

    if report:
        import markone
        from markone.tables.report.page import page

        model_file.write(report, page(fitted, sys.argv[1:], markone.__version__).encode())
    if save:
        model_file.save_model(fitted, save)


def tell_machine(fitted: FitResult, report: Path | None, save: Path | None) -> None:
    from markone.tables.report.to_dict import to_dict

    typer.echo(json.dumps(to_dict(fitted) | {"wrote": [str(path) for path in (report, save) if path]}))


def tell(fitted: FitResult, report: Path | None, save: Path | None) -> None:
    typer.echo("What was done to the data")
    items(fitted.notes)
    tell_scores(fitted)
    tell_student(fitted)
    for path in filter(None, [report, save]):
        typer.echo(f"Wrote {path}.")
    if save:
        typer.echo(f"Next: markone predict {save} NEW_TABLE --out predictions.csv")


def tell_scores(fitted: FitResult) -> None:
    from markone.tables.report import inspection, sentences
    from markone.tables.report.headline import doubts, headline

    typer.echo(f"\n{headline(fitted)}\n")
    if doubts(fitted):
        typer.echo("This score may be misleading")
        items(doubts(fitted))
        typer.echo("")
    show(sentences.scores(fitted))
    for text in sentences.footnotes(fitted):
        typer.echo(text)
    if len(fitted.judge.classes) <= MOST_CLASSES:
        typer.echo("\nConfusion: rows of each true class, by predicted class, mean over the repeats")
        show(sentences.confusion(fitted))
    typer.echo("\nEach class")
    show(inspection.classes(fitted))
    probabilities = inspection.probabilities(fitted)
    texts = [sentences.chosen(fitted), sentences.doubtful(fitted), inspection.rejection(fitted)]
    for text in filter(None, [*texts, inspection.brier(probabilities) if probabilities else ""]):
        typer.echo(text)
    for title, table in (
        ("Rows to look at", inspection.rows_to_look_at(fitted)),
        ("Balanced accuracy lost when a column is permuted", inspection.columns(fitted)),
        ("Ways to treat missing values", inspection.missing_ways(fitted)),
    ):
        if table.rows:
            typer.echo(f"\n{title}")
            show(table, most=12)


def tell_student(fitted: FitResult) -> None:
    from markone.tables.report import sentences

    typer.echo(f"\nThe student of all rows: {fitted.model}")
    items(fitted.summary.sentences)
    if fitted.summary.problems:
        show(sentences.problems(fitted))
    if fitted.summary.bars is not None:
        typer.echo(f"\n{fitted.summary.bars.title}")
        if len(fitted.summary.bars.lines) <= MOST_LINES:
            show(sentences.inputs(fitted), most=12)
        else:
            typer.echo(
                f"One line for each of {len(fitted.summary.bars.lines)} classes: see --report and --json."
            )
    if fitted.summary.prototypes is not None:
        typer.echo("\nPrototypes")
        show(sentences.prototypes(fitted), most=12)
