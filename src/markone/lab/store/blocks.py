"""Finished blocks of a store."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from markone.errors import StoreError
from markone.lab.schedule.grid import NAME_BYTES
from markone.lab.schedule.remaining import NAMES, Blocks
from markone.lab.schedule.tasks import Block
from markone.lab.store import point_rows
from markone.lab.store.database import translate_errors
from markone.lab.store.packing import unpack_row
from markone.lab.store.rows import FOUND, Query, damage_message, scan_rows, split_names
from markone.numerics.arrays import Floats, release_freed_memory

BLOCKS = "SELECT start, stop FROM attempts WHERE point = ? AND status = 'done'"
POINTS = "SELECT p.point FROM points AS p WHERE EXISTS "
POINTS += "(SELECT 1 FROM attempts AS a WHERE a.point = p.id AND status = 'done')"
# Ordered without sorting, by the index done_once.
ALL_BLOCKS = "SELECT point, start, stop FROM attempts WHERE status = 'done' AND point >= 0 "
ALL_BLOCKS += "ORDER BY point, start, stop"
# Rows read at a time.
CHUNK = 256


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
        head, tail, number = sort_names(np.frombuffer(names, NAMES))
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


def sort_names(names: NDArray[np.void]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
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
