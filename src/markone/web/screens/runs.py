"""Runs: the declared experiments, started, paused and continued in the store of the command line."""

import hashlib
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from markone.lab import catalogue
from markone.lab.load import load
from markone.lab.report.content import collect
from markone.lab.report.pages import as_html
from markone.lab.result import Result
from markone.lab.runner.run import Ledger
from markone.lab.runner.worker import work
from markone.lab.schema import Declaration
from markone.lab.store.results import Store
from markone.lab.survey import tasks
from markone.web.budget import CPU_BUDGET
from markone.web.drafts import problems
from markone.web.pace import PACE
from markone.web.run_pictures import drawn, picture
from markone.web.screens.base import Frames, Screen, State, Words, control
from markone.web.table.uploads import OFFERED, uploads

# Names of the catalogue only: no text sent by a page becomes a path.
ENTRIES = {entry.name: entry for entry in catalogue.entries()}
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
    experiment: Experiment = control(
        "demo_capacity",
        "Experiment",
        "All that come with markone.",
        group="Experiment",
        choices=TITLES,
    )
    beside: OrNone = control(
        "",
        "Beside it",
        "Another run on the same figure.",
        group="Experiment",
        choices={"": "nothing"} | TITLES,
    )
    figure: int = control(0, "Figure", "Which of its figures.", hidden=True, ge=0, le=99)
    go: bool = control(False, "Run", "Compute what is missing.", hidden=True)
    report: bool = control(False, "Report", "The page of `markone report`.", hidden=True)
    draft: str | None = control(None, "Draft", "A declaration to be checked.", hidden=True, max_length=30_000)


def store_path(name: str) -> Path:
    """Return the store of `markone run`, below the folder in which the laboratory was started."""
    return Path("runs", name, "results.sqlite")


def frames(state: Runs) -> Frames:
    if state.draft is not None:
        yield {"problems": problems(state.draft), "last": True}
        return
    declaration, path = load(state.experiment), store_path(state.experiment)
    yield _about(state, declaration)
    if path.exists():
        with Store(path, mode="r") as results:
            done, blocks = results.status().done, results.done(declaration.precision_of)
            missing, found = tasks(declaration, blocks), Result.read(declaration, results)
        yield _status(declaration, done, missing) | picture(declaration, found.points, state.figure)
        if state.beside:
            yield beside(declaration, state)
        if state.report:
            yield {"report": report_key(found, done)}
    else:
        yield _status(declaration, 0, tasks(declaration, {}))
    if state.go:
        path.parent.mkdir(parents=True, exist_ok=True)
        with Store(path, mode="w") as results:
            yield from _run(declaration, results, state)


def report_key(found: Result, done: int) -> str:
    """Write the page of `markone report` for the browser, once per state of the store; return its key."""
    key = hashlib.sha256(f"report {found.name} {done} {found.path.stat().st_mtime_ns}".encode()).hexdigest()
    if uploads().result(key) is None:
        place = uploads().new_result()
        page = as_html(collect(found.declaration, found.points, found.provenance))
        (place / OFFERED["report"][0]).write_text(page, encoding="utf-8")
        uploads().finish(place, key)
    return key


def beside(declaration: Declaration, state: Runs) -> dict[str, Any]:
    """Return the lines of another run over the same axis."""
    other, path = load(state.beside), store_path(state.beside)
    if not path.exists():
        raise ValueError(f"Nothing of {state.beside} has been run here yet. Choose it above and press Start.")
    figures = drawn(declaration)
    wanted = figures[min(state.figure, len(figures) - 1)].x if figures else None
    fits = [k for k, figure in enumerate(drawn(other)) if figure.x == wanted]
    if not fits:
        raise ValueError(f"{state.beside} has no figure over {wanted}: they cannot share axes.")
    with Store(path, mode="r") as results:
        return {"beside": picture(other, results.points(other), fits[0])["picture"]}


def _about(state: Runs, declaration: Declaration) -> dict[str, Any]:
    return {
        "title": declaration.title,
        "read_first": declaration.read_first,
        "text": ENTRIES[state.experiment].path.read_text(encoding="utf-8"),
        "figures": [figure.name for figure in drawn(declaration)],
        "claims": [claim.text for claim in declaration.claim],
    }


def _status(declaration: Declaration, done: int, missing: list[Any]) -> dict[str, Any]:
    """Return the progress and the remaining time: the missing share of the time given in the declaration."""
    scenario = declaration.scenario_object

    def cost(some: list[Any]) -> float:
        of_each = (scenario.cost(scenario.parameters(**t.parameters)) * (t.stop - t.start) for t in some)
        return float(sum(of_each))

    share = cost(missing) / cost(tasks(declaration, {})) if missing else 0.0
    whole = whole_time(ENTRIES[declaration.name].time)
    return {"done": done, "of": done + len(missing), "seconds": share * whole if whole else None}


def whole_time(text: str) -> float | None:
    """Convert "5 s", "3 min" or "1 h" to seconds."""
    number, _, unit = text.partition(" ")
    return float(number) * {"s": 1, "min": 60, "h": 3600}[unit] if unit else None


def _run(declaration: Declaration, results: Store, state: Runs) -> Iterator[dict[str, Any]]:
    """Run the missing tasks one by one; the caller closes the store when the page stops."""
    ledger = Ledger(declaration, results)
    todo = deque(ledger.survey())
    results.declare(declaration, ledger.progress[1])
    reported = redrawn = time.perf_counter()
    began = time.process_time()
    while todo:
        task = todo.popleft()
        todo.extend(ledger.enter(task, work(task)))
        now = time.perf_counter()
        if now - reported > PACE.seconds:
            reported = now
            frame: dict[str, Any] = {"done": ledger.progress[0], "of": ledger.progress[1]}
            if now - redrawn > REDRAWN:
                redrawn = now
                frame |= picture(declaration, results.points(declaration), state.figure)
            yield frame
            if time.process_time() - began > ENOUGH:
                yield frame | {"paused": PAUSED, "last": True}
                return
    ended = {"done": ledger.progress[0], "of": ledger.progress[1], "failed": ledger.failed, "last": True}
    yield ended | picture(declaration, results.points(declaration), state.figure)


def python(state: Runs) -> str:
    return f'''# The run, as plain Python. The store is the one of `markone run {state.experiment}`.
from markone.lab import Experiment

result = Experiment.load("{state.experiment}").run(progress=False)  # computes what is missing
print(result)
for point in result.points:
    print(point.parameters, {{name: float(values.mean()) for name, values in point.values.items()}})
'''


def toml(state: Runs) -> str:
    return ENTRIES[state.experiment].path.read_text(encoding="utf-8")


SCREEN = Screen(
    name="runs",
    title="Runs",
    state=Runs,
    frames=frames,
    python=python,
    toml=toml,
    words=Words(
        (
            "An experiment is a declaration: a grid of parameters, repeats, figures with theory, and claims.",
            (
                "Start computes what is missing and stores it task by task; pause it, close the page, "
                "and go on later."
            ),
            "The store is that of the command line: a run started here is continued by `markone run`, "
            "and the other way round.",
            (
                "Dots are means with their standard error and come in while it runs; lines are the "
                "theory at the same points."
            ),
        ),
        "",
        "docs: declarations; the report is the page of `markone report`",
        "The declaration of each figure names the theory of each measure.",
    ),
)
