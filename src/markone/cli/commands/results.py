"""Commands for the results of a run: report, values, figures, comparison with another run."""

from pathlib import Path
from typing import Annotated

import typer

from markone.cli.commands.app import app
from markone.cli.commands.options import Allow, Dark, Experiment, Json, Settings, Size, StorePath


@app.command("report")
def report_command(
    experiment: Experiment, store: StorePath = None, set_: Settings = None, allow: Allow = None
) -> None:
    """Write figures, tables and claims as HTML and Markdown next to the store."""
    from markone.cli import experiment_commands

    experiment_commands.write_experiment_report(experiment, store, set_ or [])


@app.command("export")
def export_command(
    experiment: Experiment,
    to: Annotated[Path, typer.Argument(help="A .csv, .parquet or .nc file.")],
    store: StorePath = None,
    set_: Settings = None,
    allow: Allow = None,
) -> None:
    """Write the values as CSV, Parquet or NetCDF."""
    from markone.cli import experiment_commands

    experiment_commands.export_values(experiment, to, store, set_ or [])


@app.command("draw")
def draw_command(
    run: Annotated[str, typer.Argument(help="A run: a name in runs/, a store, or an experiment.")],
    name: Annotated[str | None, typer.Argument(help="Which figure; all are listed if none is given.")] = None,
    size: Size = "column",
    dark: Dark = False,
    format_: Annotated[str, typer.Option("--format", help="svg, png or pdf.")] = "svg",
    out: Annotated[Path | None, typer.Option(help="The file; <run>-<name>.<format> if not given.")] = None,
    logx: Annotated[bool | None, typer.Option("--logx/--linx", help="As declared if not given.")] = None,
    logy: Annotated[bool | None, typer.Option("--logy/--liny", help="As declared if not given.")] = None,
    allow: Allow = None,
) -> None:
    """Redraw one figure of a run: markone draw capacity fraction --size slide --format pdf"""
    from markone.cli import figure_commands

    figure_commands.draw_run_figure(run, name, size, dark, format_, out, {"logx": logx, "logy": logy})


@app.command("compare")
def compare_command(
    first: Annotated[str, typer.Argument(help="A run: a name in runs/, a store, or an experiment.")],
    second: Annotated[str, typer.Argument(help="Another one on the same grid.")],
    name: Annotated[
        str | None, typer.Option("--figure", help="Which figure; the first if not given.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Draw both into this file (.svg, .png, .pdf).")] = None,
    size: Size = "column",
    allow: Allow = None,
    as_json: Json = False,
) -> None:
    """Show how two runs differ, with 95 % intervals: markone compare one other --out both.svg"""
    from markone.cli import figure_commands

    figure_commands.compare_two_runs(first, second, name, out, size, as_json)
