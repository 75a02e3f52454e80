"""Lessons as files: a screen with hidden or locked controls, tasks, and the conditions that complete them."""

import json
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError, model_validator

from markone.web.screens import find_screen
from markone.web.screens.base import StrictModel

FOLDER = Path(__file__).parent / "lessons"


class Condition(StrictModel):
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


# What a student does to solve a task; places in the picture are fractions from its upper left corner.
STEPS = {
    "set": r"(?P<name>\w+) = (?P<value>.+)",
    "press": r"press (?P<label>.+?)(?: x (?P<times>\d+))?",
    "click": r"click (?:mark (?P<mark>\d+)|(?P<x>[.\d]+) (?P<y>[.\d]+))",
    "drag": r"drag mark (?P<mark>\d+) to (?P<x>[.\d]+) (?P<y>[.\d]+)",
}


def read_step(text: str) -> dict[str, Any]:
    """`C = 1`, `press Run`, `press Step x 20`, `click 0.3 0.7`, `click mark 4`, `drag mark 4 to 0.3 0.7`."""
    for kind, pattern in STEPS.items():
        if found := re.fullmatch(pattern, text):
            return {"do": kind} | {name: part for name, part in found.groupdict().items() if part is not None}
    raise ValueError(f"{text!r} is no step. Steps are {(read_step.__doc__ or '').rstrip('.')}.")


class LessonTask(StrictModel):
    """`steps` solve the task from where the one before was solved: the page shows them after its hints."""

    say: str
    check: list[Condition] = Field(min_length=1)
    steps: list[str] = Field(min_length=1)

    @property
    def actions(self) -> list[dict[str, Any]]:
        return [read_step(text) for text in self.steps]


class Prediction(StrictModel):
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


class Lesson(StrictModel):
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

    @model_validator(mode="after")
    def _fits_its_screen(self) -> "Lesson":
        fields = find_screen(self.screen).state.model_fields
        for name in (*self.hidden, *self.locked):
            if name not in fields:
                raise ValueError(f"{self.screen} has no control {name!r}")
        for state in self.states_of_solution():
            # As JSON, like the page sends it: tuples of a state are lists there.
            find_screen(self.screen).state.model_validate_json(json.dumps(state))
        return self

    def states_of_solution(self) -> list[dict[str, Any]]:
        """The state that the lesson opens with, and those after each control is set as the steps say."""
        properties = find_screen(self.screen).state.model_json_schema()["properties"]
        shown = {name for name in properties if name not in (*self.hidden, *self.locked)}
        states = [dict(self.state)]
        for action in (one for task in self.task for one in task.actions if one["do"] == "set"):
            name, text = action["name"], action["value"]
            if name not in shown or properties[name].get("hidden"):
                raise ValueError(f"a step sets {name!r}, which is no control of this lesson")
            words = isinstance(properties[name].get("default"), str)
            value = text.split(", ") if isinstance(properties[name].get("default"), list) else text
            states.append(
                states[-1] | {name: value if words or isinstance(value, list) else json.loads(text)}
            )
        return states


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
    """Return the lessons as the page gets them: steps are read, so that it can name each control."""
    found = []
    for name, lesson in load_lessons(folder).items():
        shown = lesson.model_dump(exclude={"order"}, by_alias=True, exclude_none=True)
        tasks = [one | {"steps": task.actions} for one, task in zip(shown["task"], lesson.task, strict=True)]
        found.append({"name": name} | shown | {"task": tasks})
    return found
