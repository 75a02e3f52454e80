"""Printing for all commands; checks of output files and tables on the terminal for the table commands."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from markone.errors import Interrupted
from markone.numerics.text import escape_controls

if TYPE_CHECKING:
    from markone.show.page import PageTable
    from markone.tables.findings.evidence import TableFinding
    from markone.tables.report.blocks import Report


# Largest width of a cell, in characters.
MAX_CELL_WIDTH = 44


def echo(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print a text that may contain names of a stranger's file."""
    typer.echo(escape_controls(text), err=err, nl=nl)


def check_output_files(data: str, paths: list[Path | None], force: bool) -> None:
    """Raise if an output file exists (without --force) or is the table itself."""
    named = [path for path in paths if path]
    if len({path.resolve() for path in named}) < len(named):
        raise ValueError(f"{named[0]} is given twice: give each output its own file.")
    for path in named:
        if Path(data).exists() and path.exists() and path.samefile(data):
            raise ValueError(f"{path} is the table itself and will not be overwritten.")
        if path.is_dir():
            raise ValueError(f"{path} is a folder. Give the name of the file to write.")
        if path.exists() and not force:
            raise FileExistsError(f"{path} exists already. Give another name, or --force to overwrite it.")


@contextmanager
def translate_interrupt() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted("Interrupted. Nothing was written.") from None


def _print_items(texts: list[str]) -> None:
    for text in texts:
        echo(f"- {text}")


def print_findings(found: list[TableFinding]) -> None:
    """Print the findings, before the fit starts."""
    if found:
        echo("Findings about the data")
        _print_items([str(finding) for finding in found])
        echo("")


def print_report(report: Report) -> None:
    """Print notes, headline, doubts and the sections of a report."""
    if report.notes:
        echo("What was done to the data")
        _print_items(report.notes)
        echo("")
    echo(f"{report.headline}\n")
    if report.doubts:
        echo(report.warning)
        _print_items(report.doubts)
        echo("")
    for k, section in enumerate(report.sections):
        blocks = [part for block in section.blocks for part in _printable(block)]
        if blocks:
            # The scores follow the headline without a title.
            echo(f"\n{section.title}" if k else "", nl=bool(k))
            for block in blocks:
                if hasattr(block, "texts"):
                    _print_items(block.texts)
                elif hasattr(block, "text"):
                    echo(block.text)
                else:
                    if block.heading:
                        echo(f"\n{block.heading}")
                    print_table(block.table, block.most)


def _printable(block: Any) -> list[Any]:
    """The parts of a block with content for the terminal; figures become tables of their numbers."""
    from markone.tables.report.blocks import TERMINAL, Items, ReportPicture, Table, Text

    if block is None:
        return []
    if isinstance(block, ReportPicture):
        return [Table(block.numbers, heading=block.heading)] if block.heading and block.numbers.rows else []
    if not isinstance(block, Items | Table | Text):
        return [part for picture in block for part in _printable(picture)]
    content = (
        block.table.rows
        if isinstance(block, Table)
        else getattr(block, "text", "") or getattr(block, "texts", [])
    )
    return [block] if content and TERMINAL in block.where else []


def print_table(table: PageTable, most: int = 100) -> None:
    """Print a table: with lines on a terminal, aligned columns in a file."""
    header, *rows = shorten_cells([table.header, *table.rows[:most]])
    if sys.stdout.isatty():
        _print_rich_table(header, rows)
    else:
        widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
        for row in [header, *rows]:
            cells = [
                f"{cell:{'>' if k else '<'}{w}}" for k, (cell, w) in enumerate(zip(row, widths, strict=True))
            ]
            echo("  ".join(cells))
    if len(table.rows) > most:
        echo(f"... and {len(table.rows) - most} more (all of them in --report and --json)")


def shorten_cells(rows: list[list[str]]) -> list[list[str]]:
    """Shorten long cells; the report and --json contain them in full."""
    header, *body = rows
    columns = [_shorten_long_cells(list(column)) for column in zip(*body, strict=True)]
    return [_shorten_long_cells(header), *(list(row) for row in zip(*columns, strict=True))]


def _shorten_long_cells(cells: list[str]) -> list[str]:
    """Shorten long names so that they stay distinct; at twice the width where that fails."""
    from markone.tables.report.formats import shorten_name, shorten_to_middles

    long = list(dict.fromkeys(cell for cell in cells if len(cell) > MAX_CELL_WIDTH))
    if not long:
        return cells
    for made in (
        [shorten_name(cell, MAX_CELL_WIDTH) for cell in long],
        shorten_to_middles(long, MAX_CELL_WIDTH),
    ):
        if len(set(made)) == len(long):
            break
    else:
        made = [shorten_name(cell, 2 * MAX_CELL_WIDTH) for cell in long]
    cut = dict(zip(long, made, strict=True))
    return [cut.get(cell, cell) for cell in cells]


def _print_rich_table(header: list[str], rows: list[list[str]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for k, name in enumerate(header):
        table.add_column(escape_controls(name), justify="right" if k else "left")
    for row in rows:
        table.add_row(*map(escape_controls, row))
    Console(markup=False, emoji=False).print(table)


def print_to_pipe(text: str) -> None:
    try:
        typer.echo(text, nl=False)
    except BrokenPipeError:
        # The reader (`| head`) closed the pipe; redirect what Python flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
