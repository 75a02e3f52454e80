"""The catalogue that a page loads first: screens with their schemas, glossary, lessons."""

from typing import Any

from markone import __version__
from markone.web.glossary import GLOSSARY
from markone.web.lesson_files import lessons_for_page
from markone.web.screens import all_screens
from markone.web.screens.base import Screen


def build_catalogue() -> dict[str, Any]:
    return {
        "version": __version__,
        "screens": [_describe_screen(screen) for screen in all_screens()],
        "glossary": GLOSSARY,
        "lessons": lessons_for_page(),
    }


def _describe_screen(screen: Screen) -> dict[str, Any]:
    words = screen.words
    return {
        "name": screen.name,
        "title": screen.title,
        "schema": screen.state.model_json_schema(),
        "sentences": words.sentences,
        "formula": words.formula,
        "section": words.section,
        "holds": words.holds,
        "toml": screen.toml is not None,
    }
