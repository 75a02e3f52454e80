"""Options of the commands `fit` and `predict`."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from markone.cli.commands.app import Force, Json, NoHeader, app

if TYPE_CHECKING:
    from markone.tables.request import FitRequest


class Scale(StrEnum):
    standard = "standard"
    none = "none"


class Backend(StrEnum):
    processes = "processes"
    loky = "loky"
    dask = "dask"


class Goal(StrEnum):
    auto = "auto"
    classification = "classification"
    regression = "regression"


class Missing(StrEnum):
    auto = "auto"
    refuse = "refuse"
    drop = "drop"
    median = "median"
    mean = "mean"
    indicator = "indicator"
    mask = "mask"


@dataclass(frozen=True)
class FitArguments:
    """The options of `markone fit`, one field each."""

    data: Annotated[str, typer.Argument(help="A CSV, Parquet, JSON lines or Excel file, or iris, wine, ...")]
    target: Annotated[str | None, typer.Option(help="The column to be predicted.")] = None
    model: Annotated[
        str,
        typer.Option(
            help="Name, several (a,b) or all; an unknown name lists them.",
            show_default="the simplest good one",
        ),
    ] = ""
    settings: Annotated[list[str] | None, typer.Option("--set", help="A parameter of the model: C=0.1")] = (
        None
    )
    cv: Annotated[str, typer.Option(help="Repeats x folds, or loo.")] = "5x10"
    grid: Annotated[list[str] | None, typer.Option(help="Values to choose from: C=0.01,0.1,1")] = None
    scale: Annotated[Scale, typer.Option(help="z-scores, fitted in each fold, or none.")] = Scale.standard
    missing: Annotated[Missing, typer.Option(help="What to do about missing values.")] = Missing.auto
    drop: Annotated[list[str] | None, typer.Option(help="Leave out a column; may be repeated.")] = None
    categorical: Annotated[list[str] | None, typer.Option(help="Treat its values as categories.")] = None
    ordered: Annotated[
        list[str] | None, typer.Option(help="Words in an order, as 1, 2, 3: size=small,medium,large")
    ] = None
    keep: Annotated[list[str] | None, typer.Option(help="Use a column that looks like an identifier.")] = None
    positive: Annotated[
        str | None, typer.Option(help="The positive one of two classes, if not the rarer.")
    ] = None
    group: Annotated[
        str | None, typer.Option(help="Rows with the same value of this column stay in one fold.")
    ] = None
    time: Annotated[
        str | None, typer.Option(help="Train on earlier rows, test on later ones: the column with the date.")
    ] = None
    cost: Annotated[
        list[str] | None, typer.Option(help="Cost of an error, true:predicted=cost: fraud:ok=10")
    ] = None
    reject: Annotated[
        float | None, typer.Option(help="Reject uncertain rows so that this share of answers is right: 0.99")
    ] = None
    sets: Annotated[
        float | None, typer.Option(help="Sets of classes, this share of which contains the true one: 0.9")
    ] = None
    sets_per_class: Annotated[
        bool, typer.Option("--sets-per-class", help="--sets for the rows of each class.")
    ] = False
    missing_words: Annotated[
        list[str] | None, typer.Option(help="A further word for a missing value: none, -999")
    ] = None
    more: Annotated[bool, typer.Option("--more", help="Forecast the score with more rows.")] = False
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse what is otherwise filled in, encoded or left out.")
    ] = False
    rows: Annotated[int | None, typer.Option(min=4, help="Sample this many rows of a large table.")] = None
    no_header: NoHeader = False
    seed: Annotated[int, typer.Option(min=0, max=2**32 - 1)] = 0
    task: Annotated[Goal, typer.Option(help="Classes or numbers; auto decides by the target.")] = Goal.auto
    workers: Annotated[
        int | None, typer.Option(min=1, help="Parallel fits; all cores if a fit takes long.")
    ] = None
    backend: Annotated[Backend, typer.Option(help="How the workers run.")] = Backend.processes
    scheduler: Annotated[str | None, typer.Option(help="Address of a Dask cluster.")] = None
    report: Annotated[Path | None, typer.Option(help="Write an HTML page.")] = None
    save: Annotated[Path | None, typer.Option(help="Write the model (.skops).")] = None
    force: Force = False
    as_json: Json = False

    def to_request(self) -> "FitRequest":
        from markone.tables.request import AnswerOptions, ColumnOptions, FitRequest

        given: dict[str, Any] = {
            key: (value.value if isinstance(value, StrEnum) else value)
            for key, value in vars(self).items()
            if value is not None
        }
        columns, answers, request = (
            {field.name: given[field.name] for field in fields(kind) if field.name in given}
            for kind in (ColumnOptions, AnswerOptions, FitRequest)
        )
        return FitRequest(
            **request,
            options=ColumnOptions(**columns),
            answers=AnswerOptions(costs=self.cost or [], **answers),
            header=not self.no_header,
        )


def _take_fields(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the fields of FitArguments as its arguments: Typer reads them from the signature."""
    command.__signature__ = inspect.signature(FitArguments)  # type: ignore[attr-defined]  # functions take any
    return command


@app.command("fit")
@_take_fields
def fit_command(**options: Any) -> None:
    """Cross-validate a student on a table and fit it: markone fit iris.csv --target class"""
    from markone.cli import fit as command

    given = FitArguments(**options)
    command.run_fit(given.to_request(), given.report, given.save, given.force, given.as_json)


@app.command("predict")
def predict_command(
    model: Annotated[Path, typer.Argument(help="A file that `markone fit --save` wrote.")],
    data: Annotated[str, typer.Argument(help="A table with the same columns.")],
    out: Annotated[Path | None, typer.Option(help="Write a CSV file; printed if not given.")] = None,
    proba: Annotated[bool, typer.Option("--proba", help="Calibrated probabilities, no scores.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Why, row by row, and what would change it.")
    ] = False,
    keep: Annotated[str, typer.Option(help="Columns that no change touches: age,sex")] = "",
    no_header: NoHeader = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Predict the rows of a table with a saved model: markone predict model.skops new.csv"""
    from markone.cli import predict as command

    kept = [name.strip() for name in keep.split(",") if name.strip()]
    command.run_predict(model, data, out, proba, explain, kept, not no_header, force, as_json)
