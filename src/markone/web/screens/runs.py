"""Runs: the declared experiments, started, paused and continued in the store of the command line."""

import hashlib
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from markone.lab import catalogue
from markone.lab.load import load_declaration
from markone.lab.report.content import collect_content
from markone.lab.report.pages import report_html
from markone.lab.result import Result
from markone.lab.runner.run import RunState
from markone.lab.runner.worker import run_task
from markone.lab.schedule.remaining import list_remaining_tasks
from markone.lab.schema import Declaration
from markone.lab.statistics import measured_lines
from markone.lab.store.results import Store
from markone.web.budget import CPU_BUDGET, PACE
from markone.web.drafts import find_draft_problems
from markone.web.screens.base import Frames, Screen, State, make_control
from markone.web.table.uploads import OFFERED, current_uploads

# Names of the catalogue only: no text sent by a page becomes a path.
ENTRIES = {entry.name: entry for entry in catalogue.list_experiments()}
Experiment: Any = Literal[tuple(ENTRIES)]
OrNone: Any = Literal[("", *ENTRIES)]
TITLES = {name: f"{name}: {entry.title}" for name, entry in ENTRIES.items()}
# Seconds between two pictures of a running experiment.
REDRAWN = 1.0
# Seconds of a request after which a run is paused; its results are stored.
ENOUGH = 0.8 * CPU_BUDGET
PAUSED = (
    f"Paused after {ENOUGH:.0f} s of computing, the limit of one start. All results are stored: press "
    "Continue, or run the rest on all cores with `markone run`."
)


class Runs(State):
    experiment: Experiment = make_control("demo_capacity", choices=TITLES)
    beside: OrNone = make_control("", choices={"": "nothing"} | TITLES)
    figure: int = make_control(0, hidden=True, ge=0, le=99)
    go: bool = make_control(False, hidden=True)
    report: bool = make_control(False, hidden=True)
    draft: str | None = make_control(None, hidden=True, max_length=30_000)


def _run_store_path(name: str) -> Path:
    """Return the store of `markone run`, below the folder in which the laboratory was started."""
    return Path("runs", name, "results.sqlite")


def frames(state: Runs) -> Frames:
    if state.draft is not None:
        yield {"problems": find_draft_problems(state.draft), "last": True}
        return
    declaration, path = load_declaration(state.experiment), _run_store_path(state.experiment)
    yield _declaration_frame(state, declaration)
    if path.exists():
        with Store(path, mode="r") as results:
            done, blocks = results.status().done, results.done(declaration.precision_of)
            missing, found = list_remaining_tasks(declaration, blocks), Result.read(declaration, results)
        yield _progress_frame(declaration, done, missing) | _collect_figure_lines(
            declaration, found.points, state.figure
        )
        if state.beside:
            yield _collect_other_run(declaration, state)
        if state.report:
            yield {"report": _write_run_report(found, done)}
    else:
        yield _progress_frame(declaration, 0, list_remaining_tasks(declaration, {}))
    if state.go:
        path.parent.mkdir(parents=True, exist_ok=True)
        with Store(path, mode="w") as results:
            yield from _run_tasks(declaration, results, state)


def _select_line_figures(declaration: Declaration) -> list[Any]:
    """Return the figures that the page can draw: lines over an axis. The report shows all."""
    return [figure for figure in declaration.figure if figure.kind == "lines"]


def _collect_figure_lines(declaration: Declaration, points: Any, number: int) -> dict[str, Any]:
    """Return the lines of one figure, [x, mean, standard error, repeats], with theory at the same points."""
    figures = _select_line_figures(declaration)
    if not figures:
        return {"picture": None}
    figure = figures[min(number, len(figures) - 1)]
    found = [
        line for measure in figure.measures for line in measured_lines(declaration, points, figure, measure)
    ]
    numeric = [line for line in found if all(isinstance(x, int | float) for x in line.x)]
    theories = [declaration.scenario_object.theories[name] for name in figure.theory]
    shown = [
        {
            "title": ", ".join([line.measure, *(f"{key} = {value}" for key, value in line.keys.items())]),
            "points": [[x, e.mean, e.error, e.n] for x, e in zip(line.x, line.estimates, strict=True)],
            "theory": [
                [x, theory.function(p)]
                for theory in theories
                if theory.measure == line.measure
                for x, p in zip(line.x, line.parameters, strict=True)
            ],
        }
        for line in numeric
    ]
    axes = {key: getattr(figure, key) for key in ("name", "xlabel", "ylabel", "logx", "logy")}
    return {"picture": axes | {"lines": shown, "x": figure.x}}


