"""Commands for the results of a run: report, values, figures, comparison with another run."""

from pathlib import Path
from typing import Annotated

import typer

from markone.cli.commands.app import (
    Allow,
    Dark,
    Experiment,
    Json,
    Portable,
    Run,
    Settings,
    Size,
    StoragePlace,
    StorePath,
    Style,
    Width,
    app,
    load_with_settings,
    rerun_arguments,
)
from markone.cli.terminal import echo
from markone.lab import run_paths


@app.command("report")
def report_command(
    experiment: Experiment,
    store: StorePath = None,
    storage: StoragePlace = None,
    set_: Settings = None,
    allow: Allow = None,
) -> None:
    """Write figures, tables and claims as HTML and Markdown next to the store."""
    from markone.lab.report.pages import write_report
    from markone.lab.schedule.remaining import count_tasks
    from markone.lab.store.results import Store
    from markone.lab.store.storage import Storage

    declaration, arguments = load_with_settings(experiment, set_), rerun_arguments(experiment, set_)
    path = run_paths.store_path(declaration.name, store)
    if storage:
        path.parent.mkdir(parents=True, exist_ok=True)
        with Store(path) as results:
            Storage(storage, declaration.name).merge_into(results)
    run_paths.require_store(path, arguments)
    with Store(path, mode="r") as results:
        points, provenance = results.points(declaration), results.provenance()
        missing = 0  # counted only if there are any: it takes as long as reading the points
        if declaration.precision or (points.repeats < declaration.repeats).any():
            missing = count_tasks(declaration, results.done(declaration.precision_of)).missing
    written = write_report(declaration, points, provenance, path.parent)
    echo(f"Wrote {written.html} and {written.markdown}, figures in {path.parent / 'figures'}.")
    if missing:
        echo(f"{missing} tasks are still missing: markone run {arguments} continues.")


@app.command("bundle")
def bundle_command(
    experiment: Experiment,
    to: Annotated[Path | None, typer.Argument(help="The archive; <name>.zip if not given.")] = None,
    store: StorePath = None,
    set_: Settings = None,
    allow: Allow = None,
) -> None:
    """Write declaration, own code, versions, results and report of a run into one archive."""
    from markone.lab.documents.bundle import write_bundle
    from markone.lab.store.results import Store

    declaration, arguments = load_with_settings(experiment, set_), rerun_arguments(experiment, set_)
    path = run_paths.require_store(run_paths.store_path(declaration.name, store), arguments)
    with Store(path, mode="r") as results:
        echo(f"Wrote {write_bundle(declaration, results, to or Path(f'{declaration.name}.zip'))}.")


@app.command("unbundle")
def unbundle_command(
    archive: Annotated[Path, typer.Argument(help="An archive of `markone bundle`.")],
    into: Annotated[Path | None, typer.Option(help="A new folder; the archive's name if not given.")] = None,
    run: Annotated[bool, typer.Option("--run", help="Compute it again and compare every bit.")] = False,
    portable: Portable = False,
    allow: Allow = None,
) -> None:
    """Unpack an archive of a run and check that nothing in it was changed."""
    from markone.lab.documents.bundle import compare_versions, run_bundle, unpack_bundle

    folder = into or archive.with_suffix("")
    found = unpack_bundle(archive, folder)
    problems = found.problems
    echo(f"{folder}: {found.files} files" + ("." if problems else ", all as they were written."))
    if run and not problems:
        if different := compare_versions(folder):
            echo(f"{len(different)} versions differ from those of the archive: {', '.join(different[:5])}.")
        problems = run_bundle(folder, folder / "again.sqlite")
        echo("Computed again" + ("." if problems else ": every value has the same bits."))
    for problem in problems:
        echo(f"  {problem}", err=True)
    if problems:
        raise typer.Exit(3)


@app.command("export")
def export_command(
    experiment: Experiment,
    to: Annotated[Path, typer.Argument(help="A .csv, .parquet or .nc file.")],
    store: StorePath = None,
    set_: Settings = None,
    allow: Allow = None,
) -> None:
    """Write the values as CSV, Parquet or NetCDF."""
    from markone.lab.store.export import export_results
    from markone.lab.store.results import Store

    declaration, arguments = load_with_settings(experiment, set_), rerun_arguments(experiment, set_)
    path = run_paths.require_store(run_paths.store_path(declaration.name, store), arguments)
    with Store(path, mode="r") as results:
        export_results(results, declaration, to)
    echo(f"Wrote {to}")


@app.command("draw")
def draw_command(
    run: Run,
    name: Annotated[str | None, typer.Argument(help="Which figure; all are listed if none is given.")] = None,
    size: Size = "column",
    width: Width = None,
    style: Style = None,
    dark: Dark = False,
    format_: Annotated[str, typer.Option("--format", help="svg, png or pdf; tables are tex.")] = "svg",
    out: Annotated[Path | None, typer.Option(help="The file; <run>-<name>.<format> if not given.")] = None,
    logx: Annotated[bool | None, typer.Option("--logx/--linx", help="As declared if not given.")] = None,
    logy: Annotated[bool | None, typer.Option("--logy/--liny", help="As declared if not given.")] = None,
    allow: Allow = None,
) -> None:
    """Redraw one figure of a run: markone draw capacity fraction --width 86mm --format pdf

    Or write one table for LaTeX. The numbers of a figure are written beside it.
    """
    from markone.lab.result import Result

    result = Result.open(run)
    if name is None:
        for figure in result.declaration.figures:
            echo(f"{figure.name:20} {figure.ylabel or ', '.join(figure.measures) or figure.picture}")
        for spec in result.declaration.tables:
            echo(f"{spec.name:20} table: {spec.title or ', '.join(spec.columns)}")
        return
    if name in {spec.name for spec in result.declaration.tables}:
        printed, path = result.table(name), out or Path(f"{result.name}-{name}.tex")
        path.write_text(printed.table.latex(printed.caption, f"tab:{name}"), encoding="utf-8")
        echo(f"Wrote {path}")
        return
    given = {key: value for key, value in {"logx": logx, "logy": logy}.items() if value is not None}
    drawn = result.plot(name, size=size, width=width, style=style, dark=dark, **given)
    echo(f"Drew {drawn.save(out or Path(f'{result.name}-{name}.{format_}'))}")


@app.command("compare")
def compare_command(
    first: Run,
    second: Annotated[str, typer.Argument(help="Another one on the same grid.")],
    name: Annotated[
        str | None, typer.Option("--figure", help="Which figure; the first if not given.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Draw both into this file (.svg, .png, .pdf).")] = None,
    size: Size = "column",
    width: Width = None,
    style: Style = None,
    allow: Allow = None,
    as_json: Json = False,
) -> None:
    """Show how two runs differ, with 95 % intervals: markone compare one other --out both.svg"""
    from markone.cli.terminal import print_table
    from markone.lab.comparison import compare

    found = compare(first, second)
    if as_json:
        echo(found.frame().to_json(orient="records"))
    else:
        echo(f"{found!r}\n")
        print_table(found.table())
    if out is not None:
        echo(f"Drew {found.plot(name, size=size, width=width, style=style).save(out)}", err=as_json)
