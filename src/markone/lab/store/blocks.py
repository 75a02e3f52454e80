"""From rows to points: which blocks are done, and the values in the order of the repeats."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from markone.errors import StoreError
from markone.lab.expansion import NAME
from markone.lab.rounds import Block
from markone.lab.scenario import Point
from markone.lab.schema import Declaration
from markone.lab.sharing import firsts
from markone.lab.store import point_rows
from markone.lab.store.database import translate_errors
from markone.lab.store.rows import BETWEEN, SCAN, Query, StoredRow, damaged, scan
from markone.lab.survey import Blocks
from markone.lab.tasks import Task, code_of
from markone.numerics.arrays import Floats

BLOCKS = "SELECT start, stop FROM attempts WHERE point = ? AND status = 'done'"
POINTS = "SELECT lower(hex(p.point)) FROM points AS p WHERE EXISTS "
POINTS += "(SELECT 1 FROM attempts AS a WHERE a.point = p.id AND status = 'done')"
ALL_BLOCKS = "SELECT point, start, stop FROM attempts WHERE status = 'done' AND point >= ?"


class DoneBlocks(Mapping[str, Mapping[Block, Floats | None]]):
    """What is done at a point, asked of the store when it is needed: a million ids need no memory."""

    def __init__(self, execute: Query, path: Path, measure: str | None) -> None:
        self.execute, self.path, self.measure = execute, path, measure

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, point: str) -> dict[Block, Floats | None]:
        with translate_errors(self.path):
            number = point_rows.find(self.execute, point)
            found = self._found(point, number) if number is not None else {}
        if not found:
            raise KeyError(point)
        return found

    def _found(self, point: str, number: int) -> dict[Block, Floats | None]:
        if self.measure is None:
            return dict.fromkeys(self.execute(BLOCKS, (number,)))
        query = f"{SCAN.replace('NOT INDEXED ', '')} WHERE a.point = ? AND status = 'done'"
        found = {}
        for row, sound in scan(self.execute, query, (number,)):
            if not sound or row.point != point:
                raise StoreError(damaged(self.path))
            data = row.values().get(self.measure)
            found[row.start, row.stop] = None if data is None else unpacked(data)
        return found

    def blocks(self) -> Blocks:
        """All of them at once, without their values."""
        with translate_errors(self.path):
            names = b"".join(name for (name,) in self.execute("SELECT point FROM points ORDER BY id"))
            known = flat(self.execute("SELECT id FROM points ORDER BY id"))
            point, start, stop = flat(self.execute(ALL_BLOCKS, (0,))).reshape(-1, 3).T
        place = np.searchsorted(known, point)
        if len(names) != NAME * len(known) or not np.array_equal(known[place], point):
            raise StoreError(damaged(self.path))
        return Blocks(np.frombuffer(names, dtype=f"S{NAME}"), place, start, stop)

    def __iter__(self) -> Iterator[str]:
        return (point for (point,) in self.execute(POINTS).fetchall())

    def __len__(self) -> int:
        """Points with something done."""
        return sum(1 for _ in self)


def flat(cursor: Iterable[tuple[int, ...]]) -> NDArray[np.int64]:
    """The whole numbers of all rows, one after the other."""
    return np.fromiter(chain.from_iterable(cursor), dtype=np.int64)


def collect(rows: Iterable[StoredRow], declaration: Declaration) -> list[Point]:
    """The declared points; rows of others are passed by. Points that come to the same numbers show those
    of the first, and its time only there."""
    scenario = declaration.scenario_object
    same = scenario.name, scenario.version
    asked = [
        (Task(*same, parameters, declaration.seed, 0, 0, code_of(scenario, parameters)).point, parameters)
        for parameters in declaration.points()
    ]
    found: dict[str, list[StoredRow]] = {point: [] for point, _ in asked}
    for row in rows:
        if row.point in found:
            found[row.point].append(row)
    names = {name: name for name in scenario.measures} | dict(scenario.former)
    most = declaration.most_repeats
    first, points = firsts(declaration), list[Point]()
    for k, (point, parameters) in enumerate(asked):
        own = assemble(found.pop(point), parameters, names, most)
        if first is not None and first[k] < k:
            shared = replace(
                points[first[k]], parameters=parameters, seconds=own.seconds, failures=own.failures
            )
            # Rows of its own are those of a store from before.
            own = max(shared, own, key=lambda p: p.repeats)
        points.append(own)
    return points


def assemble(rows: list[StoredRow], parameters: dict[str, Any], names: Mapping[str, str], most: int) -> Point:
    """Blocks may overlap (the number of repeats was changed between two runs): equal values, taken once.

    names: as which measure the values stored under a name are read.
    """
    done = sorted((row for row in rows if row.status == "done"), key=lambda row: (row.start, row.stop))
    length = min(most, max((row.stop for row in done), default=0))
    values = {name: np.full(length, np.nan) for name in names.values()}
    present = np.zeros(length, dtype=bool)
    for row in done:
        if row.start < length:
            end = min(row.stop, length)
            present[row.start : end] = True
            for name, data in row.values().items():
                into = values.setdefault(names.get(name, name), np.full(length, np.nan))
                into[row.start : end] = unpacked(data)[: end - row.start]
    seconds = sum(row.seconds for row in done if row.start < length)
    kept = {name: array[present] for name, array in values.items()}
    numbers = np.flatnonzero(present).astype(np.int64)
    return Point(parameters, kept, len(numbers), float(seconds), failures(rows, done, most), numbers)


def failures(rows: list[StoredRow], done: list[StoredRow], most: int) -> list[str]:
    """The last error of each block that was not done since."""
    good = {(row.start, row.stop) for row in done}
    last = {(row.start, row.stop): row.error for row in rows if row.status == "failed" and row.start < most}
    return [error for block, error in sorted(last.items()) if block not in good]


def packed(values: Mapping[str, Floats]) -> tuple[str, bytes]:
    """The names of the measures and their values, little-endian float64 on every machine."""
    names = sorted(values)
    data = b"".join(np.ascontiguousarray(values[name], dtype="<f8").tobytes() for name in names)
    return BETWEEN.join(names), data


def unpacked(data: bytes) -> Floats:
    return np.frombuffer(data, dtype="<f8").astype(np.float64)
