"""`markone predict`: labels and scores for the rows of a table, by a saved model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from markone.cli.terminal import free, interruptible, piped

if TYPE_CHECKING:
    from markone.tables.predicting import Predictions


def predict(
    model: Path, data: str, out: Path | None, proba: bool, header: bool, force: bool, as_json: bool
) -> None:
    from markone.tables import model_file, predicting

    free(data, [out], force)
    if Path(data).is_dir():
        of_folder(model, Path(data), out, proba, as_json)
        return
    with interruptible():
        loaded = model_file.load_model(model)
        found = predicting.predict(loaded, predicting.read(loaded, data, header), proba)
    if out:
        model_file.write(out, predicting.as_csv(found).encode())
    if as_json:
        typer.echo(json.dumps(as_dict(found)))
        return
    if not out:
        piped(predicting.as_csv(found))
    explain(found, out)


def of_folder(model: Path, folder: Path, out: Path | None, proba: bool, as_json: bool) -> None:
    from markone.tables import model_file
    from markone.tables.partitions.predicting import predict_folder, told

    if out is None:
        raise ValueError(f"{folder} is a folder: give --out, the CSV file for all predictions.")
    with interruptible():
        found = predict_folder(model_file.load_model(model), folder, out, proba)
    if as_json:
        typer.echo(json.dumps({"rows": found.rows, "answered": found.answered, "notes": found.notes}))
        return
    for note in told(found):
        typer.echo(note, err=True)
    typer.echo(f"Wrote {found.answered} predictions to {out}.")


def as_dict(found: Predictions) -> dict[str, Any]:
    from markone.tables.report.to_dict import plain

    rows = []
    for k, cells in enumerate(found.cells):
        row: dict[str, Any] = dict(zip(found.header, cells, strict=True))
        row["label"] = row["label"] or None
        rows.append(row | {"row": int(cells[0])} | {name: v[k] for name, v in found.numbers.items()})
    return {"rows": plain(rows), "notes": found.notes, "scores": plain(found.measures)}


def explain(found: Predictions, out: Path | None) -> None:
    """Print notes and scores to stderr: the predictions may go into a pipe."""
    from markone.tables.regression.scores import NAMES as OF_NUMBERS
    from markone.tables.scores import NAMES

    for note in found.notes:
        typer.echo(note, err=True)
    if found.measures:
        names = NAMES | OF_NUMBERS
        truth = "numbers" if "rmse" in found.measures else "classes"
        words = ", ".join(
            f"{names[name]} {value:.3f}" for name, value in found.measures.items() if value == value
        )
        typer.echo(f"The table has the true {truth}: {words}.", err=True)
    if out:
        typer.echo(f"Wrote {sum(map(bool, found.labels))} predictions to {out}.")
