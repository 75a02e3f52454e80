"""`markone verify`: check the integrity of a store and repair it."""

import json
from pathlib import Path

from markone.cli.status_commands import find_stores
from markone.cli.terminal import echo

MAX_PROBLEMS = 10


def verify_stores(experiment: str | None, store: Path | None, repair_stores: bool, as_json: bool) -> int:
    from markone.lab.store.verify import examine_store, remove_stale_repairs, repair_store

    exit_code, stores = 0, find_stores(experiment, store)
    if not stores:
        echo("There is no store here. Name one with --store.", err=True)
        return 2
    for path in stores:
        found = examine_store(path)
        if as_json:
            echo(json.dumps({"store": str(path), "sound": found.rows, "problems": found.problems}))
        elif not found.problems:
            echo(f"{path}: {found.rows} rows, all valid.")
        else:
            echo(f"{path}: {found.rows} valid rows, but:")
            for problem in found.problems[:MAX_PROBLEMS]:
                echo(f"  {problem}")
            if len(found.problems) > MAX_PROBLEMS:
                echo(f"  ... and {len(found.problems) - MAX_PROBLEMS} more.")
        if found.problems and repair_stores:
            kept, aside = repair_store(path)
            echo(f"Kept {kept} valid rows in {path}; the old store is {aside}.", err=as_json)
            echo(f"Now `markone run {experiment or ''}` computes the missing tasks.", err=as_json)
        elif found.problems:
            exit_code = 3
        elif repair_stores:
            remove_stale_repairs(path)
    if exit_code and not as_json:
        echo("--repair keeps all valid rows; a run then computes the rest.")
    return exit_code
