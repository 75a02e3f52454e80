"""The points of a declaration as columns over the rows of a store, without an object for each."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from functools import lru_cache
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from markone.lab.scenario import Point, Scenario
from markone.lab.schedule.grid import Expansion, expand_grid, first_equal_points
from markone.lab.schedule.remaining import (
    NAMES,
    Blocks,
    Ints,
    furthest_stops,
    index_wanted_points,
    iterate_computed_names,
)
from markone.lab.schema import Declaration, matches_where
from markone.lab.statistics import Points
from markone.lab.store.blocks import sort_names
from markone.lab.store.packing import PackedRow, RowValues, measure_positions, unpack_measure
from markone.lab.store.rows import StoredRow
from markone.numerics.arrays import Floats, release_freed_memory


class RowColumns:
    """Rows of a store as columns; one buffer holds the values of all."""

    def __init__(self, rows: Iterable[StoredRow]) -> None:
        start, stop, tasks, kind, ends = (array("q") for _ in range(5))
        seconds, data, self.names = array("d"), bytearray(), bytearray()
        known: dict[str, int] = {}
        self.errors: dict[int, str] = {}  # of the rows of failed tasks
        for row in rows:
            if row.status != "done":
                self.errors[len(start)] = row.error
            data += row.data
            self.names += bytes.fromhex(row.point)
            numbers = row.start, row.stop, row.tasks, known.setdefault(row.measures, len(known)), len(data)
            for column, number in zip((start, stop, tasks, kind, ends), numbers, strict=True):
                column.append(number)
            seconds.append(row.seconds)
        self.start, self.stop, self.tasks = map(np.array, (start, stop, tasks))
        self.kind, self.ends, self.seconds = map(np.array, (kind, ends, seconds))
        self.data, self.measures = memoryview(data), list(known)

    def __len__(self) -> int:
        return len(self.start)

    def __getitem__(self, k: int) -> PackedRow:
        numbers = int(self.start[k]), int(self.stop[k]), int(self.tasks[k])
        data = self.data[int(self.ends[k - 1]) if k else 0 : int(self.ends[k])]
        return PackedRow(*numbers, self.measures[self.kind[k]], data)


class StoredPoints(Points):
    """The declared points in their order; each is assembled when it is asked for.

    Points with the same results as an earlier one have its values, and their own time.
    """

    def __init__(self, stored: Iterable[StoredRow], declaration: Declaration) -> None:
        self._rows = rows = RowColumns(stored)
        scenario, self._grid = declaration.scenario_object, expand_grid(declaration)
        each = self._grid.parameters if self._grid else list(declaration.iterate_points()).__getitem__
        self._parameters = each
        self._measures = tuple(scenario.measures)
        self._pairs = tuple(({name: name for name in self._measures} | dict(scenario.former)).items())
        self._chosen: Ints = np.arange(len(declaration), dtype=np.int32)
        self._sort_parts(_find_owners(rows, declaration, self._grid), declaration.most_repeats)
        self._first = first_equal_points(declaration, self._grid)
        self._origin: Ints = self._chosen
        if self._first is not None:  # an older store may have more of a point itself
            own = self._counts[self._first] < self._counts
            self._origin = np.where(own, self._chosen, self._first)
        release_freed_memory()

    def _sort_parts(self, owner: Ints, most: int) -> None:
        """The finished blocks of each point below a number of repeats: their rows and places in these, and of
        each the repeats that no earlier one has."""
        rows = self._rows
        row = np.repeat(np.arange(len(rows), dtype=np.int32), rows.tasks)
        before = np.cumsum(rows.tasks) - rows.tasks
        failed: dict[int, dict[int, str]] = {}  # the last error at each repeat, by point
        for k, error in rows.errors.items():
            for point in owner[before[k] : before[k] + rows.tasks[k]].tolist():
                if point >= 0 and rows.start[k] < most:
                    failed.setdefault(point, {})[int(rows.start[k])] = error
        done = rows.start < most
        done[list(rows.errors)] = False
        mine = np.flatnonzero((owner >= 0) & done[row])
        point, row = owner[mine], row[mine]
        order: Ints = np.argsort(point, kind="stable")  # fast where they are sorted already
        if (np.diff(point[order]) == 0).any():
            order = np.lexsort((rows.stop[row], rows.start[row], point))
        point, row = point[order], row[order]
        self._row: Ints = row
        self._place = (mine[order] - before[self._row]).astype(np.int32)
        del mine, order
        start, stop = rows.start[self._row], np.minimum(rows.stop, most)[self._row]
        self._skip = _shorten(np.maximum(furthest_stops(point, stop)[0] - start, 0))
        self._fresh = _shorten(np.maximum(stop - start - self._skip, 0))
        self._begin = _shorten(np.searchsorted(point, np.arange(len(self._chosen) + 1)))
        self._counts = np.diff(self._ends[self._begin])
        left = {point: self._unfinished_errors(point, errors) for point, errors in failed.items()}
        self._failures = {point: errors for point, errors in left.items() if errors}

    @property
    def _ends(self) -> Ints:
        """Number of values before each block."""
        return np.append(0, np.cumsum(self._fresh, dtype=np.int64))

    def _take(self, chosen: Ints) -> StoredPoints:
        found = copy(self)
        found._chosen = chosen
        return found

    def __len__(self) -> int:
        return len(self._chosen)

    @overload
    def __getitem__(self, k: int) -> Point: ...
    @overload
    def __getitem__(self, k: slice) -> StoredPoints: ...
    def __getitem__(self, k: int | slice) -> Point | StoredPoints:
        if isinstance(k, slice):
            return self._take(self._chosen[k])
        number = int(self._chosen[k])
        blocks = slice(self._begin[number], self._begin[number + 1])
        seconds = float(sum(self._rows.seconds[self._row[blocks]] / self._rows.tasks[self._row[blocks]]))
        values, numbers = self._assemble_values(int(self._origin[number]))
        failures = list(self._failures.get(number, ()))
        return Point(dict(self._parameters(number)), values, len(numbers), seconds, failures, numbers)

    def _assemble_values(self, number: int) -> tuple[Mapping[str, Floats], NDArray[np.int64]]:
        """The values of a point, with the present names of the measures, and their repeats."""
        parts, places, numbers = [], [], [np.empty(0, np.int64)]
        every = np.arange(self._begin[number], self._begin[number + 1])
        for k in every[self._fresh[every] > 0].tolist():
            row, n = self._rows[self._row[k]], int(self._fresh[k])
            at, skip = int(self._place[k]), int(self._skip[k])
            places.append(_cached_measure_positions(row.measures, self._pairs))
            if n == row.stop == self._counts[number]:  # without copying the values
                return RowValues(places[-1], row, at), _shared_repeat_numbers(n)
            parts.append((row, at * (row.stop - row.start) + skip, n))
            numbers.append(np.arange(row.start + skip, row.start + skip + n))
        names = dict.fromkeys([name for _, name in self._pairs] + [name for one in places for name in one])
        values = {}
        for name in names:
            found = (
                unpack_measure(row, place.get(name), first, n)
                for (row, first, n), place in zip(parts, places, strict=True)
            )
            values[name] = np.concatenate([np.empty(0), *found])
        return values, np.concatenate(numbers)

    def _unfinished_errors(self, number: int, errors: Mapping[int, str]) -> list[str]:
        """The last error at each repeat at which a block failed, if that repeat was not done since."""
        rows = self._row[self._begin[number] : self._begin[number + 1]]
        done = list(zip(self._rows.start[rows], self._rows.stop[rows], strict=True))
        return [error for k, error in sorted(errors.items()) if not any(a <= k < b for a, b in done)]

    @property
    def repeats(self) -> Ints:
        return self._counts[self._origin[self._chosen]]

    def iterate_parameters(self) -> Iterator[Mapping[str, Any]]:
        return map(self._parameters, map(int, self._chosen))

    @property
    def measures(self) -> list[str]:
        return list(self._measures)

    def pool_values(self, measure: str) -> Floats:
        whole, counts = self._read_measure(measure), self.repeats
        in_order = self._first is None and (np.diff(self._chosen) > 0).all()
        if in_order and counts.sum() == len(whole):
            return whole
        start = self._ends[self._begin[self._origin[self._chosen]]]
        return whole[np.repeat(start - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())]

    def _read_measure(self, measure: str) -> Floats:
        """The values of a measure of all blocks, each repeat once, in the order of points and repeats."""
        ends, fresh = self._ends, self._fresh
        found, by_row = np.empty(ends[-1]), np.argsort(self._row, kind="stable")
        first = np.searchsorted(self._row[by_row], np.arange(len(self._rows) + 1))
        for k in np.flatnonzero(np.diff(first)).tolist():
            mine, row = by_row[first[k] : first[k + 1]], self._rows[k]
            n, place = row.stop - row.start, _cached_measure_positions(row.measures, self._pairs)
            values = unpack_measure(row, place.get(measure), 0, n * row.tasks)
            if len(mine) > 1 and (fresh[mine] == n).all():
                found[ends[mine][:, None] + np.arange(n)] = values.reshape(-1, n)[self._place[mine]]
                continue
            begin = self._place[mine].astype(np.int64) * n + self._skip[mine]
            for to, at, size in zip(ends[mine], begin, fresh[mine], strict=True):
                found[to : to + size] = values[at : at + size]
        return found

    def select(self, where: Mapping[str, Any], fixed: Mapping[str, Any]) -> Points:
        if self._grid is None:
            return super().select(where, fixed)
        axes, first = self._grid.json_axes, self._parameters(0)
        right = np.ones([len(values) for values in axes.values()], dtype=bool)
        for key, value in where.items():
            name = key if key in first else key.rpartition("_")[0]
            if name not in axes:
                right &= matches_where(first, {key: value})
                continue
            one_axis = [matches_where({name: one}, {key: value}) for one in axes[name]]
            right &= np.reshape(one_axis, [-1 if other == name else 1 for other in axes])
        return self._take(self._chosen[right.ravel()[self._chosen]])

    def with_results(self) -> StoredPoints:
        failed = np.zeros(len(self._origin), dtype=bool)
        failed[list(self._failures)] = True
        return self._take(self._chosen[(self.repeats > 0) | failed[self._chosen]])

    def with_failures(self) -> StoredPoints:
        return self._take(np.array([k for k in self._chosen if int(k) in self._failures], dtype=np.int32))

    def without_copies(self, scenario: Scenario) -> StoredPoints:
        if self._first is None:
            return self
        return self._take(self._chosen[np.sort(np.unique(self._first[self._chosen], return_index=True)[1])])


def _find_owners(rows: RowColumns, declaration: Declaration, grid: Expansion | None) -> Ints:
    """For each point of each row its number among the declared points; -1 if it is not declared."""
    if not rows.names:
        return np.empty(0, np.int32)
    head, tail, number = sort_names(np.frombuffer(rows.names, NAMES))
    ids, none = np.arange(len(head), dtype=np.int32), np.empty(0, np.int64)
    every = np.arange(len(declaration), dtype=np.int32)
    wanted = iterate_computed_names(declaration, grid, every)
    return index_wanted_points(Blocks(head, tail, ids, none, none, none), wanted)[number]


def _shorten(column: Ints) -> Ints:
    """The column in 32 bits if that is enough."""
    return column.astype(np.int32) if column.max(initial=0) < 2**31 else column


@lru_cache(maxsize=16)
def _cached_measure_positions(stored: str, names: tuple[tuple[str, str], ...]) -> dict[str, int | None]:
    return measure_positions(stored, dict(names))


@lru_cache(maxsize=16)
def _shared_repeat_numbers(n: int) -> NDArray[np.int64]:
    """0 .. n - 1, one read-only array shared by all points."""
    numbers = np.arange(n, dtype=np.int64)
    numbers.flags.writeable = False
    return numbers
