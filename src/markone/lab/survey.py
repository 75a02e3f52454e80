"""What a declaration still asks for: counted in arrays, a million points in seconds."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from markone.lab.expansion import NAME, Expansion, Names, understood
from markone.lab.rounds import PointState
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

# More must be meant: a store of so many rows has a gigabyte.
MOST_TASKS = 10_000_000

Ints = NDArray[np.integer[Any]]


class Counts(NamedTuple):
    """Tasks done and tasks that come next, and the repeats in the latter."""

    done: int
    missing: int
    repeats: int


class Blocks(NamedTuple):
    """All that is done: the names of the points, and of each block its point's place there and its ends."""

    names: Names
    point: Ints
    start: Ints
    stop: Ints


@dataclass(frozen=True)
class Survey:
    """Of each point that is computed (of several that come to the same numbers the first): its number in the
    grid, the cost of a repeat, the tasks done, and the tasks and repeats that come next."""

    number: Ints
    cost: Floats
    done: Ints
    tasks: Ints
    repeats: Ints

    def counts(self) -> Counts:
        return Counts(*map(total, (self.done, self.tasks, self.repeats)))


def survey(declaration: Declaration, done: Done) -> Survey:
    """Given the finished blocks. Where precision decides, each point is looked at by itself."""
    grid = understood(declaration)
    number, cost = priced(declaration, grid)
    if done and declaration.precision:
        found = [(s.finished, s.left, s.repeats) for _, s in states(declaration, done)]
        return Survey(number, cost, *np.array(found, dtype=np.int64).reshape(-1, 3).T)
    wanted = min(declaration.repeats, declaration.most_repeats)
    known = blocks_of(done) if done else None
    size = sizes_of_blocks(cost)
    if known is None or not len(known.point):
        nothing, all_of_them = np.broadcast_to(0, number.shape), np.broadcast_to(wanted, number.shape)
        return Survey(number, cost, nothing, -(-wanted // size), all_of_them)
    blocks, repeats = matching(known, names(declaration, grid, number), size, wanted)
    return Survey(number, cost, blocks, -(-wanted // size) - blocks, wanted - repeats)


def total(column: Ints) -> int:
    """As a number of Python: 2^53 repeats at each of many points are more than 64 bits can count."""
    return sum(int(column[k : k + 512].sum()) for k in range(0, len(column), 512))


def priced(declaration: Declaration, grid: Expansion | None) -> tuple[Ints, Floats]:
    """The numbers of the points that are computed, and what a repeat of each costs."""
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
    if not sound:  # one by one: the first that is wrong says so
        cost = np.fromiter((price(scenario, one) for one in settings()), dtype=np.float64)
    return np.flatnonzero(kept).astype(np.int32), cost


def names(declaration: Declaration, grid: Expansion | None, number: Ints) -> Names:
    """Of the points with these numbers."""
    scenario = declaration.scenario_object
    if grid and scenario.code is None:
        return grid.names(scenario.name, scenario.version, declaration.seed)[number]
    points = (first_task(declaration, complete(given, s)).point for _, given, s in computed(declaration))
    return np.frombuffer(b"".join(map(bytes.fromhex, points)), dtype=f"S{NAME}")


def blocks_of(done: Done) -> Blocks:
    """A store knows them all at once."""
    if hasattr(done, "blocks"):
        found: Blocks = done.blocks()
        return found
    flat = [(k, *block) for k, point in enumerate(done) for block in done[point]]
    columns = np.array(flat, dtype=np.int64).reshape(-1, 3).T
    return Blocks(np.frombuffer(b"".join(map(bytes.fromhex, done)), dtype=f"S{NAME}"), *columns)


def matching(known: Blocks, wanted: Names, size: Ints, repeats: int) -> tuple[Ints, Ints]:
    """Blocks and repeats done of each wanted point. Blocks of another number of repeats do not count: they
    were cut elsewhere (`rounds.of_round`)."""
    place = places(known.names, wanted)
    owner = np.full(len(known.names) + 1, -1)
    owner[place] = np.arange(len(wanted))
    owner[-1] = -1
    of = owner[known.point]
    cut = np.where(of >= 0, size[of], 1)
    right = (of >= 0) & (known.start >= 0) & (known.start < repeats) & (known.start % cut == 0)
    right &= known.stop == np.minimum(known.start + cut, repeats)
    many = len(wanted)
    found = np.bincount(of[right], minlength=many)
    done = np.bincount(of[right], weights=(known.stop - known.start)[right], minlength=many)
    return found.astype(np.int64), done.astype(np.int64)


def places(known: Names, wanted: Names) -> Ints:
    """Where each wanted name is among the known ones; -1 if it is not."""
    if not len(known):
        return np.full(len(wanted), -1)
    order = np.argsort(short(known), kind="stable")
    keys = short(known)[order]
    if (keys[1:] == keys[:-1]).any():  # eight bytes do not tell all of them apart
        order = np.argsort(known, kind="stable")
        at = np.searchsorted(known[order], wanted)
    else:
        at = np.searchsorted(keys, short(wanted))
    at = order[np.minimum(at, len(known) - 1)]
    return np.where(known[at] == wanted, at, -1)


def short(found: Names) -> NDArray[np.uint64]:
    """The first eight bytes: numbers are sorted faster than texts."""
    parts = np.ascontiguousarray(found).view([("head", ">u8"), ("tail", f"S{NAME - 8}")])
    return parts["head"].astype(np.uint64)


def count(declaration: Declaration, done: Done, shard: Shard | None = None) -> Counts:
    """How many there are; without a shard no task is made for it."""
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
    """Each point that is computed: a task without repeats, and how far it is."""
    scenario = declaration.scenario_object
    for _, given, settings in computed(declaration):
        first = first_task(declaration, complete(given, settings))
        yield first, state_of_size(declaration, first, size_of_blocks(price(scenario, settings)), done)


def tasks(declaration: Declaration, done: Done, shard: Shard | None = None) -> list[Task]:
    """The next tasks, given the finished blocks; [] when nothing is left.

    A shard (i, n) takes what has hash % n == i: tasks, or with a precision whole points, because a point
    can only be judged by who has all its values.
    """
    return list(remaining(declaration, done, shard))


def remaining(
    declaration: Declaration, done: Done, shard: Shard | None = None, found: Survey | None = None
) -> Iterator[Task]:
    """The same one after the other: a million need no memory. `found` is what a survey has found before."""
    found = found or survey(declaration, done)
    left = found.tasks > 0
    sizes = sizes_of_blocks(found.cost[left])
    for number, size in zip(found.number[left].tolist(), sizes.tolist(), strict=True):
        first = first_task(declaration, declaration.point(number))
        for block in state_of_size(declaration, first, size, done).missing():
            task = first.part(block)
            if belongs(declaration, task, shard):
                yield task


def not_too_many(declaration: Declaration, counted: int | None = None) -> None:
    """Counted before anything is listed: a slip of three digits must not fill the memory for a day."""
    if counted is None and len(declaration) * declaration.repeats <= MOST_TASKS:
        return  # a task has a repeat at least
    found = count(declaration, {}).missing if counted is None else counted
    if found > MOST_TASKS:
        raise ValueError(
            f"{declaration.name} asks for {found} tasks, more than {MOST_TASKS}: ask for fewer repeats or "
            "values. If you mean it, say --yes-really (in Python yes_really=True)."
        )


def belongs(declaration: Declaration, task: Task, shard: Shard | None) -> bool:
    if shard is None:
        return True
    i, n = shard
    if not 0 <= i < n:
        raise ValueError(f"Shard {i} of {n} does not exist: shards are counted from 0 to {n - 1}.")
    return int(task.point if declaration.precision else task.id, 16) % n == i
