"""The points of a store: a name of ten bytes, and the numeric parameters.

What many points share (scenario, version, seed, names of the parameters and non-numeric values) is one row of
`questions`.
"""

import json
from collections.abc import Iterator
from typing import Any

from markone.lab.store.migrations import QUESTION, encode_point
from markone.lab.store.rows import Query

# Scenario, version, parameters as JSON, seed: the name of a point is a hash of these and of foreign code.
Described = tuple[Any, ...]

POINT = "SELECT id FROM points WHERE point = ?"
ENTER = "INSERT OR IGNORE INTO points (point, question, parameters) VALUES (?, ?, ?)"
QUESTIONS = f"SELECT id, {QUESTION} FROM questions"
ALL = "SELECT lower(hex(point)), question, parameters FROM points"


def find_point_id(execute: Query, point: str) -> int | None:
    """Id of a point by its name; None if it is not stored."""
    found = execute(POINT, (bytes.fromhex(point),)).fetchone()
    return found[0] if found else None


def enter_point(execute: Query, point: str, described: Described) -> int:
    """Id of a point, inserted if it is new, inside a transaction."""
    known = find_point_id(execute, point)
    if known is not None:
        return known
    return int(execute(ENTER, encode_point(execute, point, described)).lastrowid)


class Descriptions:
    """Descriptions of the points of a store, decoded on access."""

    def __init__(self, questions: list[Any], points: Iterator[Any] | list[Any]) -> None:
        self.questions = {k: tuple(rest) for k, *rest in questions}
        self.points = {point: (question, values) for point, question, values in points}

    def __getitem__(self, point: str) -> Described:
        """Description of a point; () if it is damaged."""
        question, values = self.points.get(point, (None, ""))
        if question not in self.questions:
            return ()
        scenario, version, seed, shared = self.questions[question]
        try:
            numbers = iter(json.loads(f"[{values}]"))
            parameters = {k: next(numbers) if v is None else v for k, v in json.loads(shared).items()}
            described = () if list(numbers) else (scenario, version, json.dumps(parameters), seed)
        except (ValueError, TypeError, AttributeError, StopIteration):
            return ()
        return described
