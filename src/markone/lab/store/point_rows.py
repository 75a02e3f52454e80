"""The points of a store: a name of ten bytes, and the numeric parameters; or several of them in one row.

What many points share (scenario, version, seed, names of the parameters and non-numeric values) is one row of
`questions`. The row of several points holds their names one after the other, and for each parameter that
differs its values: {"each": [...]}.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import repeat
from typing import Any

from markone.lab.schedule.grid import encode_json
from markone.lab.store.rows import NAME_DIGITS, Query, enter_shared_row

EACH = "each"

# Scenario, version, parameters, seed: the name of a point is a hash of these and of foreign code.
Described = tuple[Any, ...]

QUESTION = "scenario, version, seed, parameters"
POINT = "SELECT id FROM points WHERE point = ?"
ENTER = "INSERT OR IGNORE INTO points (point, question, parameters) VALUES (?, ?, ?)"
QUESTIONS = f"SELECT id, {QUESTION} FROM questions"
_encode_compact_json = json.JSONEncoder(separators=(",", ":")).encode


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
    scenario, version, given, seed = described
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
    """True for numbers, for the values of several points, and for None, which is the placeholder of both in a
    question."""
    return value is None or (isinstance(value, int | float | dict) and not isinstance(value, bool))


def join_parameters(points: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The parameters of several points as those of one row."""
    first, joined = points[0], {}
    for key, value in first.items():
        values = [point[key] for point in points]
        same = all(one == value and type(one) is type(value) for one in values)
        joined[key] = value if same else {EACH: values}
    return joined


def divide_parameters(joined: Mapping[str, Any], n: int) -> Iterator[dict[str, Any]]:
    """The parameters of each of the n points of a row."""
    columns = {key: value[EACH] if isinstance(value, dict) else [value] * n for key, value in joined.items()}
    for values in zip(*columns.values(), strict=True):
        yield dict(zip(columns, values, strict=True))


class Descriptions:
    """Descriptions of the points of a store, by the columns of their rows."""

    def __init__(self, questions: list[Any]) -> None:
        self.questions = {k: tuple(rest) for k, *rest in questions}

    def describe_point(self, question: Any, values: Any) -> Described:
        """Scenario, version, parameters, seed; () if they are damaged."""
        if question not in self.questions:
            return ()
        scenario, version, seed, shared = self.questions[question]
        try:
            numbers = iter(json.loads(f"[{values}]"))
            parameters = {k: next(numbers) if v is None else v for k, v in json.loads(shared).items()}
        except (ValueError, TypeError, AttributeError, StopIteration):
            return ()
        return () if list(numbers) else (scenario, version, parameters, seed)


def iterate_point_names(described: Described, n: int, code: Sequence[str]) -> Iterator[str]:
    """The names of n points as `Task.point`: hashes of the description and of the states of foreign code."""
    scenario, version, parameters, seed = described
    columns: list[Iterable[str]] = []
    for key, value in sorted(parameters.items()):
        texts: Iterable[str] = repeat(encode_json(value), n)
        if isinstance(value, dict):
            texts = encode_json(value[EACH])[1:-1].split(",")  # much faster than one by one
            if len(texts) != len(value[EACH]):  # there are commas within
                texts = map(encode_json, value[EACH])
        columns.append(map(f"{encode_json(key)}:".__add__, texts))
    head = f"[{encode_json(scenario)},{encode_json(version)},{{"
    tail = f"}},{','.join(map(encode_json, [seed, *code]))}]"
    for texts in zip(*columns, strict=True):
        yield sha256(f"{head}{','.join(texts)}{tail}".encode()).hexdigest()[:NAME_DIGITS]
