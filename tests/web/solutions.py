"""Links that open a lesson in a state that solves it."""

import json

from markone.web.lesson_files import load_lessons
from markone.web.screens import find_screen


def solution_link(name):
    """The fragment of a lesson in the state of its solution."""
    lesson = load_lessons()[name]
    state = lesson.state | lesson.solution
    schema = find_screen(lesson.screen).state.model_json_schema()["properties"]

    def text(key, value):
        plain = schema[key].get("type") == "string" or all(
            isinstance(v, str) for v in schema[key].get("enum", [0])
        )
        return value if plain else json.dumps(value).replace('"', "'").replace(" ", "")

    query = "&".join(f"{key}={text(key, value)}" for key, value in state.items())
    return f"#/{lesson.screen}?{query}&lesson={name}"
