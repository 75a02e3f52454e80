"""Remaining work of a declaration, counted in arrays: a million points in seconds."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import compress, islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from markone.lab.schedule.grid import NAME_BYTES, Expansion, expand_grid, first_equal_points
from markone.lab.schedule.tasks import (
    MOST_COST,
    Block,
    Done,
    PointState,
    Shard,
    Task,
    block_sizes_of_costs,
    checked_cost,
    cut_gaps,
    hash_content,
    point_task,
    sized_point_state,
)
from markone.lab.schema import Declaration
from markone.numerics.arrays import Floats, release_freed_memory

# Names and blocks processed at a time.
CHUNK = 65_536

Ints = NDArray[np.integer[Any]]
# Ten bytes as two numbers, faster to search than text.
NAMES = np.dtype([("head", ">u8"), ("tail", ">u2")])
Names = NDArray[np.void]
# A block of foreign code is divided into so many parts for the shards.
SHARDED_PARTS = 64
# More need an explicit option: a store of so many rows has a gigabyte.
MOST_TASKS = 10_000_000


class Blocks(NamedTuple):
    """Finished blocks. Sorted point names (first eight bytes, the rest) with their ids in the store; for each
    block the id of its point, start and stop, sorted by these."""

    head: Ints
    tail: Ints
    number: Ints
    point: Ints
    start: Ints
    stop: Ints


def _collect_block_arrays(done: Done) -> Blocks:
    """Finished blocks as arrays; a store reads them in bulk."""
    if hasattr(done, "blocks"):
        found: Blocks = done.blocks()
        return found
    points = sorted(done)
    flat = [(k, *block) for k, point in enumerate(points) for block in sorted(done[point])]
    known = np.frombuffer(b"".join(map(bytes.fromhex, points)), dtype=NAMES)
    names = known["head"].astype(np.uint64), known["tail"].astype(np.uint16), np.arange(len(points))
    return Blocks(*names, *np.array(flat, dtype=np.int64).reshape(-1, 3).T)


class RemainingWork(NamedTuple):
    """For each wanted point the number of finished blocks, of missing blocks and of missing repeats."""

    done: Ints
    tasks: Ints
    repeats: Ints


def furthest_stops(of: Ints, stop: Ints) -> tuple[Ints, Ints]:
    """For each block the furthest stop of the earlier blocks of its point (0 without any), and that of these
    and itself; the blocks are sorted by point and start."""
    furthest = stop.copy()
    # A block may reach beyond the end of later ones: the maximum over 1, 2, 4, ... blocks before.
    shift = 1
    while (shorter := (of[shift:] == of[:-shift]) & (furthest[shift:] < furthest[:-shift])).any():
        furthest[shift:][shorter] = furthest[:-shift][shorter]
        shift *= 2
    before = np.zeros_like(stop)
    np.copyto(before[1:], furthest[:-1], where=of[1:] == of[:-1])
    return before, furthest


def _count_missing(known: Blocks, owner: Ints, cost: Floats, repeats: int) -> RemainingWork:
    """Count the gaps that the finished blocks leave; these are sorted by point and start."""
    size, of = block_sizes_of_costs(cost), owner[known.point]
    right = (of >= 0) & (known.start >= 0) & (known.start < repeats) & (known.stop > known.start)
    of, start = of[right], known.start[right].astype(np.int64)
    before, furthest = furthest_stops(of, np.minimum(known.stop[right].astype(np.int64), repeats))
    del right
    last = np.append(of[1:] != of[:-1], True)[: len(of)]
    found = RemainingWork(np.zeros_like(size), -(-repeats // size), np.full_like(size, repeats))
    np.add.at(found.done, of, 1)
    found.tasks[of] = found.repeats[of] = 0
    for where, gap in ((of, np.maximum(start - before, 0)), (of[last], repeats - furthest[last])):
        np.add.at(found.tasks, where, -(-gap // size[where]))
        np.add.at(found.repeats, where, gap)
    return found


def index_wanted_points(known: Blocks, wanted: Iterator[Names]) -> Ints:
    """Index among the wanted points for each point id of the store; -1 if it is not wanted."""
    owner, at = np.full(int(known.number.max()) + 1, -1, dtype=np.int32), 0
    # Names with equal first eight bytes are all compared.
    same = 1
    while (known.head[same:] == known.head[:-same]).any():
        same += 1
    for part in wanted:
        order = np.argsort(part["head"].astype(np.uint64))  # ten times as fast as a search in any order
        head, tail = part["head"][order].astype(np.uint64), part["tail"][order].astype(np.uint16)
        first = np.searchsorted(known.head, head)
        for k in range(same):
            place = (first + k).clip(max=len(known.head) - 1)
            right = (known.head[place] == head) & (known.tail[place] == tail)
            owner[known.number[place[right]]] = at + order[right]
        at += len(part)
    return owner


class Counts(NamedTuple):
    """Finished tasks, next tasks, and the repeats in the latter."""

    done: int
    missing: int
    repeats: int


@dataclass(frozen=True)
class Survey:
    """For each computed point (the first of equal ones): index in the grid, cost of a repeat, finished tasks,
    and the tasks and repeats that come next."""

    number: Ints
    cost: Floats
    done: Ints
    tasks: Ints
    repeats: Ints

    def total_counts(self) -> Counts:
        return Counts(*map(_sum_exactly, (self.done, self.tasks, self.repeats)))


def survey_tasks(declaration: Declaration, done: Done) -> Survey:
    """Count finished and remaining tasks of all points; with a precision point by point."""
    grid = expand_grid(declaration)
    number, cost = price_points(declaration, grid)
    release_freed_memory()
    if done and declaration.precision:
        found = [(s.n_finished, s.left, s.repeats) for _, s in iterate_point_states(declaration, done)]
        return Survey(number, cost, *np.array(found, dtype=np.int64).reshape(-1, 3).T)
    wanted = min(declaration.repeats, declaration.most_repeats)
    known = _collect_block_arrays(done) if done else None
    if known is None or not len(known.point):
        nothing, all_of_them = np.broadcast_to(0, number.shape), np.broadcast_to(wanted, number.shape)
        return Survey(number, cost, nothing, _count_needed_blocks(cost, wanted), all_of_them)
    owner = index_wanted_points(known, iterate_computed_names(declaration, grid, number))
    counted = _count_missing(known, owner, cost, wanted)
    del known, owner
    release_freed_memory()
    return Survey(number, cost, *counted)


def _count_needed_blocks(cost: Floats, repeats: int) -> Ints:
    """Number of blocks of each point for so many repeats."""
    found: Ints = np.empty(len(cost), dtype=np.int32 if repeats < 2**31 else np.int64)
    for k in range(0, len(cost), CHUNK):
        found[k : k + CHUNK] = -(-repeats // block_sizes_of_costs(cost[k : k + CHUNK]))
    return found


def _sum_exactly(column: Ints) -> int:
    """Sum as a Python integer: 2^53 repeats at many points overflow 64 bits."""
    return sum(int(column[k : k + 512].sum()) for k in range(0, len(column), 512))


def price_points(declaration: Declaration, grid: Expansion | None) -> tuple[Ints, Floats]:
    """Indices of the computed points and the cost of a repeat of each."""
    scenario, first = declaration.scenario_object, first_equal_points(declaration, grid)
    kept = np.ones(len(declaration), dtype=bool)
    if first is not None:
        kept = first == np.arange(len(first), dtype=first.dtype)
        del first

    def settings() -> Iterator[Any]:
        each = grid.iterate_settings() if grid else (found for _, found in declaration.iterate_settings())
        return compress(each, kept)

    try:
        if grid and scenario.in_bulk and grid.inner_axis is not None:
            cost = np.empty((len(kept) // len(grid.inner_axis), len(grid.inner_axis)))
            for row, one in zip(cost, grid.iterate_settings(bulk=True), strict=True):
                row[:] = scenario.cost(one)
            cost = cost.ravel() if kept.all() else cost.ravel()[kept]
        else:
            cost = np.fromiter(map(scenario.cost, settings()), dtype=np.float64)
        sound = bool(np.all((cost > 0) & (cost <= MOST_COST)))
    except (ArithmeticError, TypeError, ValueError):
        sound = False
    if not sound:  # one by one: the first invalid one raises
        cost = np.fromiter((checked_cost(scenario, one) for one in settings()), dtype=np.float64)
    return np.flatnonzero(kept).astype(np.int32), cost


def iterate_computed_names(declaration: Declaration, grid: Expansion | None, number: Ints) -> Iterator[Names]:
    """Names of the points with these indices, in batches."""
    scenario, at = declaration.scenario_object, 0
    if grid and scenario.code is None and scenario.version_of is None:
        for part in grid.names(scenario.name, scenario.version, declaration.seed):
            found = np.frombuffer(part, dtype=NAMES)
            at += len(found)
            first, last = np.searchsorted(number, [at - len(found), at])
            yield found[number[first:last] - (at - len(found))]
        return
    points = (bytes.fromhex(task.point) for task in _iterate_point_tasks(declaration, grid, number))
    while part := b"".join(islice(points, CHUNK)):
        yield np.frombuffer(part, dtype=NAMES)


def _iterate_point_tasks(
    declaration: Declaration, grid: Expansion | None, number: Ints | None = None
) -> Iterator[Task]:
    """Yield a task without repeats for each point with these indices, or for all points."""
    scenario, seed = declaration.scenario_object, declaration.seed
    wanted = np.ones(len(declaration), dtype=bool)
    if number is not None:
        wanted[:] = False
        wanted[number] = True
    points = compress(grid.iterate_parameters() if grid else declaration.iterate_points(), wanted)
    if grid and scenario.code is None and scenario.version_of is None:
        make = Task(scenario.name, scenario.version, {}, seed, 0, 0).copy_with
        for part in iterate_computed_names(declaration, grid, np.flatnonzero(wanted)):
            names = part.tobytes().hex()
            for k, parameters in zip(range(0, len(names), 2 * NAME_BYTES), points, strict=False):
                yield make(parameters=parameters, point=names[k : k + 2 * NAME_BYTES])
        return
    for parameters in points:
        yield point_task(scenario, parameters, seed)


def count_tasks(declaration: Declaration, done: Done, shard: Shard | None = None) -> Counts:
    """Count finished and remaining tasks; without a shard no task object is made."""
    if shard is None:
        return survey_tasks(declaration, done).total_counts()
    finished = missing = repeats = 0
    for first, state in iterate_point_states(declaration, done):
        beginnings = [(start, start + 1) for start, _ in state.finished]
        finished += sum(1 for _ in _shard_gaps(declaration, first, beginnings, state.size, shard))
        mine = replace(state, gaps=list(_shard_gaps(declaration, first, state.gaps, state.size, shard)))
        missing += mine.left
        repeats += mine.repeats
    return Counts(finished, missing, repeats)


def iterate_point_states(declaration: Declaration, done: Done) -> Iterator[tuple[Task, PointState]]:
    """Yield each computed point as a task without repeats, with its progress."""
    grid = expand_grid(declaration)
    number, costs = price_points(declaration, grid)
    for first, size in zip(
        _iterate_point_tasks(declaration, grid, number), map(int, block_sizes_of_costs(costs)), strict=True
    ):
        yield first, sized_point_state(declaration, first, size, done)


def list_remaining_tasks(declaration: Declaration, done: Done, shard: Shard | None = None) -> list[Task]:
    """The next tasks, given the finished blocks; [] when nothing is left.

    A shard (i, n) takes the parts of a point with hash % n == i.
    """
    return list(iterate_remaining_tasks(declaration, done, shard))


def iterate_remaining_tasks(
    declaration: Declaration,
    done: Done,
    shard: Shard | None = None,
    found: Survey | None = None,
    block_size: Callable[[Task, int], int] = lambda first, size: size,
) -> Iterator[Task]:
    """Yield the next tasks. `found` is an earlier survey of the same store; `block_size` returns the size of
    the next block of a point, given that by its declared cost."""
    found = found or survey_tasks(declaration, done)
    left = found.tasks > 0
    numbers, costs, untouched = found.number[left], found.cost[left], found.done[left] == 0
    # Free the memory for the tasks.
    del found, left
    release_freed_memory()
    sizes, whole = (
        map(int, block_sizes_of_costs(costs)),
        [(0, min(declaration.repeats, declaration.most_repeats))],
    )
    points = _iterate_point_tasks(declaration, expand_grid(declaration), numbers)
    for first, cost, size, new in zip(points, map(float, costs), sizes, untouched, strict=True):
        first.__dict__["cost"] = cost
        if new and not shard and not first.code and size >= whole[0][1]:
            first.__dict__["stop"] = whole[0][1]
            yield first
            continue
        gaps = whole if new else sized_point_state(declaration, first, size, done).gaps
        mine = _shard_gaps(declaration, first, gaps, size, shard)
        for block in cut_gaps(mine, partial(block_size, first, size)):
            yield first.with_block(block)


def _shard_gaps(
    declaration: Declaration, first: Task, gaps: Iterable[Block], size: int, shard: Shard | None
) -> Iterable[Block]:
    """The part of the gaps of a point that a shard computes."""
    if shard is None:
        return gaps
    if declaration.precision:
        return gaps if _is_in_shard(declaration, first, 0, shard) else ()
    # The declared cost of foreign code is a guess: many small parts divide the work evenly all the same.
    unit = max(1, size // SHARDED_PARTS) if first.code else size
    parts = (
        (max(start, k), min(stop, k + unit))
        for start, stop in gaps
        for k in range(start - start % unit, stop, unit)
    )
    return (part for part in parts if _is_in_shard(declaration, first, part[0] - part[0] % unit, shard))


def check_task_count(declaration: Declaration, counted: int | None = None) -> None:
    """Refuse a declaration with more than MOST_TASKS tasks before they are listed."""
    if counted is None and len(declaration) * declaration.repeats <= MOST_TASKS:
        return  # a task has a repeat at least
    found = count_tasks(declaration, {}).missing if counted is None else counted
    if found > MOST_TASKS:
        raise ValueError(
            f"{declaration.name} needs {found} tasks, more than {MOST_TASKS}: declare fewer repeats or "
            "values. If this is intended, add --yes-really (in Python yes_really=True)."
        )


def _is_in_shard(declaration: Declaration, first: Task, start: int, shard: Shard) -> bool:
    """True if the part of a point that begins at this repeat belongs to the shard, for any number of
    repeats; with a precision whole points, because the stopping rule needs all values."""
    i, n = shard
    if not 0 <= i < n:
        raise ValueError(f"Shard {i} of {n} does not exist: shards are counted from 0 to {n - 1}.")
    return int(first.point if declaration.precision else hash_content([first.point, start]), 16) % n == i
