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
from markone.lab.schedule.grid import NAME_BYTES, expand_grid, first_equal_points
from markone.lab.schedule.remaining import NAMES, Blocks, iterate_point_tasks
from markone.lab.schedule.tasks import Block, point_task
from markone.lab.schema import Declaration
from markone.lab.store import point_rows
from markone.lab.store.database import translate_errors
from markone.lab.store.packing import RowValues, measure_positions, unpack_row
from markone.lab.store.rows import (
    FOUND,
    Query,
    StoredRow,
    damage_message,
    iterate_verified_rows,
    scan_rows,
    split_names,
)
from markone.numerics.arrays import Floats, release_freed_memory

BLOCKS = "SELECT start, stop FROM attempts WHERE point = ? AND status = 'done'"
POINTS = "SELECT p.point FROM points AS p WHERE EXISTS "
POINTS += "(SELECT 1 FROM attempts AS a WHERE a.point = p.id AND status = 'done')"
# Ordered without sorting, by the index done_once.
ALL_BLOCKS = "SELECT point, start, stop FROM attempts WHERE status = 'done' AND point >= 0 "
ALL_BLOCKS += "ORDER BY point, start, stop"
# Rows, and points, read at a time; rows of several points that are kept.
CHUNK, MANY_POINTS, KEPT_ROWS = 256, 1024, 64

# A row and the place of a point in it.
Part = tuple[StoredRow, int]


