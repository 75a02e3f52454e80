"""`markone predict`: labels and scores for the rows of a table, by a saved student."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from markone.cli.fitting import free, interruptible

if TYPE_CHECKING:
    from markone.lab.fitting.predicting import Predicted


def predict(
    model: Path, data: str, out: Path | None, proba: bool, header: bool, force: bool, as_json: bool
) -> None:
    from markone.lab.fitting import predicting, saving
    from markone.lab.fitting.raw import read

    free(data, [out], force)
    with interruptible():
        loaded = saving.load(model)
        found = predicting.predict(loaded, read(data, header=header, most=None), proba)
    if as_json:
        typer.echo(json.dumps(as_facts(found)))
    if out:
        saving.write(out, predicting.as_csv(found).encode())
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


def as_facts(found: Predicted) -> dict[str, Any]:
    from markone.lab.fitting.facts import plain

    rows = []
    for k, cells in enumerate(found.cells):
        row = dict(zip(found.header, cells, strict=True))
        rows.append(row | {"row": int(cells[0])} | {name: v[k] for name, v in found.numbers.items()})
    return {"rows": plain(rows), "notes": found.notes, "scores": plain(found.measures)}


def explain(found: Predicted, out: Path | None) -> None:
    """To the error stream: the predictions themselves may be going into a pipe."""
    from markone.lab.fitting.scores import NAMES

    for note in found.notes:
        typer.echo(note, err=True)
    if found.measures:
        words = ", ".join(
            f"{NAMES[name]} {value:.3f}" for name, value in found.measures.items() if value == value
        )
        typer.echo(f"The table has the true classes: {words}.", err=True)
    if out:
        typer.echo(f"Wrote {len(found.cells)} predictions to {out}.")
