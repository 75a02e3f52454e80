"""Finished blocks of up to millions of points as arrays: the point of each, and whether it is current."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from markone.lab.tasks import Done, block_sizes_of_costs
from markone.numerics.arrays import Floats

# Names and blocks processed at a time.
CHUNK = 65_536

Ints = NDArray[np.integer[Any]]
# Ten bytes as two numbers, faster to search than text.
NAMES = np.dtype([("head", ">u8"), ("tail", ">u2")])
Names = NDArray[np.void]


class Blocks(NamedTuple):
    """Finished blocks. Sorted point names (first eight bytes, the rest) with their ids in the store; for each
    block the id of its point, start and stop."""

    head: Ints
    tail: Ints
    number: Ints
    point: Ints
    start: Ints
    stop: Ints


def collect_block_arrays(done: Done) -> Blocks:
    """Finished blocks as arrays; a store reads them in bulk."""
    if hasattr(done, "blocks"):
        found: Blocks = done.blocks()
        return found
    points = sorted(done)
    flat = [(k, *block) for k, point in enumerate(points) for block in done[point]]
    known = np.frombuffer(b"".join(map(bytes.fromhex, points)), dtype=NAMES)
    names = known["head"].astype(np.uint64), known["tail"].astype(np.uint16), np.arange(len(points))
    return Blocks(*names, *np.array(flat, dtype=np.int64).reshape(-1, 3).T)


def smallest_integer_type(repeats: int) -> type[np.integer[Any]]:
    """Smallest integer type that can count the repeats."""
    return np.int32 if repeats < 2**31 else np.int64


def has_current_cut(start: Ints, stop: Ints, size: Any, repeats: int) -> NDArray[np.bool_]:
    """Mask of the blocks with the present cuts; those cut for another number of repeats do not count."""
    right = (start >= 0) & (start < repeats) & (start % size == 0)
    return right & (stop == np.minimum(start.astype(np.int64) + size, repeats))


def count_matching_blocks(known: Blocks, owner: Ints, cost: Floats, repeats: int) -> tuple[Ints, Ints]:
    """For each wanted point the number of finished blocks and of missing repeats."""
    found, left = (
        np.zeros(len(cost), smallest_integer_type(repeats)),
        np.full(len(cost), repeats, smallest_integer_type(repeats)),
    )
    for k in range(0, len(known.point), CHUNK):
        point, start, stop = (column[k : k + CHUNK] for column in known[3:])
        of = owner[point]
        right = (of >= 0) & has_current_cut(start, stop, block_sizes_of_costs(cost[of]), repeats)
        np.add.at(found, of[right], 1)
        np.subtract.at(left, of[right], (stop - start)[right].astype(left.dtype))
    return found, left


def index_wanted_points(known: Blocks, wanted: Iterator[Names]) -> Ints:
    """Index among the wanted points for each point id of the store; -1 if it is not wanted."""
    owner, at = np.full(int(known.number.max()) + 1, -1, dtype=np.int32), 0
    # Names with equal first eight bytes are all compared.
    same = 1
    while (known.head[same:] == known.head[:-same]).any():
        same += 1
    for part in wanted:
        head, tail = part["head"].astype(np.uint64), part["tail"].astype(np.uint16)
        first = np.searchsorted(known.head, head)
        for k in range(same):
            place = (first + k).clip(max=len(known.head) - 1)
            right = (known.head[place] == head) & (known.tail[place] == tail)
            owner[known.number[place[right]]] = at + np.flatnonzero(right)
        at += len(part)
    return owner
