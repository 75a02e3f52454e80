"""Points that come to the same numbers: computed once, shown everywhere.

P = round(alpha N) is a whole number, so that in fine steps of alpha many points have the same data and the
same results, bit for bit. A scenario says by `depends_on` what decides; of points that are alike the first in
the grid is computed, under its own name as ever, and the others show what came out there.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from markone.lab.expansion import Expansion, understood
from markone.lab.scenario import Point, Scenario
from markone.lab.schema import Declaration

# Points that are looked at together.
CHUNK = 4096
MISSING = object()


def decisive(scenario: Scenario, parameters: Mapping[str, Any]) -> str:
    """What the numbers depend on, as text."""
    deciding = scenario.depends_on(parameters) if scenario.depends_on else parameters
    return repr(sorted(deciding.items()))


def firsts(declaration: Declaration, grid: Expansion | None = None) -> NDArray[np.int32] | None:
    """For each point the number of the first one that is alike; None where each stands for itself.

    Numbers in arrays: a million points need little memory. `grid` spares the time to understand it again.
    """
    scenario = declaration.scenario_object
    if scenario.depends_on is None:
        return None
    grid = grid or understood(declaration)
    bulk = grid is not None and scenario.in_bulk and grid.along is not None
    points = grid.written(bulk) if grid else declaration.each_point()
    deciding = map(scenario.depends_on, points)
    together, many = np.zeros(len(declaration), dtype=np.int64), 1
    for codes in columns(deciding if bulk else in_turn(deciding), len(declaration)):
        found, different = counted_from_zero(codes)
        together *= different
        together += found
        together, many = counted_from_zero(together)
    first = np.empty(many, dtype=np.int32)
    # Of equal places the last one written stays: the first point.
    first[together[::-1]] = np.arange(len(together) - 1, -1, -1, dtype=np.int32)
    return first[together]


def counted_from_zero(codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Small numbers, equal where the codes are, and how many they may be; sorted only if they lie far apart.
    In place where it can be."""
    low, high = int(codes.min()), int(codes.max())
    if high - low < 4 * len(codes):
        codes -= low
        return codes, high - low + 1
    known, found = np.unique(codes, return_inverse=True)
    return found, len(known)


def in_turn(deciding: Iterator[Mapping[str, Any]]) -> Iterator[dict[str, list[Any]]]:
    """What decides, of some thousand points together: a list for each key."""
    while rows := list(islice(deciding, CHUNK)):
        keys = dict.fromkeys(key for row in rows for key in row)
        yield {key: [row.get(key, MISSING) for row in rows] for key in keys}


def columns(deciding: Iterator[Mapping[str, Any]], n: int) -> Iterator[NDArray[np.int64]]:
    """For each key that decides, a code for each of n points: equal where the value and its type are."""
    found: dict[str, NDArray[np.int64]] = {}
    kinds: dict[str, NDArray[np.int8]] = {}
    others: dict[str, int] = {}
    start = 0
    for part in deciding:
        lists = {key: v if isinstance(v, list | np.ndarray) else [v] for key, v in part.items()}
        stop = start + max(map(len, lists.values()))
        for key, values in lists.items():
            if key not in found:
                found[key], kinds[key] = np.zeros(n, np.int64), np.zeros(n, np.int8)
            kinds[key][start:stop], found[key][start:stop] = coded(values, others)
        start = stop
    for key in list(found):
        codes, kind = found.pop(key), kinds.pop(key)
        if (codes != codes[0]).any():
            yield codes
        if (kind != kind[0]).any():
            yield kind.astype(np.int64)


def coded(values: Any, others: dict[str, int]) -> tuple[int, NDArray[np.int64]]:
    """Whole and real numbers as they are; the place of its text among `others` stands for anything else."""
    types = set(map(type, values)) if isinstance(values, list) else {type(values[0].item())}
    if types == {int} and max(map(abs, values)) < 2**63:
        return 1, np.array(values, dtype=np.int64)
    if types == {float}:
        real = np.array(values, dtype=np.float64)
        if np.all((real == np.rint(real)) & (np.abs(real) < 2**53) & ~(np.signbit(real) & (real == 0))):
            return 2, real.astype(np.int64)
        return 3, real.view(np.int64)
    return 4, np.array([others.setdefault(repr(value), len(others)) for value in values], dtype=np.int64)


def computed(declaration: Declaration) -> Iterator[tuple[int, dict[str, Any], BaseModel]]:
    """The points that are computed: their numbers, as they are written, and as the scenario takes them."""
    first = firsts(declaration)
    for k, (given, settings) in enumerate(declaration.each_setting()):
        if first is None or first[k] == k:
            yield k, given, settings


def once(scenario: Scenario, points: Iterable[Point]) -> list[Point]:
    """Without those that repeat the runs of another: they are no further evidence."""
    if scenario.depends_on is None:
        return list(points)
    found: dict[str, Point] = {}
    for point in points:
        found.setdefault(decisive(scenario, point.parameters), point)
    return list(found.values())
