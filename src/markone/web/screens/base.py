"""Base classes of a screen: a strict state, the frames computed from it, and an equivalent Python script.

A screen is one file here, one module of its name in static/screens, and its text in words.toml. Frames are
plain numbers and depend on the state alone: a link reproduces the same picture bit for bit.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

Frames = Iterator[dict[str, Any]]


class State(BaseModel):
    """All inputs of a picture. Its JSON schema defines the controls; the server enforces its limits."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, frozen=True)


@dataclass(frozen=True)
class Screen:
    """`frames(state)` yields snapshots, each within a fraction of a second; `seconds(state)` is the total."""

    name: str
    title: str
    state: type[State]
    frames: Callable[[Any], Frames]
    python: Callable[[Any], str]
    seconds: Callable[[Any], float] = lambda state: 1.0
    fits: Callable[[Any], str] = lambda state: "Reduce the settings."
    toml: Callable[[Any], str] | None = None
    warm: tuple[dict[str, Any], ...] = field(default_factory=lambda: ({},))


def make_control(
    default: Any,
    title: str,
    help: str,
    *,
    group: str = "Student",
    when: dict[str, list[Any]] | None = None,
    step: float | None = None,
    log: bool = False,
    hidden: bool = False,
    choices: dict[str, str] | None = None,
    **limits: Any,
) -> Any:
    """A field of a state that the page shows as a control.

    when: other fields and their values for which this one is used. log: a slider over decades.
    hidden: set by clicks in the picture, not by a control. choices: labels of the values.
    """
    hints = {"group": group, "when": when, "step": step, "log": log, "hidden": hidden, "choices": choices}
    extra: Any = {name: value for name, value in hints.items() if value}
    if isinstance(default, list):
        limits["default_factory"] = lambda: list(default)
        extra["default"] = default
    else:
        limits["default"] = default
    return Field(title=title, description=help, json_schema_extra=extra, **limits)


def seed_control(help: str = "The same seed draws the same examples.") -> Any:
    return make_control(0, "Random seed", help, group="Examples", ge=0, le=999_999, step=1)
