"""Conversion of a history to JSON data for the player, the type Film in `static/player.js`."""

from typing import Any

import numpy as np

from markone.base.history import History
from markone.base.plot_style import square_extent
from markone.numerics.arrays import Array
from markone.show.histories import CELLS, plane_grid, split_inputs_weights
from markone.show.projection import display_plane

# Fields of a frame: columns of a history.
STEP_COLUMNS = {name: name for name in ("step", "epoch", "example", "E", "change", "updates")}
STEP_COLUMNS |= {"after": "E_after"}


def make_film(history: History, *, most: int = 300, title: str = "", student: Any = None) -> dict[str, Any]:
    """Frames, points and curves as JSON data; at most `most` rows, evenly spread.

    student : the fitted estimator, needed for students in feature space (curved boundaries).
    """
    rows = select_rows(history, most)
    scenes = next((make for state, make in SCENES.items() if state in history.states), None)
    parts = _field_scenes(history, rows, student) if scenes is None else scenes(history, rows)
    notes = [parts.pop("note")]
    # Row 0 is the start, unless a history begins after the first step.
    shown = int(np.sum(history["step"][rows] > 0))
    if shown != history.n_events:
        notes.append(f"{shown} of {history.n_events} steps are shown, evenly spread")
    frames = [
        {name: _json_number(history.table[k][column]) for name, column in STEP_COLUMNS.items()} | scene
        for k, scene in zip(rows, parts.pop("scenes"), strict=True)
    ]
    verb = "recalls" if "energy" in history.states else "learns"
    film = {"title": title or f"{history.student} {verb}", "note": ". ".join(filter(None, notes))}
    return film | parts | {"frames": frames, "series": _curve_series(history, rows)}


def select_rows(history: History, most: int) -> Array:
    if most < 2:
        raise ValueError(f"most = {most}: an animation needs at least two frames.")
    last = len(history) - 1
    return np.unique(np.round(np.linspace(0, last, min(most, last + 1))).astype(int))


def _json_number(value: Any) -> Any:
    """Round to five digits; None for values that JSON cannot represent."""
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_json_number(one) for one in value]
    value = float(value)
    if not np.isfinite(value):
        return None
    return int(value) if value.is_integer() and abs(value) < 1e15 else float(f"{value:.5g}")


def _cell_text(values: Any) -> str:
    """1 for the cells of a grid with values >= 0, otherwise 0."""
    return "".join(np.where(np.asarray(values) >= 0, "1", "0"))


def _plane_scenes(history: History, rows: Array) -> dict[str, Any]:
    X, W, offsets = split_inputs_weights(history)
    plane = display_plane(X, W[-1])
    sizes = _mark_sizes(history, rows)
    scenes: list[dict[str, Any]] = [{"w": _json_number(plane.weights(W[k], offsets[k]))} for k in rows]
    for scene, size in zip(scenes, sizes, strict=False):
        scene["sizes"] = size
    return _example_fields("plane", plane.points(X), history.S, plane.names, plane.note) | {"scenes": scenes}


def _field_scenes(history: History, rows: Array, student: Any) -> dict[str, Any]:
    """Output regions on a coarse grid, for students in feature space."""
    X = np.asarray(history.xi, dtype=float)
    if X.shape[1] != 2 or student is None:
        raise ValueError(
            f"{history.student} has a curved boundary: give the fitted student itself, with two inputs (not "
            f"{X.shape[1]})."
        )
    parts = _example_fields("field", X, history.S, ("x1", "x2"), "")
    _, grid = plane_grid(X)
    kernel = student._make_kernel(X, np.arange(len(X)), None)
    potentials = kernel.cross_kernel(grid, None) @ (history.x[rows] * history.S).T
    sizes = _mark_sizes(history, rows)
    scenes = [
        {"cells": _cell_text(column), "sizes": size} for column, size in zip(potentials.T, sizes, strict=True)
    ]
    return parts | {"shape": [CELLS, CELLS], "scenes": scenes}


