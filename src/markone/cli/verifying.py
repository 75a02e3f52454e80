"""`markone verify`: is a store what was written, and what can be kept if it is not."""

import json
from pathlib import Path

import typer

from markone.cli.showing import stores_of

MOST = 10


def verify(experiment: str | None, store: Path | None, mend: bool, as_json: bool) -> int:
    from markone.lab.store.verify import examine, repair, tidy

    worst, stores = 0, stores_of(experiment, store)
    if not stores:
        typer.echo("There is no store to look at here. Name one with --store.", err=True)
        return 2
    for path in stores:
        found = examine(path)
        if as_json:
            typer.echo(json.dumps({"store": str(path), "sound": found.rows, "problems": found.problems}))
        elif not found.problems:
            typer.echo(f"{path}: {found.rows} rows, all sound.")
        else:
            typer.echo(f"{path}: {found.rows} sound rows, but:")
            for problem in found.problems[:MOST]:
                typer.echo(f"  {problem}")
            if len(found.problems) > MOST:
                typer.echo(f"  ... and {len(found.problems) - MOST} more.")
        if found.problems and mend:
            kept, aside = repair(path)
            typer.echo(f"Kept {kept} sound rows in {path}; what it was is in {aside}.", err=as_json)
            typer.echo(f"Now `markone run {experiment or ''}` computes just what is missing.", err=as_json)
        elif found.problems:
            worst = 3
        elif mend:
            tidy(path)
    if worst and not as_json:
        typer.echo("With --repair all that is sound is kept, and a run computes just the rest.")
    return worst
