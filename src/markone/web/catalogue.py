"""The catalogue that a page loads first: screens with their schemas, glossary, lessons."""

from typing import Any

from markone import __version__
from markone.web.screens import all_screens
from markone.web.screens.base import Screen
from markone.web.teaching import for_page
from markone.web.words import GLOSSARY


def catalogue() -> dict[str, Any]:
    return {
        "version": __version__,
        "screens": [_of(screen) for screen in all_screens()],
        "glossary": GLOSSARY,
        "lessons": for_page(),
    }


def _of(screen: Screen) -> dict[str, Any]:
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