def _machine_scenes(history: History, rows: Array) -> dict[str, Any]:
    """Output regions of a machine: majority of its units (4.7) or their product (4.8)."""
    X = np.asarray(history.xi, dtype=float)
    if X.shape[1] != 2:
        raise ValueError(f"Regions of {history.student} are drawn for two inputs, not {X.shape[1]}.")
    _, grid = plane_grid(X)
    scenes = []
    for k in rows:
        weights, thresholds = history.states["weights"][k], history.states["thresholds"][k]
        units = np.where(grid @ weights.T - thresholds >= 0, 1, -1)
        majority = history.settings["machine"] == "committee"
        answers = units.sum(axis=1) if majority else units.prod(axis=1)
        scenes.append({"cells": _cell_text(answers)})
    parts = _example_fields("field", X, history.S, ("x1", "x2"), "")
    return parts | {"shape": [CELLS, CELLS], "scenes": scenes}


def _prototype_scenes(history: History, rows: Array) -> dict[str, Any]:
    X, W = np.asarray(history.xi, dtype=float), history.states["prototypes"]
    plane = display_plane(X, np.zeros(X.shape[1]))
    classes = history.states["prototype_classes"][0]
    scenes = [
        {"prototypes": [[*_json_number(p), int(c)] for p, c in zip(plane.points(W[k]), classes, strict=True)]}
        for k in rows
    ]
    both = np.vstack([plane.points(X), *[plane.points(W[k]) for k in rows]])
    parts = _example_fields("prototypes", plane.points(X), history.S, plane.names, plane.note)
    parts["classes"] = [
        str(name) for name in history.settings.get("classes", range(int(history.S.max()) + 1))
    ]
    return parts | {"extent": square_extent(both), "scenes": scenes}


def _memory_scenes(history: History, rows: Array) -> dict[str, Any]:
    cells = history.states["cells"]
    scenes = [{"cells": _cell_text(cells[k])} for k in rows]
    shape = [int(n) for n in history.settings["shape"]]
    if history.settings.get("kind") == "field":
        parts = _example_fields("field", np.asarray(history.xi), history.S, ("x1", "x2"), "")
        return parts | {"shape": shape, "scenes": scenes}
    parts = {"kind": "memory", "axes": ["", ""], "classes": [], "points": [], "extent": [0, 1, 0, 1]}
    return parts | {"shape": shape, "note": history.settings.get("status", ""), "scenes": scenes}


def _example_fields(kind: str, points: Array, S: Array, names: tuple[str, str], note: str) -> dict[str, Any]:
    codes = np.where(S > 0, 0, 1) if kind != "prototypes" else S.astype(int)
    return {
        "kind": kind,
        "note": note,
        "axes": list(names),
        "classes": ["+1", "-1"],
        "points": [[*_json_number(p), int(c)] for p, c in zip(points, codes, strict=True)],
        "extent": square_extent(points),
    }


def _mark_sizes(history: History, rows: Array) -> list[list[float]]:
    """Radii by embedding strength, in pixels of the player; empty if strengths were not recorded."""
    if "x" not in history.states:
        return []
    x = np.maximum(history.x[rows], 0.0)
    top = float(x.max()) or 1.0
    return [[round(4 + 6 * float(np.sqrt(v)), 1) for v in row] for row in x / top]


def _curve_series(history: History, rows: Array) -> list[dict[str, Any]]:
    found: dict[str, Any] = {}
    if "w" in history.states or "kappa" in history.states:
        found = {"stability κ": history.kappa, "errors": history.errors, "|w|": np.sqrt(history.Q)}
    elif "errors" in history.states:
        found = {"errors": history.states["errors"]}
    found |= {name: history.states[name] for name in ("cost", "energy", "overlap") if name in history.states}
    return [
        {"name": name, "values": _json_number(np.asarray(values)[rows])} for name, values in found.items()
    ]


# Scenes by the first of these states that a history has; without any they are those of its student.
SCENES = {
    "cells": _memory_scenes,
    "weights": _machine_scenes,
    "prototypes": _prototype_scenes,
    "w": _plane_scenes,
}