class JoinedPoints:
    """Where the points are that share a row with others: their sorted names, the ids of the rows of `points`,
    and the places in these."""

    def __init__(self) -> None:
        self.last, self.head, self.tail = 0, np.empty(0, np.uint64), np.empty(0, np.uint16)
        self.number, self.place = np.empty(0, np.int64), np.empty(0, np.int32)

    def add_new_points(self, execute: Query) -> None:
        """Add the points that were stored since the last time."""
        first, self.last = self.last, execute("SELECT coalesce(max(id), 0) FROM points").fetchone()[0]
        # What is damaged is found with its row.
        query = "SELECT id, point FROM points WHERE id > ? "
        query += f"AND length(point) > {NAME_BYTES} AND length(point) % {NAME_BYTES} = 0"
        new = execute(query, (first,)).fetchall() if self.last > first else []
        if new:
            names = np.frombuffer(b"".join(name for _, name in new), NAMES)
            sizes = [len(name) // NAME_BYTES for _, name in new]
            head = np.concatenate([self.head, names["head"]], dtype=np.uint64)
            order = np.argsort(head, kind="stable")
            self.head = head[order]
            self.tail = np.concatenate([self.tail, names["tail"]], dtype=np.uint16)[order]
            self.number = np.concatenate([self.number, np.repeat([k for k, _ in new], sizes)])[order]
            places = [np.arange(size, dtype=np.int32) for size in sizes]
            self.place = np.concatenate([self.place, *places])[order]

    def find_point(self, point: str) -> list[tuple[int, int]]:
        """Ids and places of a point."""
        head, tail = np.uint64(int(point[:16], 16)), int(point[16:], 16)
        k, found = int(np.searchsorted(self.head, head)), []
        while k < len(self.head) and self.head[k] == head:
            if self.tail[k] == tail:
                found.append((int(self.number[k]), int(self.place[k])))
            k += 1
        return found


class DoneBlocks(Mapping[str, Mapping[Block, Floats | None]]):
    """Mapping of point names to finished blocks, read from the store on access to save memory."""

    def __init__(self, execute: Query, path: Path, measure: str | None, joined: JoinedPoints) -> None:
        self.execute, self.path, self.measure = execute, path, measure
        self._joined, self._is_fresh = joined, False

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, point: str) -> dict[Block, Floats | None]:
        found: dict[Block, Floats | None] = {}
        if self.measure is not None:
            found |= {block: own.get(self.measure) for block, own in self.read_values(point).items()}
        else:
            with translate_errors(self.path):
                for number, _ in self._find_places(point):
                    found |= dict.fromkeys(self.execute(BLOCKS, (number,)))
        if not found:
            raise KeyError(point)
        return found

    def read_values(self, point: str) -> dict[Block, dict[str, Floats]]:
        """The values of all measures of the finished blocks of a point."""
        query, found = f"{FOUND} WHERE a.point = ? AND status = 'done'", {}
        with translate_errors(self.path):
            for number, place in self._find_places(point):
                for row, sound, _ in scan_rows(self.execute, query, (number,)):
                    if not sound or row.points[place] != point:
                        raise StoreError(damage_message(self.path))
                    found[row.start, row.stop] = unpack_row(row, place)
        return found

    def _find_places(self, point: str) -> list[tuple[int, int]]:
        if not self._is_fresh:  # now, since `blocks` needs the memory and not this
            self._joined.add_new_points(self.execute)
            self._is_fresh = True
        number = point_rows.find_point_id(self.execute, point)
        return [*([(number, 0)] if number is not None else []), *self._joined.find_point(point)]

    def blocks(self) -> Blocks:
        """All finished blocks as arrays, without values."""
        with translate_errors(self.path):
            ids, sizes, names = [], [], bytearray()
            for rows in _iterate_chunks(self.execute("SELECT id, point FROM points ORDER BY id")):
                if any(not name or len(name) % NAME_BYTES for _, name in rows):
                    raise StoreError(damage_message(self.path))
                ids.append(np.array([k for k, _ in rows]))
                sizes.append(np.array([len(name) // NAME_BYTES for _, name in rows]))
                names += b"".join(name for _, name in rows)
            point, start, stop = _integer_columns(self.execute(ALL_BLOCKS), 3)
        head, tail, number = _sort_names(np.frombuffer(names, NAMES))
        del names
        if not ids:
            return Blocks(head, tail, number, point, start, stop)
        known, size = np.concatenate(ids), np.concatenate(sizes)
        at = np.searchsorted(known, point).clip(max=len(known) - 1)
        if (known[at] != point).any():
            raise StoreError(damage_message(self.path))
        if len(number) == len(known):  # each row has one point
            point = number[at]
        else:
            first, n = (np.cumsum(size) - size)[at], size[at]
            within = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
            point = number[np.repeat(first, n) + within]
            start, stop = np.repeat(start, n), np.repeat(stop, n)
            del first, n, within
        release_freed_memory()
        order = np.lexsort((stop, start, point))
        return Blocks(
            head, tail, np.arange(len(head), dtype=np.int32), point[order], start[order], stop[order]
        )

    def __iter__(self) -> Iterator[str]:
        names = self.execute(POINTS).fetchall()
        return iter(dict.fromkeys(point for (name,) in names for point in split_names(name.hex())))

    def __len__(self) -> int:
        """Number of points with a finished block."""
        return sum(1 for _ in self)


def _sort_names(names: NDArray[np.void]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """The different names as two sorted columns, and the index among them of each given name."""
    head, tail = names["head"].astype(np.uint64), names["tail"].astype(np.uint16)
    order = np.lexsort((tail, head))
    head, tail = head[order], tail[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (head[1:] != head[:-1]) | (tail[1:] != tail[:-1])
    number = np.empty(len(order), dtype=np.int32)
    number[order] = np.cumsum(new, dtype=np.int32) - 1
    return head[new], tail[new], number


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
        (task.point, task.parameters) for task in iterate_point_tasks(declaration, expand_grid(declaration))
    ]
    found = _group_parts(rows, (point for point, _ in declared))
    first, points = first_equal_points(declaration), list[Point]()
    assemble = PointAssembler(declaration).assemble_point
    for k, (point, parameters) in enumerate(declared):
        own = assemble(found.pop(point), parameters)
        points.append(_share_values(points[first[k]], own) if first is not None and first[k] < k else own)
    return points


def iterate_points(
    execute: Query, path: Path, declaration: Declaration, joined: JoinedPoints
) -> Iterator[Point]:
    """Yield the same points, read in batches: memory does not grow with their number. Before, every row of
    the store is checked, and the indices by which the rows are found."""
    with translate_errors(path):
        if execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
            raise StoreError(damage_message(path))
        for _ in iterate_verified_rows(execute, path):
            pass
        joined.add_new_points(execute)
    first, scenario = first_equal_points(declaration), declaration.scenario_object
    assemble = PointAssembler(declaration).assemble_point
    release_freed_memory()

    @lru_cache(KEPT_ROWS)
    def read_joined(number: int) -> list[StoredRow]:
        return [row for row, _, _ in scan_rows(execute, f"{FOUND} WHERE a.point = ?", (number,))]

    each = enumerate(iterate_point_tasks(declaration, expand_grid(declaration)))
    while batch := dict(islice(each, MANY_POINTS)):
        origins = {k: int(first[k]) if first is not None else k for k in batch}
        earlier = {k: declaration.point(k) for k in origins.values() if k not in batch}
        known = {k: point_task(scenario, p, declaration.seed) for k, p in earlier.items()} | batch
        names = [task.point for task in known.values()]
        with translate_errors(path):
            query = f"{FOUND} WHERE p.point IN ({', '.join('?' * len(names))})"
            rows = scan_rows(execute, query, tuple(map(bytes.fromhex, names)))
            found = _group_parts((row for row, _, _ in rows), names)
            for name in names:
                for number, place in joined.find_point(name):
                    found[name] += [(row, place) for row in read_joined(number)]
        for k, task in batch.items():
            own = assemble(found[task.point], task.parameters)
            if (origin := origins[k]) < k:
                own = _share_values(assemble(found[known[origin].point], known[origin].parameters), own)
            yield own


def _group_parts(rows: Iterable[StoredRow], points: Iterable[str]) -> dict[str, list[Part]]:
    """The rows of each of these points, and its place in each."""
    found: dict[str, list[Part]] = {point: [] for point in points}
    for row in rows:
        for place, point in enumerate(row.points):
            if point in found:
                found[point].append((row, place))
    return found


def _share_values(first: Point, own: Point) -> Point:
    """A point with the results of the first of equal points, unless an older store has more of its own."""
    shared = replace(first, parameters=own.parameters, seconds=own.seconds, failures=own.failures)
    return max(shared, own, key=lambda point: point.repeats)


class PointAssembler:
    """Assembles points from their rows, with the present names of the measures."""

    def __init__(self, declaration: Declaration) -> None:
        scenario, self.most = declaration.scenario_object, declaration.most_repeats
        self.names = {name: name for name in scenario.measures} | dict(scenario.former)
        self.pairs = tuple(self.names.items())

    def assemble_point(self, parts: list[Part], given: Mapping[str, Any]) -> Point:
        """Blocks of different runs may overlap: their values are equal."""
        parameters = dict(given)
        if len(parts) == 1:
            row, place = parts[0]
            if row.status == "done" and row.start == 0 and row.stop <= self.most and row.measures:
                # Without copying the values.
                values = RowValues(_cached_measure_positions(row.measures, self.pairs), row, place)
                numbers = _shared_repeat_numbers(row.stop)
                return Point(parameters, values, row.stop, row.seconds / row.tasks, [], numbers)
        done = sorted(
            (part for part in parts if part[0].status == "done"), key=lambda p: (p[0].start, p[0].stop)
        )
        length = min(self.most, max((row.stop for row, _ in done), default=0))
        joined = {name: np.full(length, np.nan) for name in self.names.values()}
        present = np.zeros(length, dtype=bool)
        seconds = 0.0
        for row, place in done:
            if row.start < length:
                end = min(row.stop, length)
                present[row.start : end] = True
                seconds += row.seconds / row.tasks
                for name, data in unpack_row(row, place).items():
                    into = joined.setdefault(self.names.get(name, name), np.full(length, np.nan))
                    into[row.start : end] = data[: end - row.start]
        kept = {name: array[present] for name, array in joined.items()}
        numbers = np.flatnonzero(present).astype(np.int64)
        failures = _last_failures([row for row, _ in parts], present, self.most)
        return Point(parameters, kept, len(numbers), seconds, failures, numbers)


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
