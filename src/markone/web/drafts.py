"""Validation of a declaration edited on the page: problems and their lines."""

import re
import tomllib
from typing import Any

from markone.errors import DeclarationError
from markone.lab.load import parse_declaration
from markone.lab.schedule.remaining import check_task_count, count_tasks
from markone.lab.validate.declaration import MANY


def find_draft_problems(text: str) -> list[dict[str, Any]]:
    """Return the problems that `markone check` finds in a draft, with their line numbers."""
    try:
        declaration = parse_declaration(tomllib.loads(text), "The draft")
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"at line (\d+)", str(error))
        # Without a line number the error is at the end of the text.
        line = int(where[1]) if where else len(text.splitlines())
        return [{"text": f"This is not TOML: {error}.", "line": line}]
    except RecursionError:
        return [{"text": "It is nested too deeply to be read.", "line": None}]
    except DeclarationError as error:
        return [{"text": problem, "line": find_problem_line(problem, text)} for problem in error.problems]
    if len(declaration) > MANY:  # tasks of so many points are counted in seconds
        return [
            {"text": f"Fine: {len(declaration)} grid points; `markone check` counts tasks.", "line": None}
        ]
    try:
        check_task_count(declaration)
    except ValueError as error:
        return [{"text": str(error), "line": None}]
    fine = f"Fine: {len(declaration)} grid points, {count_tasks(declaration, {}).missing} tasks."
    return [{"text": fine, "line": None}]


def find_problem_line(problem: str, text: str) -> int | None:
    """Return the first line that sets a key named in the message; None if there is none.

    "claim 3, where: ..." refers to the third [[claim]]: only its lines are searched; its first if none fits.
    """
    lines = list(enumerate(text.splitlines(), start=1))
    block = re.match(r"([a-z_]+) (\d+)\b", problem)
    if block:
        heads = [n for n, line in lines if re.match(rf"\s*\[\[\s*{block[1]}\s*\]\]", line)]
        if int(block[2]) <= len(heads):
            first = heads[int(block[2]) - 1]
            last = next((n for n, line in lines[first:] if line.lstrip().startswith("[")), len(lines) + 1)
            return _find_named_line(problem[block.end() :], lines[first : last - 1]) or first
    return _find_named_line(problem, lines)


def _find_named_line(sentence: str, lines: list[tuple[int, str]]) -> int | None:
    for word in re.findall(r"[A-Za-z_]\w*", sentence):
        key = re.compile(rf"\s*(\[+\s*)?{word}\s*[=\].]")
        for number, line in lines:
            if key.match(line):
                return number
    return None
