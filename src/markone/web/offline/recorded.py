"""Screens of an exported page with recorded frames: those of a grid of states, as the library computed them.

A part of a frame that several states share is stored once. Fields of the state that are not in the grid keep
their default, except those that only change how the page draws.
"""

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markone.web.screens import find_screen

# Significant digits of recorded numbers: a picture has fewer.
DIGITS = 5


@dataclass(frozen=True)
class RecordedScreen:
    """grid: the values of each field. free: fields that do not change a frame. by: a list of lines, each
    recorded alone, whose parts are joined."""

    name: str
    grid: Mapping[str, Sequence[Any]]
    free: tuple[str, ...] = ()
    by: str | None = None

    # There is nothing to compile.
    MODULE = None

    def make_tables(self) -> dict[str, Any]:
        screen, parts, frames = find_screen(self.name), {}, {}  # type: ignore[var-annotated]
        properties = screen.state.model_json_schema()["properties"]
        for values in itertools.product(*self.grid.values()):
            state = dict(zip(self.grid, values, strict=True))
            if self.by:
                state[self.by] = [state[self.by]]
            full = screen.state.model_validate_json(json.dumps(state))
            key = _make_key(full.model_dump(mode="json"), list(self.grid), properties)
            if key in frames:
                continue
            frames[key] = []
            for frame in _join_frames(screen.frames(full)):
                texts = {name: json.dumps(_shorten(part)) for name, part in frame.items() if name != "last"}
                frames[key].append({name: parts.setdefault(text, len(parts)) for name, text in texts.items()})
        fields = {"fields": list(self.grid), "by": self.by}
        return fields | {"frames": frames, "parts": [json.loads(text) for text in parts]}

    def restrict_schema(self, schema: dict[str, Any]) -> None:
        for name, field in schema["properties"].items():
            if name == self.by:
                field["items"]["enum"] = list(self.grid[name])
            elif name in self.grid:
                field |= {"enum": list(self.grid[name]), "default": self._default(name, field)}
            elif name not in self.free:
                field |= {"enum": [field["default"]], "hidden": True}

    def can_show(self, state: dict[str, Any]) -> bool:
        """True if all of a state was recorded."""
        known = find_screen(self.name).state.model_json_schema()["properties"]

        def has(name: str, value: Any) -> bool:
            if name == self.by:
                return set(value) <= set(self.grid[name])
            return value in self.grid.get(name, [known[name]["default"]])

        complete = {name: state.get(name, self._default(name, field)) for name, field in known.items()}
        used = [name for name in complete if name not in self.free and _is_used(known[name], complete)]
        return all(has(name, complete[name]) for name in used)

    def _default(self, name: str, field: dict[str, Any]) -> Any:
        """The default of the screen, or the first recorded value if that was not recorded."""
        values = list(self.grid.get(name, [field["default"]]))
        return field["default"] if name == self.by or field["default"] in values else values[0]


def _join_frames(frames: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The last state of each part of a frame; frames of steps stay apart."""
    joined: list[dict[str, Any]] = [{}]
    for one in frames:
        joined += [{}] if "step" in one else []
        joined[-1] |= one
    return joined


def _make_key(state: dict[str, Any], names: list[str], properties: dict[str, Any]) -> str:
    """The values of the fields used in this state, as `keyOf` in static/offline/recorded.js writes them."""
    used = [name for name in names if _is_used(properties[name], state)]
    return ",".join(f"{name}={_key_text(state[name])}" for name in used)


def _is_used(field: dict[str, Any], state: dict[str, Any]) -> bool:
    def chosen(name: str) -> list[Any]:
        return state[name] if isinstance(state[name], list) else [state[name]]

    return all(set(chosen(name)) & set(values) for name, values in field.get("when", {}).items())


def _key_text(value: Any) -> str:
    """As JavaScript writes it: 1 for 1.0, true for True."""
    if isinstance(value, list):
        return ",".join(map(_key_text, value))
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, str) else json.dumps(value)


def _shorten(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if value == value else None
    if isinstance(value, dict):
        return {name: _shorten(one) for name, one in value.items()}
    return [_shorten(one) for one in value] if isinstance(value, list | tuple) else value


RECORDED = {
    one.name: one
    for one in (
        RecordedScreen(
            "version",
            {"dimension": [3, 2], "P": range(13), "seed": range(3), "telling": [False, True]},
            free=("show_teacher", "around", "above"),
        ),
        RecordedScreen(
            "teacher",
            {
                "students": ["hebb", "adatron", "rosenblatt", "adaline", "soft_margin"],
                "N": [50, 10],
                "alpha": [5.0, 10.0],
                "noise": [0.0, 0.1],
            },
            by="students",
        ),
        RecordedScreen(
            "prototypes",
            {"data": ["iris"], "model": ["gmlvq", "lvq1", "glvq", "grlvq"], "prototypes": [1, 2]},
            free=("reject", "row", "t"),
        ),
        RecordedScreen("capacity", {"N": [20, 10, 50], "sweeps": [50, 10, 300]}),
        RecordedScreen(
            "online",
            {
                "rules": ["hebb", "rosenblatt", "adatron", "optimal", "lms"],
                "alpha": [20.0, 60.0, 100.0],
                "noise": [0.0, 0.1],
                "repeats": [20],
                "eta": [1.0, 0.15, 0.2, 0.5, 1.5],
            },
            free=("log",),
            by="rules",
        ),
        RecordedScreen(
            "judging",
            {
                "what": ["threshold", "polynomials", "folds"],
                "threshold": [k / 2 for k in range(-8, 9)],
                "distance": [1.5, 3.0, 4.0],
                "share": [0.3, 0.04, 0.5],
                "degree": range(10),
                "rho": [0.2, 0.04, 0.1, 0.4, 1.0],
                "k": [5, 2, 10, 20],
                "size": [60, 200],
                "repeats": [20, 10],
            },
        ),
    )
}
