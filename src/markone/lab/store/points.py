"""From blocks to points: values in the order of the repeats, each repeat once."""

from collections.abc import Callable
from typing import Any

import numpy as np

from markone.lab.scenario import Point
from markone.lab.schema import Declaration
from markone.lab.tasks import Task
from markone.numerics.arrays import Floats

Rows = Callable[..., list[Any]]

BLOCKS = (
    "SELECT start, stop, seconds, measure, data FROM attempts JOIN results ON attempt = id "
    "WHERE point = ? AND status = 'done' ORDER BY start, stop, measure"
)
FAILURES = (
    "SELECT max(id), error FROM attempts AS a WHERE point = ? AND start < ? AND status = 'failed' AND NOT "
    "EXISTS (SELECT 1 FROM attempts AS b WHERE b.task = a.task AND b.status = 'done') GROUP BY task"
)


def collect(rows: Rows, declaration: Declaration) -> list[Point]:
    scenario = declaration.scenario_object
    found = []
    for parameters in declaration.points():
        key = Task(scenario.name, scenario.version, parameters, declaration.seed, 0, 0).point
        found.append(assemble(rows, key, parameters, list(scenario.measures), declaration.most_repeats))
    return found


def assemble(rows: Rows, key: str, parameters: dict[str, Any], measures: list[str], most: int) -> Point:
    """Blocks may overlap (the number of repeats was changed between two runs): equal values, taken once."""
    blocks = rows(BLOCKS, (key,))
    length = min(most, max((stop for _, stop, *_ in blocks), default=0))
    values = {name: np.full(length, np.nan) for name in measures}
    present = np.zeros(length, dtype=bool)
    times = {}
    for start, stop, seconds, measure, data in blocks:
        if start < length:
            end = min(stop, length)
            present[start:end] = True
            times[start, stop] = seconds
            values.setdefault(measure, np.full(length, np.nan))[start:end] = unpacked(data)[: end - start]
    failures = [error for _, error in rows(FAILURES, (key, most))]
    kept = {name: array[present] for name, array in values.items()}
    numbers = np.flatnonzero(present).astype(np.int64)
    return Point(parameters, kept, len(numbers), float(sum(times.values())), failures, numbers)


def packed(values: Floats) -> bytes:
    """Little-endian float64, on every machine."""
    return np.ascontiguousarray(values, dtype="<f8").tobytes()


def unpacked(data: bytes) -> Floats:
    return np.frombuffer(data, dtype="<f8").astype(np.float64)
