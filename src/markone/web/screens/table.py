"""Your table: what `markone fit` does, with the same page at the end."""

import hashlib
import json
import shlex
from collections.abc import Iterator
from typing import Any, Literal

from markone.tables import models
from markone.tables.plan.target import CLASSIFICATION, REGRESSION
from markone.web.screens.base import Frames, Screen, State, make_control, read_choices, seed_control
from markone.web.table import fit_slot
from markone.web.table.preview import preview_table, read_checked_table
from markone.web.table.uploads import current_uploads

SETS = read_choices("table", "data")
# "usual": the default of `markone fit` for classes or for numbers.
Models: Any = Literal[
    ("usual", *dict.fromkeys([*models.model_names(CLASSIFICATION), *models.model_names(REGRESSION)]))
]
FOLDS = read_choices("table", "cv")
SCALES = read_choices("table", "scale")
# Would start processes outside the budget of the fit.
FORBIDDEN = ("n_jobs",)
MISSING = read_choices("table", "missing")


class YourTable(State):
    data: Literal["iris", "wine", "breast_cancer", "digits", "own"] = make_control("iris", choices=SETS)
    table: str | None = make_control(None, hidden=True, pattern="^[0-9a-f]{64}$")
    name: str = make_control("", hidden=True, max_length=80)
    target: str | None = make_control(None, hidden=True, max_length=200)
    header: bool = make_control(True, when={"data": ["own"]})
    missing: Literal["refuse", "drop", "median", "mean", "mask"] = make_control("refuse", choices=MISSING)
    model: Models = make_control("usual")
    settings: str = make_control("", max_length=120)
    grid: str = make_control("", max_length=120)
    cv: Literal["1x5", "1x10", "5x10", "10x10", "loo"] = make_control("5x10", choices=FOLDS)
    scale: Literal["standard", "none"] = make_control("standard", choices=SCALES)
    seed: int = seed_control()
    go: bool = make_control(False, hidden=True)


def _find_table_source(state: YourTable) -> str:
    """Return the argument of the reader: the name of a known set, or the path of an uploaded file."""
    if state.data != "own":
        return state.data
    if state.table is None:
        raise ValueError("Drop a file here, or choose one: CSV, up to 5 MB, 50 000 rows and 500 columns.")
    return str(current_uploads().table(state.table))


def _table_name(state: YourTable) -> str:
    """Return the name of the table in messages."""
    kept = "".join(c for c in state.name if c.isprintable()).strip()
    return state.data if state.data != "own" else kept or "your table"


def _make_fit_order(state: YourTable, data: str) -> dict[str, Any]:
    """Return the request sent to the process of the fit: the arguments of `FitRequest`."""
    for part in (*state.settings.split(), *state.grid.split()):
        if part.partition("=")[0] in FORBIDDEN:
            raise ValueError(f"{part} is not allowed here: a fit runs in one process. Leave it out.")
    return {
        "data": data,
        "called": _table_name(state),
        "command": _fit_command_words(state),
        "options": {"target": state.target, "missing": state.missing},
        "request": {
            "model": "" if state.model == "usual" else state.model,
            "workers": 1,
            "settings": state.settings.split(),
            "grid": state.grid.split(),
            "cv": state.cv,
            "scale": state.scale,
            "seed": state.seed,
            "header": state.header,
        },
    }


def _fit_command_words(state: YourTable) -> list[str]:
    """Return the equivalent command line, without the program's name."""
    words = ["fit", _table_name(state), *(["--model", state.model] if state.model != "usual" else [])]
    words += ["--cv", state.cv, "--seed", str(state.seed)]
    if state.target is not None:
        words += ["--target", state.target]
    for option, value, default in (("missing", state.missing, "refuse"), ("scale", state.scale, "standard")):
        words += [f"--{option}", value] if value != default else []
    for option, text in (("set", state.settings), ("grid", state.grid)):
        words += [word for part in text.split() for word in (f"--{option}", part)]
    return [*words, *([] if state.header else ["--no-header"])]


def frames(state: YourTable) -> Frames:
    data = _find_table_source(state)
    found = preview_table(read_checked_table(data, _table_name(state), state.header))
    yield {
        "preview": found,
        "command": shlex.join(["markone", *_fit_command_words(state)]),
        "last": not state.go,
    }
    if state.go:
        yield from _fit_frames(state, _make_fit_order(state, data))


def _fit_frames(state: YourTable, wanted: dict[str, Any]) -> Iterator[dict[str, Any]]:
    key = hashlib.sha256(json.dumps(wanted, sort_keys=True).encode()).hexdigest()
    headline = fit_slot.find_earlier_headline(key)
    if headline is None:
        while not fit_slot.slot_is_free():
            yield {"waiting": True}
        fit = fit_slot.start_table_fit(wanted)
        try:
            while fit.is_running:
                yield {"waiting": False, "done": fit.received.get("done", 0), "of": fit.received.get("of", 0)}
            headline = fit.publish_result(key)
        finally:
            fit.close()
    yield {"result": {"key": key, "headline": headline}, "last": True}


def python(state: YourTable) -> str:
    return f"""# Your table, as plain Python: what `markone fit` does.
from markone.tables import ColumnOptions, FitRequest, fit, headline, save_model

fitted = fit(
    FitRequest(
        {_table_name(state)!r},
        model={("" if state.model == "usual" else state.model)!r},
        options=ColumnOptions(target={state.target!r}, missing={state.missing!r}),
        settings={state.settings.split()!r},
        grid={state.grid.split()!r},
        cv={state.cv!r},
        scale={state.scale!r},
        seed={state.seed},
        header={state.header},
    )
)
print(headline(fitted))
# To keep it: save_model(fitted, pathlib.Path("model.skops")); `markone predict` takes it from there.
"""


SCREEN = Screen(
    name="table",
    title="Your table",
    state=YourTable,
    frames=frames,
    python=python,
)