def _write_run_report(found: Result, done: int) -> str:
    """Write the page of `markone report` for the browser, once per state of the store; return its key."""
    key = hashlib.sha256(f"report {found.name} {done} {found.path.stat().st_mtime_ns}".encode()).hexdigest()
    if current_uploads().result(key) is None:
        place = current_uploads().make_result_folder()
        page = report_html(collect_content(found.declaration, found.points, found.provenance))
        (place / OFFERED["report"][0]).write_text(page, encoding="utf-8")
        current_uploads().publish_folder(place, key)
    return key


def _collect_other_run(declaration: Declaration, state: Runs) -> dict[str, Any]:
    """Return the lines of another run over the same axis."""
    other, path = load_declaration(state.beside), _run_store_path(state.beside)
    if not path.exists():
        raise ValueError(f"Nothing of {state.beside} has been run here yet. Choose it above and press Start.")
    figures = _select_line_figures(declaration)
    wanted = figures[min(state.figure, len(figures) - 1)].x if figures else None
    fits = [k for k, figure in enumerate(_select_line_figures(other)) if figure.x == wanted]
    if not fits:
        raise ValueError(f"{state.beside} has no figure over {wanted}: they cannot share axes.")
    with Store(path, mode="r") as results:
        return {"beside": _collect_figure_lines(other, results.points(other), fits[0])["picture"]}


def _declaration_frame(state: Runs, declaration: Declaration) -> dict[str, Any]:
    return {
        "title": declaration.title,
        "read_first": declaration.read_first,
        "text": ENTRIES[state.experiment].path.read_text(encoding="utf-8"),
        "figures": [figure.name for figure in _select_line_figures(declaration)],
        "claims": [claim.text for claim in declaration.claim],
    }


def _progress_frame(declaration: Declaration, done: int, missing: list[Any]) -> dict[str, Any]:
    """Return the progress and the remaining time: the missing share of the time given in the declaration."""
    scenario = declaration.scenario_object

    def cost(some: list[Any]) -> float:
        of_each = (scenario.cost(scenario.parameters(**t.parameters)) * (t.stop - t.start) for t in some)
        return float(sum(of_each))

    share = cost(missing) / cost(list_remaining_tasks(declaration, {})) if missing else 0.0
    whole = parse_run_time(ENTRIES[declaration.name].time)
    return {"done": done, "of": done + len(missing), "seconds": share * whole if whole else None}


def parse_run_time(text: str) -> float | None:
    """Convert "5 s", "3 min" or "1 h" to seconds."""
    number, _, unit = text.partition(" ")
    return float(number) * {"s": 1, "min": 60, "h": 3600}[unit] if unit else None


def _run_tasks(declaration: Declaration, results: Store, state: Runs) -> Iterator[dict[str, Any]]:
    """Run the missing tasks one by one; the caller closes the store when the page stops."""
    ledger = RunState(declaration, results)
    todo = deque(ledger.plan_tasks())
    results.declare(declaration, ledger.progress_counts[1])
    reported = redrawn = time.perf_counter()
    began = time.process_time()
    while todo:
        task = todo.popleft()
        todo.extend(ledger.store_outcome(task, run_task(task)))
        now = time.perf_counter()
        if now - reported > PACE.seconds:
            reported = now
            frame: dict[str, Any] = {"done": ledger.progress_counts[0], "of": ledger.progress_counts[1]}
            if now - redrawn > REDRAWN:
                redrawn = now
                frame |= _collect_figure_lines(declaration, results.points(declaration), state.figure)
            yield frame
            if time.process_time() - began > ENOUGH:
                yield frame | {"paused": PAUSED, "last": True}
                return
    ended = {
        "done": ledger.progress_counts[0],
        "of": ledger.progress_counts[1],
        "failed": ledger.failed,
        "last": True,
    }
    yield ended | _collect_figure_lines(declaration, results.points(declaration), state.figure)


def python(state: Runs) -> str:
    return f'''# The run, as plain Python. The store is the one of `markone run {state.experiment}`.
from markone.lab import Experiment

result = Experiment.load("{state.experiment}").run(progress=False)  # computes what is missing
print(result)
for point in result.points:
    print(point.parameters, {{name: float(values.mean()) for name, values in point.values.items()}})
'''


def _read_declaration_toml(state: Runs) -> str:
    return ENTRIES[state.experiment].path.read_text(encoding="utf-8")


SCREEN = Screen(
    name="runs",
    title="Runs",
    state=Runs,
    frames=frames,
    python=python,
    toml=_read_declaration_toml,
)
