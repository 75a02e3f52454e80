"""The catalogue that a page loads first: screens with their schemas and texts, glossary, lessons."""

from pathlib import Path
from typing import Any

from pydantic import Field

from markone import __version__
from markone.web.lesson_files import lessons_for_page
from markone.web.screens import all_screens
from markone.web.screens.base import Screen, StrictModel, read_words


class ScreenText(StrictModel):
    """The panel "What you see": four sentences, a formula, references, and where the theory holds."""

    sentences: list[str]
    formula: str
    section: str
    holds: str
    # Title and help of each control, by group; labels of the values of a control.
    controls: dict[str, dict[str, list[str]]] = Field(default_factory=dict, exclude=True)
    choices: dict[str, dict[str, str]] = Field(default_factory=dict, exclude=True)


def build_catalogue(lessons: Path | None = None) -> dict[str, Any]:
    """What a page loads first; `lessons` is a folder of lessons that replace those of the package."""
    words = read_words()
    return {
        "version": __version__,
        "screens": [_describe_screen(screen, ScreenText(**words[screen.name])) for screen in all_screens()],
        "glossary": words["glossary"],
        "facts_words": words["facts"],
        "lessons": lessons_for_page(lessons),
    }


def _describe_screen(screen: Screen, words: ScreenText) -> dict[str, Any]:
    schema = screen.state.model_json_schema()
    for group, controls in words.controls.items():
        for name, texts in controls.items():
            named = dict(zip(("title", "description"), texts, strict=False))
            schema["properties"][name] |= {"group": group, **named}
    about = {"name": screen.name, "title": screen.title, "schema": schema, "toml": screen.toml is not None}
    return about | words.model_dump()
