"""The catalogue that a page loads first: screens with their schemas and texts, glossary, lessons."""

import tomllib
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from markone import __version__
from markone.web.lesson_files import lessons_for_page
from markone.web.screens import all_screens
from markone.web.screens.base import Screen

WORDS = Path(__file__).parent / "words.toml"


class ScreenText(BaseModel):
    """The panel "What you see": four sentences, a formula, references, and where the theory holds."""

    model_config = ConfigDict(strict=True, extra="forbid")
    sentences: list[str]
    formula: str
    section: str
    holds: str


def build_catalogue(lessons: Path | None = None) -> dict[str, Any]:
    """What a page loads first; `lessons` is a folder of lessons that replace those of the package."""
    words = tomllib.loads(WORDS.read_text(encoding="utf-8"))
    return {
        "version": __version__,
        "screens": [_describe_screen(screen, ScreenText(**words[screen.name])) for screen in all_screens()],
        "glossary": words["glossary"],
        "lessons": lessons_for_page(lessons),
    }


def _describe_screen(screen: Screen, words: ScreenText) -> dict[str, Any]:
    return {
        "name": screen.name,
        "title": screen.title,
        "schema": screen.state.model_json_schema(),
        "toml": screen.toml is not None,
        **words.model_dump(),
    }
