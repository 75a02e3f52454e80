"""Conversion of a history to JSON data for the player, the type Film in `static/player.js`."""

from typing import Any

import numpy as np

from markone.base.history import History
from markone.base.plot_style import square_extent
from markone.numerics.arrays import Array
from markone.show.histories import CELLS, plane_grid, split_inputs_weights
from markone.show.projection import display_plane


def make_film(history: History, *, most: int = 300, title: str = "", student: Any = None) -> dict[str, Any]:
    """Frames, points and curves as JSON data; at most `most` rows, evenly spread.

    student : the fitted estimator, needed for students in feature space (curved boundaries).
    """
    rows = select_rows(history, most)
    parts = _make_scenes(history, rows, student)
    notes = [parts.pop("note"), _thinning_note(history, rows)]
    frames = [_step_fields(history, k) | scene for k, scene in zip(rows, parts.pop("scenes"), strict=True)]
    verb = "recalls" if "energy" in history.states else "learns"
    film = {"title": title or f"{history.student} {verb}", "note": ". ".join(filter(None, notes))}
    return film | parts | {"frames": frames, "series": _curve_series(history, rows)}


def select_rows(history: History, most: int) -> Array:
    if most < 2:
        raise ValueError(f"most = {most}: an animation needs at least two frames.")
    last = len(history) - 1
    return np.unique(np.round(np.linspace(0, last, min(most, last + 1))).astype(int))


def _thinning_note(history: History, rows: Array) -> str:
    # Row 0 is the start, unless a history begins after the first step.
    shown = int(np.sum(history["step"][rows] > 0))
    if shown == history.n_events:
        return ""
    return f"{shown} of {history.n_events} steps are shown, evenly spread"


def _json_number(value: Any) -> Any:
    """Round to five digits; None for values that JSON cannot represent."""
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_json_number(one) for one in value]
    value = float(value)
    if not np.isfinite(value):
        return None
    return int(value) if value.is_integer() and abs(value) < 1e15 else float(f"{value:.5g}")


def _step_fields(history: History, k: int) -> dict[str, Any]:
    row = history.table[k]
    names = {"step": "step", "epoch": "epoch", "example": "example", "E": "E", "after": "E_after"}
    names |= {"change": "change", "updates": "updates"}
    return {ours: _json_number(row[theirs]) for ours, theirs in names.items()}


def _make_scenes(history: History, rows: Array, student: Any) -> dict[str, Any]:
    if "cells" in history.states:
        return _memory_scenes(history, rows)
    if "weights" in history.states:
        return _machine_scenes(history, rows)
    if "prototypes" in history.states:
        return _prototype_scenes(history, rows)
    if "w" in history.states:
        return _plane_scenes(history, rows)
    return _field_scenes(history, rows, student)


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
        {"cells": "".join("1" if value >= 0 else "0" for value in column), "sizes": size}
        for column, size in zip(potentials.T, sizes, strict=True)
    ]
    return parts | {"shape": [CELLS, CELLS], "scenes": scenes}


def _machine_scenes(history: History, rows: Array) -> dict[str, Any]:
    """Output regions of a machine: majority of its units (4.7) or their product (4.8)."""
    X = np.asarray(history.xi, dtype=float)
    if X.shape[1] != 2:
        raise ValueError(f"Regions of {history.student} are drawn for two inputs, not {X.shape[1]}.")
    _, grid = plane_grid(X)
    scenes = []
    for weights, thresholds in zip(
        history.states["weights"][rows], history.states["thresholds"][rows], strict=True
    ):
        units = np.where(grid @ weights.T - thresholds >= 0, 1, -1)
        majority = history.settings["machine"] == "committee"
        answers = units.sum(axis=1) if majority else units.prod(axis=1)
        scenes.append({"cells": "".join("1" if value >= 0 else "0" for value in answers)})
    return _example_fields("field", X, history.S, ("x1", "x2"), "") | {
        "shape": [CELLS, CELLS],
        "scenes": scenes,
    }


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
    scenes = [{"cells": "".join("1" if s > 0 else "0" for s in cells[k])} for k in rows]
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
