"""Lessons as files: a screen with hidden or locked controls, tasks, and the conditions that complete them."""

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from markone.web.screens import find_screen

FOLDER = Path(__file__).parent / "lessons"


class LessonModel(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Condition(LessonModel):
    """A condition on a reported value: `fact` is one of the names in docs/laboratory.md."""

    fact: str
    is_: Any = Field(None, alias="is")
    above: float | None = None
    below: float | None = None
    at_least: float | None = None
    at_most: float | None = None

    @model_validator(mode="after")
    def _has_one_comparison(self) -> "Condition":
        given = self.model_dump(by_alias=True, exclude={"fact"}, exclude_none=True)
        if len(given) != 1:
            raise ValueError(f"the check of {self.fact!r} needs one of is, above, below, at_least, at_most")
        return self


class LessonTask(LessonModel):
    say: str
    check: list[Condition] = Field(min_length=1)


class Prediction(LessonModel):
    """A question asked before the result is shown; `answer` counts from 0."""

    question: str
    options: list[str] = Field(min_length=2, max_length=4)
    answer: int = Field(ge=0)
    because: str

    @model_validator(mode="after")
    def _answer_is_an_option(self) -> "Prediction":
        if self.answer >= len(self.options):
            raise ValueError(f"answer = {self.answer}, but there are {len(self.options)} options (from 0)")
        return self


class Lesson(LessonModel):
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
        fields = find_screen(self.screen).state.model_fields
        for name in (*self.hidden, *self.locked):
            if name not in fields:
                raise ValueError(f"{self.screen} has no control {name!r}")
        for state in (self.state, self.state | self.solution):
            # As JSON, like the page sends it: tuples of a state are lists there.
            find_screen(self.screen).state.model_validate_json(json.dumps(state))
        return self


def find_lesson_problems(folder: Path) -> list[str]:
    """All problems of the lessons of a folder, one a line, each with its file and key."""
    files = sorted(folder.glob("*.toml"))
    if not files:
        return [f"{folder} contains no lessons: write one NAME.toml for each."]
    problems = []
    for path in files:
        try:
            Lesson(**tomllib.loads(path.read_text(encoding="utf-8")))
        except ValidationError as error:
            for one in error.errors(include_url=False, include_context=False):
                where = ".".join(map(str, one["loc"])) or "lesson"
                problems.append(f"{path.name}: {where}: {one['msg'].removeprefix('Value error, ')}")
        except ValueError as error:
            problems.append(f"{path.name}: {error}")
    return problems


@cache
def load_lessons(folder: Path | None = None) -> dict[str, Lesson]:
    """Return the lessons of a folder by name, in their order; without one those of the package."""
    found = {path.stem: read_lesson(path) for path in (folder or FOLDER).glob("*.toml")}
    return dict(sorted(found.items(), key=lambda item: item[1].order))


def read_lesson(path: Path) -> Lesson:
    """Read a lesson; raise ValueError with the file's name if it is not valid."""
    try:
        return Lesson(**tomllib.loads(path.read_text(encoding="utf-8")))
    except ValueError as error:
        raise ValueError(f"{path.name} is not a valid lesson: {error}") from error


def lessons_for_page(folder: Path | None = None) -> list[dict[str, Any]]:
    """Return the lessons as the page gets them: without the solutions."""
    return [
        {"name": name, **lesson.model_dump(exclude={"solution", "order"}, by_alias=True, exclude_none=True)}
        for name, lesson in load_lessons(folder).items()
    ]
