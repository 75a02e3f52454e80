"""Lessons: a path through the notes, chapter by chapter."""

from markone.web.screens.base import Frames, Screen, State


class Lessons(State):
    """No controls: the lessons are files."""


def frames(state: Lessons) -> Frames:
    yield {"last": True}


def python(state: Lessons) -> str:
    return """# Every lesson is a link to a screen, and every screen has its own "Copy as Python".
import markone

print(markone.__version__)
"""


SCREEN = Screen(
    name="lessons",
    title="Lessons",
    state=Lessons,
    frames=frames,
    python=python,
)
