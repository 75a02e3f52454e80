"""The points of a store: a name of ten bytes, and the numeric parameters.

What many points share (scenario, version, seed, names of the parameters and non-numeric values) is one row of
`questions`.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from markone.lab.store.rows import Query, enter_shared_row

# Scenario, version, parameters as JSON, seed: the name of a point is a hash of these and of foreign code.
Described = tuple[Any, ...]

QUESTION = "scenario, version, seed, parameters"
POINT = "SELECT id FROM points WHERE point = ?"
ENTER = "INSERT OR IGNORE INTO points (point, question, parameters) VALUES (?, ?, ?)"
QUESTIONS = f"SELECT id, {QUESTION} FROM questions"
_encode_compact_json = json.JSONEncoder(separators=(",", ":")).encode
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
    return int(execute(ENTER, _encode_point(execute, point, described)).lastrowid)


def _encode_point(execute: Query, point: str, described: Sequence[Any]) -> tuple[bytes, int, str]:
    """Name, question id and numeric values of a point. Non-numeric values and the names of the parameters are
    part of the question."""
    scenario, version, parameters, seed = described
    given = json.loads(parameters)
    shared = {key: None if _is_numeric_parameter(value) else value for key, value in given.items()}
    question = enter_shared_row(
        execute, "questions", QUESTION, (scenario, version, seed, _encode_compact_json(shared))
    )
    return (
        bytes.fromhex(point),
        question,
        _encode_compact_json([v for v in given.values() if _is_numeric_parameter(v)])[1:-1],
    )


def _is_numeric_parameter(value: Any) -> bool:
    """True for numbers and None, which is the placeholder of a number in a question."""
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


class Descriptions:
    """Descriptions of the points of a store, decoded on access."""

    def __init__(self, questions: list[Any], points: Iterator[Any] | list[Any]) -> None:
        self.questions = {k: tuple(rest) for k, *rest in questions}
        self.points = {point: (question, values) for point, question, values in points}

    def __getitem__(self, point: str) -> Described:
        """Description of a point; () if it is damaged."""
        return self.describe_point(*self.points.get(point, (None, "")))

    def describe_point(self, question: Any, values: Any) -> Described:
        """Description of a point from its columns in the table of points."""
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
