"""Remaining work of a declaration, counted in arrays: a million points in seconds."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress, islice
from typing import Any, NamedTuple

import numpy as np

from markone.lab.done_blocks import CHUNK, NAMES, Ints, Names, blocks_of, cut_alike, enough, matching, owners
from markone.lab.expansion import Expansion, understood
from markone.lab.rounds import Block, PointState
from markone.lab.schema import Declaration, complete
from markone.lab.sharing import computed, firsts
from markone.lab.tasks import (
    MOST_COST,
    Done,
    Shard,
    Task,
    first_task,
    price,
    size_of_blocks,
    sizes_of_blocks,
    state_of_size,
)
from markone.numerics.arrays import Floats
from markone.numerics.freed_memory import give_back

# More need an explicit option: a store of so many rows has a gigabyte.
MOST_TASKS = 10_000_000


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

    def counts(self) -> Counts:
        return Counts(*map(total, (self.done, self.tasks, self.repeats)))


def survey(declaration: Declaration, done: Done) -> Survey:
    """Count finished and remaining tasks of all points; with a precision point by point."""
    grid = understood(declaration)
    number, cost = priced(declaration, grid)
    give_back()
    if done and declaration.precision:
        found = [(s.finished, s.left, s.repeats) for _, s in states(declaration, done)]
        return Survey(number, cost, *np.array(found, dtype=np.int64).reshape(-1, 3).T)
    wanted = min(declaration.repeats, declaration.most_repeats)
    known = blocks_of(done) if done else None
    if known is None or not len(known.point):
        nothing, all_of_them = np.broadcast_to(0, number.shape), np.broadcast_to(wanted, number.shape)
        return Survey(number, cost, nothing, blocks_needed(cost, wanted), all_of_them)
    owner = owners(known, names(declaration, grid, number))
    blocks, left = matching(known, owner, cost, wanted)
    del known, owner
    give_back()
    return Survey(number, cost, blocks, blocks_needed(cost, wanted) - blocks, left)


def blocks_needed(cost: Floats, repeats: int) -> Ints:
    """Number of blocks of each point for so many repeats."""
    found = np.empty(len(cost), dtype=enough(repeats))
    for k in range(0, len(cost), CHUNK):
        found[k : k + CHUNK] = -(-repeats // sizes_of_blocks(cost[k : k + CHUNK]))
    return found


def total(column: Ints) -> int:
    """Sum as a Python integer: 2^53 repeats at many points overflow 64 bits."""
    return sum(int(column[k : k + 512].sum()) for k in range(0, len(column), 512))


def priced(declaration: Declaration, grid: Expansion | None) -> tuple[Ints, Floats]:
    """Indices of the computed points and the cost of a repeat of each."""
    scenario, first = declaration.scenario_object, firsts(declaration, grid)
    kept = np.ones(len(declaration), dtype=bool)
    if first is not None:
        kept = first == np.arange(len(first), dtype=first.dtype)
        del first

    def settings() -> Iterator[Any]:
        each = grid.settings() if grid else (found for _, found in declaration.each_setting())
        return compress(each, kept)

    try:
        if grid and scenario.in_bulk and grid.along is not None:
            cost = np.empty((len(kept) // len(grid.along), len(grid.along)))
            for row, one in zip(cost, grid.settings(bulk=True), strict=True):
                row[:] = scenario.cost(one)
            cost = cost.ravel() if kept.all() else cost.ravel()[kept]
        else:
            cost = np.fromiter(map(scenario.cost, settings()), dtype=np.float64)
        sound = bool(np.all((cost > 0) & (cost <= MOST_COST)))
    except (ArithmeticError, TypeError, ValueError):
        sound = False
    if not sound:  # one by one: the first invalid one raises
        cost = np.fromiter((price(scenario, one) for one in settings()), dtype=np.float64)
    return np.flatnonzero(kept).astype(np.int32), cost


def names(declaration: Declaration, grid: Expansion | None, number: Ints) -> Iterator[Names]:
    """Names of the points with these indices, in batches."""
    scenario, at = declaration.scenario_object, 0
    if grid and scenario.code is None:
        for part in grid.names(scenario.name, scenario.version, declaration.seed):
            found = np.frombuffer(part, dtype=NAMES)
            at += len(found)
            first, last = np.searchsorted(number, [at - len(found), at])
            yield found[number[first:last] - (at - len(found))]
        return
    points = (first_task(declaration, complete(given, s)).point for _, given, s in computed(declaration))
    while part := b"".join(map(bytes.fromhex, islice(points, CHUNK))):
        yield np.frombuffer(part, dtype=NAMES)


def count(declaration: Declaration, done: Done, shard: Shard | None = None) -> Counts:
    """Count finished and remaining tasks; without a shard no task object is made."""
    if shard is None:
        return survey(declaration, done).counts()
    finished = missing = repeats = 0
    for first, state in states(declaration, done):
        mine = [t for t in map(first.part, state.missing()) if belongs(declaration, t, shard)]
        finished += sum(belongs(declaration, first.part(block), shard) for block in state.behind)
        missing += len(mine)
        repeats += sum(task.stop - task.start for task in mine)
    return Counts(finished, missing, repeats)


def states(declaration: Declaration, done: Done) -> Iterator[tuple[Task, PointState]]:
    """Yield each computed point as a task without repeats, with its progress."""
    scenario = declaration.scenario_object
    for _, given, settings in computed(declaration):
        first = first_task(declaration, complete(given, settings))
        yield first, state_of_size(declaration, first, size_of_blocks(price(scenario, settings)), done)


def tasks(declaration: Declaration, done: Done, shard: Shard | None = None) -> list[Task]:
    """The next tasks, given the finished blocks; [] when nothing is left.

    A shard (i, n) takes the tasks with hash % n == i; with a precision whole points, because the stopping
    rule needs all values of a point.
    """
    return list(remaining(declaration, done, shard))


def remaining(
    declaration: Declaration, done: Done, shard: Shard | None = None, found: Survey | None = None
) -> Iterator[Task]:
    """Yield the next tasks. `found` is an earlier survey of the same store."""
    found = found or survey(declaration, done)
    left = found.tasks > 0
    numbers, sizes = found.number[left], sizes_of_blocks(found.cost[left])
    # Free the memory for the tasks.
    del found, left
    give_back()
    for number, size in zip(map(int, numbers), map(int, sizes), strict=True):
        first = first_task(declaration, declaration.point(number))
        for block in missing(declaration, first, size, done):
            task = first.part(block)
            if belongs(declaration, task, shard):
                yield task


def missing(declaration: Declaration, first: Task, size: int, done: Done) -> Iterator[Block]:
    """Yield the next blocks of a point; finished blocks come as arrays from a store."""
    wanted = min(declaration.repeats, declaration.most_repeats)
    blocks = -(-wanted // size)
    if declaration.precision or not hasattr(done, "ends") or blocks > MOST_TASKS:
        yield from state_of_size(declaration, first, size, done).missing()
        return
    start, stop = done.ends(first.point)
    there = np.zeros(blocks, dtype=bool)
    there[start[cut_alike(start, stop, size, wanted)] // size] = True
    for k in map(int, np.flatnonzero(~there)):
        yield k * size, min((k + 1) * size, wanted)


def not_too_many(declaration: Declaration, counted: int | None = None) -> None:
    """Refuse a declaration with more than MOST_TASKS tasks before they are listed."""
    if counted is None and len(declaration) * declaration.repeats <= MOST_TASKS:
        return  # a task has a repeat at least
    found = count(declaration, {}).missing if counted is None else counted
    if found > MOST_TASKS:
        raise ValueError(
            f"{declaration.name} needs {found} tasks, more than {MOST_TASKS}: declare fewer repeats or "
            "values. If this is intended, add --yes-really (in Python yes_really=True)."
        )


def belongs(declaration: Declaration, task: Task, shard: Shard | None) -> bool:
    if shard is None:
        return True
    i, n = shard
    if not 0 <= i < n:
        raise ValueError(f"Shard {i} of {n} does not exist: shards are counted from 0 to {n - 1}.")
    return int(task.point if declaration.precision else task.id, 16) % n == i
