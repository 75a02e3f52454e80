"""Lessons: a path through the notes, chapter by chapter."""

from markone.web.screens.base import Frames, Screen, State, Words


class Lessons(State):
    """Nothing to choose here: the lessons are files."""


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
    words=Words(
        (
            "Each lesson opens one screen with the controls it needs and two or three tasks.",
            "Where a prediction is asked, make it first: the surprise is the lesson.",
            "A task ticks itself off as soon as the numbers on the screen meet it.",
            "What you have solved is remembered by this browser only.",
        ),
        "",
        "The order is that of the notes (Biehl, Supervised Learning)",
        "",
    ),
)
