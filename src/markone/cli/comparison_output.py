"""Output of `markone fit` with several models."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from markone.cli.terminal import print_items, print_table

if TYPE_CHECKING:
    from markone.tables.comparing.comparison import ModelComparison


def check_single_model(save: Path | None) -> None:
    if save:
        raise ValueError("--save keeps one model: compare first, then name the one to keep with --model.")


def write_comparison(found: ModelComparison, report: Path | None, as_json: bool) -> None:
    import markone
    from markone.tables import model_file
    from markone.tables.comparing.comparison_page import build_comparison_page
    from markone.tables.comparing.comparison_text import comparison_to_dict

    if report:
        model_file.write_output_file(
            report, build_comparison_page(found, sys.argv[1:], markone.__version__).encode()
        )
    if as_json:
        typer.echo(json.dumps(comparison_to_dict(found) | {"wrote": [str(report)] if report else []}))
        return
    _print_comparison(found)
    if report:
        typer.echo(f"Wrote {report}.")


def _print_comparison(found: ModelComparison) -> None:
    from markone.tables.comparing import comparison_text

    typer.echo("What was done to the data")
    print_items(found.notes)
    typer.echo(f"\n{comparison_text.comparison_headline(found)}\n")
    if comparison_text.comparison_doubts(found):
        typer.echo("These scores may be misleading")
        print_items(comparison_text.comparison_doubts(found))
        typer.echo("")
    print_table(comparison_text.comparison_table(found))
    for text in comparison_text.comparison_footnotes(found):
        typer.echo(text)
    warnings = comparison_text.model_warnings(found)
    if warnings:
        typer.echo("\nWarnings of the models")
        print_items(warnings)
