"""Commands that only show information; numpy is not imported unless needed."""

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING

from markone.cli.terminal import echo
from markone.lab import run_paths
from markone.run.progress import format_duration

if TYPE_CHECKING:
    from markone.lab.store.status import Status


def print_experiments(chapter: int | None, as_json: bool) -> None:
    from markone.lab import catalogue

    everything = catalogue.list_experiments()
    found = [e for e in everything if chapter in (None, e.chapter)]
    if not found:
        known = sorted({e.chapter for e in everything})
        raise ValueError(f"No experiment is about chapter {chapter}: choose one of {known}.")
    if as_json:
        for e in found:
            facts = {"name": e.name, "title": e.title, "scenario": e.scenario}
            echo(json.dumps(facts | {"chapter": e.chapter, "time": e.time}))
        return
    width, times = max(len(e.name) for e in found), max(len(e.time) for e in found)
    for number, title in catalogue.CHAPTERS.items():
        entries = [e for e in found if e.chapter == number]
        if entries:
            echo(f"Chapter {number}: {title}" if number else title)
        for e in entries:
            echo(f"  {e.name:{width}}  {e.time:>{times}}  {e.title}")
    echo("\nTimes are for one core of one machine; `markone check NAME` estimates yours.")
    echo("Try: markone check demo_capacity; markone run demo_capacity; markone report demo_capacity")


def show_status(experiment: str | None, store: Path | None, as_json: bool) -> None:
    stores = find_stores(experiment, store)
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


def find_stores(experiment: str | None, store: Path | None) -> list[Path]:
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


def warm_cache(as_json: bool) -> None:
    from markone.run import precompile, progress

    with progress.watch_progress("compiling", as_json=as_json) as report:
        precompile.precompile_students(report)


def show_doctor(as_json: bool) -> int:
    from markone.run.machine_check import examine_machine

    findings = examine_machine(run_paths.RUNS)
    for finding in findings:
        if as_json:
            echo(json.dumps(vars(finding)))
        else:
            mark = "ok  " if finding.good else "LOOK"
            echo(f"{mark} {finding.name:15} {finding.value}")
            if finding.advice:
                echo(f"     {finding.advice}")
    return 0 if all(finding.good for finding in findings) else 1
