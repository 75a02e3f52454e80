"""Start: three ways into the laboratory, the lessons, and all screens."""

from markone.web.screens.base import Frames, Screen, State


class Start(State):
    """No controls."""


def frames(state: Start) -> Frames:
    yield {"last": True}


def python(state: Start) -> str:
    return """# Every lesson is a link to a screen, and every screen has its own "Copy as Python".
import markone

print(markone.__version__)
"""


SCREEN = Screen(
    name="start",
    title="Start",
    state=Start,
    frames=frames,
    python=python,
)
