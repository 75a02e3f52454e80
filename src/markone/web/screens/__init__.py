"""The screens in the order of the menu. Each is a name here, a file here and a module in static/screens."""

from functools import cache
from importlib import import_module

from markone.web.screens.base import Screen

NAMES = (
    "start",
    "plane",
    "version",
    "teacher",
    "capacity",
    "online",
    "prototypes",
    "memory",
    "judging",
    "runs",
    "table",
)


@cache
def find_screen(name: str) -> Screen:
    """Return the screen of that name; only names of the list are imported."""
    if name not in NAMES:
        raise ValueError(f"There is no screen {name!r}. There are {', '.join(NAMES)}.")
    screen: Screen = import_module(f"markone.web.screens.{name}").SCREEN
    return screen


def all_screens() -> list[Screen]:
    return [find_screen(name) for name in NAMES]
