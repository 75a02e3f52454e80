"""Base classes of a screen: a strict state, the frames computed from it, and an equivalent Python script.

A screen is one file here, one module of its name in static/screens, and its text in words.toml. Frames are
plain numbers and depend on the state alone: a link reproduces the same picture bit for bit.
"""

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

WORDS = Path(__file__).parent.parent / "words.toml"
Frames = Iterator[dict[str, Any]]


class StrictModel(BaseModel):
    """What comes from a page or a file: values of exactly these names and types."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, frozen=True)


class State(StrictModel):
    """All inputs of a picture. Its JSON schema defines the controls; the server enforces its limits."""


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


@cache
def read_words() -> dict[str, Any]:
    """All words of the screens (words.toml)."""
    return tomllib.loads(WORDS.read_text(encoding="utf-8"))


def read_choices(screen: str, control: str) -> dict[str, str]:
    """The values of a control that has choices, with their labels, in order."""
    found: dict[str, str] = read_words()[screen]["choices"][control]
    return found


def make_control(
    default: Any,
    *,
    when: dict[str, list[Any]] | None = None,
    step: float | None = None,
    log: bool = False,
    hidden: bool = False,
    choices: dict[str, str] | None = None,
    kinds: dict[str, list[str]] | None = None,
    **limits: Any,
) -> Any:
    """A field of a state that the page shows as a control; its words are in words.toml.

    when: other fields and their values for which this one is used. log: a slider over decades.
    hidden: set by clicks in the picture, not by a control. choices: labels of values; kinds: their groups.
    """
    hints = {"when": when, "step": step, "log": log, "hidden": hidden, "choices": choices, "kinds": kinds}
    extra: Any = {name: value for name, value in hints.items() if value}
    if isinstance(default, list):
        limits["default_factory"] = lambda: list(default)
        extra["default"] = default
    else:
        limits["default"] = default
    return Field(json_schema_extra=extra, **limits)


def seed_control() -> Any:
    return make_control(0, ge=0, le=999_999, step=1)
