"""Finished blocks of a store, and the points assembled from its rows."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from markone.errors import StoreError
from markone.lab.scenario import Point
from markone.lab.schedule.grid import NAME_BYTES, first_equal_points
from markone.lab.schedule.remaining import NAMES, Blocks
from markone.lab.schedule.tasks import Block, point_task
from markone.lab.schema import Declaration
from markone.lab.store import point_rows
from markone.lab.store.database import translate_errors
from markone.lab.store.packing import RowValues, measure_positions, unpack_row
from markone.lab.store.rows import SCAN, Query, StoredRow, damage_message, iterate_verified_rows, scan_rows
from markone.numerics.arrays import Floats

BLOCKS = "SELECT start, stop FROM attempts WHERE point = ? AND status = 'done'"
POINTS = "SELECT lower(hex(p.point)) FROM points AS p WHERE EXISTS "
POINTS += "(SELECT 1 FROM attempts AS a WHERE a.point = p.id AND status = 'done')"
# Ordered without sorting, by the index done_once.
ALL_BLOCKS = "SELECT point, start, stop FROM attempts WHERE status = 'done' AND point >= 0 "
ALL_BLOCKS += "ORDER BY point, start, stop"
FOUND_ROWS = SCAN.replace("NOT INDEXED ", "")
# Rows or points read at a time.
CHUNK = 4096


class DoneBlocks(Mapping[str, Mapping[Block, Floats | None]]):
    """Mapping of point names to finished blocks, read from the store on access to save memory."""

    def __init__(self, execute: Query, path: Path, measure: str | None) -> None:
        self.execute, self.path, self.measure = execute, path, measure

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, point: str) -> dict[Block, Floats | None]:
        with translate_errors(self.path):
            number = point_rows.find_point_id(self.execute, point)
            found = self._read_blocks(point, number) if number is not None else {}
        if not found:
            raise KeyError(point)
        return found

    def _read_blocks(self, point: str, number: int) -> dict[Block, Floats | None]:
        if self.measure is None:
            return dict.fromkeys(self.execute(BLOCKS, (number,)))
        query = f"{FOUND_ROWS} WHERE a.point = ? AND status = 'done'"
        found = {}
        for row, sound in scan_rows(self.execute, query, (number,)):
            if not sound or row.point != point:
                raise StoreError(damage_message(self.path))
            found[row.start, row.stop] = unpack_row(row).get(self.measure)
        return found

    def blocks(self) -> Blocks:
        """All finished blocks as arrays, without values."""
        with translate_errors(self.path):
            (number,) = _integer_columns(self.execute("SELECT id FROM points ORDER BY point"), 1)
            head, tail, at = np.empty(len(number), np.uint64), np.empty(len(number), np.uint16), 0
            for rows in _iterate_chunks(self.execute("SELECT point FROM points ORDER BY point")):
                if any(len(name) != NAME_BYTES for (name,) in rows):
                    raise StoreError(damage_message(self.path))
                names, end = np.frombuffer(b"".join(name for (name,) in rows), NAMES), at + len(rows)
                head[at:end], tail[at:end], at = names["head"], names["tail"], end
            point, start, stop = _integer_columns(self.execute(ALL_BLOCKS), 3)
        if len(point) and point.max() > number.max(initial=-1):
            raise StoreError(damage_message(self.path))
        return Blocks(head, tail, number, point, start, stop)

    def __iter__(self) -> Iterator[str]:
        return (point for (point,) in self.execute(POINTS).fetchall())

    def __len__(self) -> int:
        """Number of points with a finished block."""
        return sum(1 for _ in self)


def _iterate_chunks(cursor: Any) -> Iterator[list[Any]]:
    """Yield the rows of a cursor in batches, to save memory."""
    return iter(lambda: cursor.fetchmany(CHUNK), [])


def _integer_columns(cursor: Any, n: int) -> list[NDArray[Any]]:
    """Integer columns of a query, in 32 bits where that is enough."""
    found: list[list[NDArray[Any]]] = [[np.zeros(0, np.int32)] for _ in range(n)]
    for rows in _iterate_chunks(cursor):
        for column, values in zip(found, np.array(rows, dtype=np.int64).T, strict=True):
            small = np.abs(values).max() < 2**31
            column.append(values.astype(np.int32 if small else np.int64))
    return [np.concatenate(column) for column in found]


def collect_points(rows: Iterable[StoredRow], declaration: Declaration) -> list[Point]:
    """Assemble the declared points; other rows are ignored. Points with the same results as an earlier one
    have its values, and their own time."""
    declared = [
        (point_task(declaration, parameters).point, parameters) for parameters in declaration.points()
    ]
    found = _group_rows(rows, (point for point, _ in declared))
    first, points = first_equal_points(declaration), list[Point]()
    for k, (point, parameters) in enumerate(declared):
        own = _assemble_point(found.pop(point), parameters, declaration)
        points.append(_share_values(points[first[k]], own) if first is not None and first[k] < k else own)
    return points


def iterate_points(execute: Query, path: Path, declaration: Declaration) -> Iterator[Point]:
    """Yield the same points, read in batches: memory does not grow with their number. Before, every row of
    the store is checked, and the indices by which the rows are found."""
    with translate_errors(path):
        if execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
            raise StoreError(damage_message(path))
        for _ in iterate_verified_rows(execute, path):
            pass
    first = first_equal_points(declaration)
    each = enumerate(declaration.iterate_points())
    while batch := dict(islice(each, CHUNK)):
        origins = {k: int(first[k]) if first is not None else k for k in batch}
        known = {k: declaration.point(k) for k in origins.values() if k not in batch} | batch
        names = {k: point_task(declaration, parameters).point for k, parameters in known.items()}
        query = f"{FOUND_ROWS} WHERE p.point IN ({', '.join('?' * len(names))})"
        with translate_errors(path):
            rows = scan_rows(execute, query, tuple(map(bytes.fromhex, names.values())))
            found = _group_rows((row for row, _ in rows), names.values())
        for k, parameters in batch.items():
            own = _assemble_point(found[names[k]], parameters, declaration)
            if (origin := origins[k]) < k:
                own = _share_values(_assemble_point(found[names[origin]], known[origin], declaration), own)
            yield own


def _group_rows(rows: Iterable[StoredRow], points: Iterable[str]) -> dict[str, list[StoredRow]]:
    """The rows of each of these points."""
    found: dict[str, list[StoredRow]] = {point: [] for point in points}
    for row in rows:
        if row.point in found:
            found[row.point].append(row)
    return found


def _share_values(first: Point, own: Point) -> Point:
    """A point with the results of the first of equal points, unless an older store has more of its own."""
    shared = replace(first, parameters=own.parameters, seconds=own.seconds, failures=own.failures)
    return max(shared, own, key=lambda point: point.repeats)


def _assemble_point(rows: list[StoredRow], parameters: dict[str, Any], declaration: Declaration) -> Point:
    """Assemble a point from its rows. Blocks of different runs may overlap: their values are equal."""
    scenario, most = declaration.scenario_object, declaration.most_repeats
    # Present name of the measure for each stored name.
    names = {name: name for name in scenario.measures} | dict(scenario.former)
    done = sorted((row for row in rows if row.status == "done"), key=lambda row: (row.start, row.stop))
    if len(done) == len(rows) == 1 and done[0].start == 0 and done[0].stop <= most and done[0].measures:
        return _point_of_one_block(done[0], parameters, names)
    length = min(most, max((row.stop for row in done), default=0))
    values = {name: np.full(length, np.nan) for name in names.values()}
    present = np.zeros(length, dtype=bool)
    for row in done:
        if row.start < length:
            end = min(row.stop, length)
            present[row.start : end] = True
            for name, data in unpack_row(row).items():
                into = values.setdefault(names.get(name, name), np.full(length, np.nan))
                into[row.start : end] = data[: end - row.start]
    seconds = sum(row.seconds for row in done if row.start < length)
    kept = {name: array[present] for name, array in values.items()}
    numbers = np.flatnonzero(present).astype(np.int64)
    return Point(parameters, kept, len(numbers), float(seconds), _last_failures(rows, present, most), numbers)


def _point_of_one_block(row: StoredRow, parameters: dict[str, Any], names: Mapping[str, str]) -> Point:
    """Point with one block, without copying its values."""
    values = RowValues(_cached_measure_positions(row.measures, tuple(names.items())), row.data, row.stop)
    return Point(parameters, values, row.stop, row.seconds, [], _shared_repeat_numbers(row.stop))


@lru_cache(maxsize=16)
def _cached_measure_positions(stored: str, names: tuple[tuple[str, str], ...]) -> dict[str, int | None]:
    return measure_positions(stored, dict(names))


@lru_cache(maxsize=16)
def _shared_repeat_numbers(n: int) -> NDArray[np.int64]:
    """0 .. n - 1, one read-only array shared by all points."""
    numbers = np.arange(n, dtype=np.int64)
    numbers.flags.writeable = False
    return numbers


def _last_failures(rows: list[StoredRow], present: NDArray[np.bool_], most: int) -> list[str]:
    """The last error at each repeat at which a block failed, if that repeat was not done since."""
    last = {row.start: row.error for row in rows if row.status == "failed" and row.start < most}
    done = set(np.flatnonzero(present).tolist()) if last else set()
    return [error for start, error in sorted(last.items()) if start not in done]
