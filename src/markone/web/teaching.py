"""Lessons as files: a screen with some controls hidden or locked, tasks, and checks that see them met."""

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from markone.web.screens import find

FOLDER = Path(__file__).parent / "lessons"


class Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Condition(Part):
    """What a screen must report: `fact` is one of the names it tells (docs/laboratory.md lists them)."""

    fact: str
    is_: Any = Field(None, alias="is")
    above: float | None = None
    below: float | None = None
    at_least: float | None = None
    at_most: float | None = None

    @model_validator(mode="after")
    def _one(self) -> "Condition":
        given = self.model_dump(by_alias=True, exclude={"fact"}, exclude_none=True)
        if len(given) != 1:
            raise ValueError(f"the check of {self.fact!r} needs one of is, above, below, at_least, at_most")
        return self


class LessonTask(Part):
    say: str
    check: list[Condition] = Field(min_length=1)


class Prediction(Part):
    """Asked before anything is revealed; `answer` counts from 0."""

    question: str
    options: list[str] = Field(min_length=2, max_length=4)
    answer: int = Field(ge=0)
    because: str

    @model_validator(mode="after")
    def _inside(self) -> "Prediction":
        if self.answer >= len(self.options):
            raise ValueError(f"answer = {self.answer}, but there are {len(self.options)} options (from 0)")
        return self


class Lesson(Part):
    title: str
    chapter: str
    order: int
    screen: str
    text: str
    state: dict[str, Any] = Field(default_factory=dict)
    hidden: list[str] = Field(default_factory=list)
    locked: list[str] = Field(default_factory=list)
    predict: Prediction | None = None
    task: list[LessonTask] = Field(min_length=1, max_length=3)
    solution: dict[str, Any]

    @model_validator(mode="after")
    def _fits_its_screen(self) -> "Lesson":
        fields = find(self.screen).state.model_fields
        for name in (*self.hidden, *self.locked):
            if name not in fields:
                raise ValueError(f"{self.screen} has no control {name!r}")
        for state in (self.state, self.state | self.solution):
            # As the page sends it: lists are tuples there.
            find(self.screen).state.model_validate_json(json.dumps(state))
        return self


@cache
def lessons() -> dict[str, Lesson]:
    """By name, in the order of the notes."""
    found = {path.stem: read(path) for path in FOLDER.glob("*.toml")}
    return dict(sorted(found.items(), key=lambda item: item[1].order))


def read(path: Path) -> Lesson:
    """ValueError with the file's name if it is no lesson."""
    try:
        return Lesson(**tomllib.loads(path.read_text(encoding="utf-8")))
    except ValueError as error:
        raise ValueError(f"{path.name} is no lesson: {error}") from error


def for_page() -> list[dict[str, Any]]:
    """What the page gets to see: everything but the solutions."""
    return [
        {"name": name, **lesson.model_dump(exclude={"solution", "order"}, by_alias=True, exclude_none=True)}
        for name, lesson in lessons().items()
    ]
