"""Your table: what `markone fit` does, with the same page at the end."""

import hashlib
import json
import shlex
from collections.abc import Iterator
from typing import Any, Literal

from markone.tables import models
from markone.tables.plan.target import CLASSIFICATION, REGRESSION
from markone.web.screens.base import Frames, Screen, State, make_control, seed_control
from markone.web.table import fit_slot
from markone.web.table.preview import preview_table, read_checked_table
from markone.web.table.uploads import current_uploads

SETS = {
    "iris": "Iris: 150 flowers, 3 kinds",
    "wine": "Wine: 178 wines, 3 growers",
    "breast_cancer": "Breast cancer: 569 tumours, 2 kinds",
    "digits": "Digits: 1797 pictures, 10 classes",
    "own": "Your own file",
}
# "usual": the default of `markone fit` for classes or for numbers.
Models: Any = Literal[
    ("usual", *dict.fromkeys([*models.model_names(CLASSIFICATION), *models.model_names(REGRESSION)]))
]
FOLDS = {
    "1x5": "5 folds, once",
    "1x10": "10 folds, once",
    "5x10": "10 folds, five times",
    "10x10": "10 folds, ten times",
    "loo": "leave one out",
}
# Would start processes outside the budget of the fit.
FORBIDDEN = ("n_jobs",)
MISSING = {
    "refuse": "stop with a message",
    "drop": "leave the row out",
    "median": "fill in the median",
    "mean": "fill in the mean",
    "mask": "skip it in distances",
}


class YourTable(State):
    data: Literal["iris", "wine", "breast_cancer", "digits", "own"] = make_control(
        "iris", "Table", "One to start from, or drop your own.", group="Examples", choices=SETS
    )
    table: str | None = make_control(None, "Upload", "", hidden=True, pattern="^[0-9a-f]{64}$")
    name: str = make_control("", "File name", "Used in messages only.", hidden=True, max_length=80)
    target: str | None = make_control(None, "Target", "", hidden=True, max_length=200)
    header: bool = make_control(True, "First line has names", "", group="Examples", when={"data": ["own"]})
    missing: Literal["refuse", "drop", "median", "mean", "mask"] = make_control(
        "refuse",
        "Missing values",
        "How rows with missing values are treated.",
        group="Examples",
        choices=MISSING,
    )
    model: Models = make_control("usual", "Model", "All models of `markone fit`.")
    settings: str = make_control("", "Settings", "As C=0.1; several with blanks between.", max_length=120)
    grid: str = make_control(
        "", "Values to try", "As C=0.01,0.1,1: chosen by inner folds of each training part.", max_length=120
    )
    cv: Literal["1x5", "1x10", "5x10", "10x10", "loo"] = make_control(
        "5x10", "Folds", "Each row is predicted by models fitted without it.", choices=FOLDS
    )
    scale: Literal["standard", "none"] = make_control(
        "standard", "Scaling", "", choices={"standard": "to z-scores", "none": "none"}
    )
    seed: int = seed_control("Which rows are in which fold.")
    go: bool = make_control(False, "Fit", "", hidden=True)


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
