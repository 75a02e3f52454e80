"""The stores of a run: their progress, their integrity. numpy is not imported unless needed."""

import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from markone.cli.terminal import echo
from markone.lab import run_paths
from markone.run.progress import format_duration

if TYPE_CHECKING:
    from markone.lab.store.status import Status

MAX_PROBLEMS = 10


def show_status(experiment: str | None, store: Path | None, as_json: bool) -> None:
    stores = _find_stores(experiment, store)
    from markone.lab.store.status import read_status as status_of

    for path in stores:
        now = status_of(path)
        edited = (experiment or "").endswith(".toml") and not is_unchanged(path, str(experiment))
        if now.done > now.total > 0 or edited:
            now = _recount_tasks(path, experiment, now)
        facts = {"store": str(path), **vars(now), "finished": now.is_finished}
        echo(
            json.dumps(facts | {"silence": None if math.isnan(now.silence) else now.silence})
            if as_json
            else f"{path}: {_status_text(now)}"
        )
    if not stores and not as_json:
        name = experiment or "demo_capacity"
        echo(f"Nothing has been run here yet. Start with: markone run {name}")


def is_unchanged(path: Path, experiment: str) -> bool:
    """Return whether the file is the only declaration the store was ever run with.

    If so, its tasks need not be counted again; no scenario is imported.
    """
    import tomllib

    from pydantic import ValidationError

    from markone.lab.schema import Declaration
    from markone.lab.store.status import declaration_json, stored_declarations

    try:
        declared = Declaration.model_validate(tomllib.loads(Path(experiment).read_text(encoding="utf-8")))
    except (ValidationError, ValueError, OSError, RecursionError):
        return False  # loading it reports the error
    return stored_declarations(path) == [declaration_json(declared)]


def _recount_tasks(path: Path, experiment: str | None, now: "Status") -> "Status":
    """Recount the tasks of the current declaration, if the store holds results of others as well.

    Slower: every task of the declaration is enumerated.
    """
    from dataclasses import replace

    from markone.lab.load import load_declaration
    from markone.lab.result import last_declaration
    from markone.lab.schedule.remaining import count_tasks
    from markone.lab.store.results import Store

    with Store(path, mode="r") as results:
        edited = experiment if experiment and experiment.endswith(".toml") else None
        declaration = load_declaration(edited) if edited else last_declaration(results)
        found = count_tasks(declaration, results.done(declaration.precision_of))
    return replace(now, done=found.done, total=found.done + found.missing)


def _find_stores(experiment: str | None, store: Path | None) -> list[Path]:
    if not (store or experiment):
        return sorted(run_paths.RUNS.glob("*/*.sqlite"))
    path = store or run_paths.store_path(run_paths.experiment_name(experiment or ""))
    return [each for each in (path, *run_paths.shard_paths(path)) if each.exists()]


def _status_text(now: "Status") -> str:
    """Return '104 of 144 tasks, 2 failed, last result 3 s ago', or that it is finished."""
    words = [f"{now.done} of {now.total} tasks"]
    if now.failed:
        words.append(f"{now.failed} failed")
    if now.is_finished:
        return ", ".join([*words, "finished"])
    if now.done:
        words.append(f"last result {format_duration(now.silence)} ago")
    return ", ".join(words) + "; `markone run` continues it"


def verify_stores(
    experiment: str | None, store: Path | None, repair_stores: bool, as_json: bool, storage: str | None
) -> int:
    from markone.lab.store.verify import examine_store, remove_stale_repairs, repair_store

    stores: Iterable[Path] = _find_stores(experiment, store)
    if storage:
        if not experiment or repair_stores:
            raise ValueError("--storage needs the name of an experiment, and --repair is for local stores.")
        from markone.lab.store.storage import Storage

        stores = Storage(storage, run_paths.experiment_name(experiment)).iterate_copies(Path())
    exit_code, any_store = 0, False
    for path in stores:
        found, any_store = examine_store(path), True
        shown = f"{storage}: {path.name}" if storage else str(path)
        if as_json:
            echo(json.dumps({"store": shown, "sound": found.rows, "problems": found.problems}))
        elif not found.problems:
            echo(f"{shown}: {found.rows} rows, all valid.")
        else:
            echo(f"{shown}: {found.rows} valid rows, but:")
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
    if not any_store:
        echo("There is no store here. Name one with --store.", err=True)
        return 2
    if exit_code and not as_json and not storage:
        echo("--repair keeps all valid rows; a run then computes the rest.")
    return exit_code
