"""Output of `markone fit` with several models."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from markone.cli.terminal import items, show

if TYPE_CHECKING:
    from markone.tables.comparing.comparison import ModelComparison


def refuse_to_save(save: Path | None) -> None:
    if save:
        raise ValueError("--save keeps one model: compare first, then name the one to keep with --model.")


def answer(found: ModelComparison, report: Path | None, as_json: bool) -> None:
    import markone
    from markone.tables import model_file
    from markone.tables.comparing.page import page
    from markone.tables.comparing.sentences import to_dict

    if report:
        model_file.write(report, page(found, sys.argv[1:], markone.__version__).encode())
    if as_json:
        typer.echo(json.dumps(to_dict(found) | {"wrote": [str(report)] if report else []}))
        return
    tell(found)
    if report:
        typer.echo(f"Wrote {report}.")


def tell(found: ModelComparison) -> None:
    from markone.tables.comparing import sentences

    typer.echo("What was done to the data")
    items(found.notes)
    typer.echo(f"\n{sentences.headline(found)}\n")
    if sentences.doubts(found):
        typer.echo("These scores may be misleading")
        items(sentences.doubts(found))
        typer.echo("")
    show(sentences.table(found))
    for text in sentences.footnotes(found):
        typer.echo(text)
    warnings = sentences.warnings(found)
    if warnings:
        typer.echo("\nWarnings of the models")
        items(warnings)
