"""`markone predict`: labels and scores for the rows of a table, by a saved student."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from markone.cli.fit import free, interruptible

if TYPE_CHECKING:
    from markone.tables.predicting import Predictions


def predict(
    model: Path, data: str, out: Path | None, proba: bool, header: bool, force: bool, as_json: bool
) -> None:
    from markone.tables import model_file, predicting
    from markone.tables.source import read

    free(data, [out], force)
    with interruptible():
        loaded = model_file.load(model)
        found = predicting.predict(loaded, read(data, header=header, most=None), proba)
    if as_json:
        typer.echo(json.dumps(as_facts(found)))
    if out:
        model_file.write(out, predicting.as_csv(found).encode())
    elif not as_json:
        listed(predicting.as_csv(found))
    if not as_json:
        explain(found, out)


def listed(text: str) -> None:
    try:
        typer.echo(text, nl=False)
    except BrokenPipeError:
        # `| head` has seen enough; what Python writes on its way out must go somewhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def as_facts(found: Predictions) -> dict[str, Any]:
    from markone.tables.report.to_dict import plain

    rows = []
    for k, cells in enumerate(found.cells):
        row = dict(zip(found.header, cells, strict=True))
        rows.append(row | {"row": int(cells[0])} | {name: v[k] for name, v in found.numbers.items()})
    return {"rows": plain(rows), "notes": found.notes, "scores": plain(found.measures)}


def explain(found: Predictions, out: Path | None) -> None:
    """To the error stream: the predictions themselves may be going into a pipe."""
    from markone.tables.scores import NAMES

    for note in found.notes:
        typer.echo(note, err=True)
    if found.measures:
        words = ", ".join(
            f"{NAMES[name]} {value:.3f}" for name, value in found.measures.items() if value == value
        )
        typer.echo(f"The table has the true classes: {words}.", err=True)
    if out:
        typer.echo(f"Wrote {len(found.cells)} predictions to {out}.")
