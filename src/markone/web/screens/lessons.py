"""Lessons: a path through the notes, chapter by chapter."""

from markone.web.screens.base import Frames, Screen, ScreenText, State


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
    words=ScreenText(
        (
            "Each lesson opens one screen with the controls it needs and two or three tasks.",
            "Where a prediction is asked for, make it first, then compare.",
            "A task is marked as solved as soon as the numbers on the screen meet its condition.",
            "Solved tasks are stored in this browser only.",
        ),
        "",
        "The order is that of the notes (Biehl, Supervised Learning)",
        "",
    ),
)
