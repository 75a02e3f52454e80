"""Grid points with identical results: computed once, reported at each.

P = round(alpha N) is a whole number, so that in fine steps of alpha many points have the same data and the
same results, bit for bit. The scenario's `depends_on` returns what the results depend on; of equal points
the first in the grid is computed, under its own name, and the others report its results.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from markone.lab.expansion import Expansion, expand_grid
from markone.lab.scenario import Point, Scenario
from markone.lab.schema import Declaration

# Points processed at a time.
CHUNK = 4096
MISSING = object()


def sharing_key(scenario: Scenario, parameters: Mapping[str, Any]) -> str:
    """Text key of what the results of a point depend on."""
    deciding = scenario.depends_on(parameters) if scenario.depends_on else parameters
    return repr(sorted(deciding.items()))


def first_equal_points(declaration: Declaration, grid: Expansion | None = None) -> NDArray[np.int32] | None:
    """Index of the first equal point for each point; None if the scenario has no `depends_on`.

    `grid` is the expansion of the declaration, if it is known already.
    """
    scenario = declaration.scenario_object
    if scenario.depends_on is None:
        return None
    grid = grid or expand_grid(declaration)
    bulk = grid is not None and scenario.in_bulk and grid.inner_axis is not None
    points = grid.iterate_parameters(bulk) if grid else declaration.iterate_points()
    deciding = map(scenario.depends_on, points)
    together, many = np.zeros(len(declaration), dtype=np.int64), 1
    for codes in _iterate_code_columns(deciding if bulk else _batch_columns(deciding), len(declaration)):
        found, different = _compact_codes(codes)
        together *= different
        together += found
        together, many = _compact_codes(together)
    first = np.empty(many, dtype=np.int32)
    # With repeated indices the last assignment remains: the first point.
    first[together[::-1]] = np.arange(len(together) - 1, -1, -1, dtype=np.int32)
    return first[together]


def _compact_codes(codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Codes from 0 on, equal where `codes` are, and their bound; in place unless the range is wide."""
    low, high = int(codes.min()), int(codes.max())
    if high - low < 4 * len(codes):
        codes -= low
        return codes, high - low + 1
    known, found = np.unique(codes, return_inverse=True)
    return found, len(known)


def _batch_columns(deciding: Iterator[Mapping[str, Any]]) -> Iterator[dict[str, list[Any]]]:
    """Collect rows into batches with one list per key."""
    while rows := list(islice(deciding, CHUNK)):
        keys = dict.fromkeys(key for row in rows for key in row)
        yield {key: [row.get(key, MISSING) for row in rows] for key in keys}


def _iterate_code_columns(deciding: Iterator[Mapping[str, Any]], n: int) -> Iterator[NDArray[np.int64]]:
    """For each key an integer code of n points, equal where value and type are."""
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
            kinds[key][start:stop], found[key][start:stop] = _encode_values(values, others)
        start = stop
    for key in list(found):
        codes, kind = found.pop(key), kinds.pop(key)
        if (codes != codes[0]).any():
            yield codes
        if (kind != kind[0]).any():
            yield kind.astype(np.int64)


def _encode_values(values: Any, others: dict[str, int]) -> tuple[int, NDArray[np.int64]]:
    """Kind and integer codes of values: numbers as they are, anything else by its index in `others`."""
    types = set(map(type, values)) if isinstance(values, list) else {type(values[0].item())}
    if types == {int} and max(map(abs, values)) < 2**63:
        return 1, np.array(values, dtype=np.int64)
    if types == {float}:
        real = np.array(values, dtype=np.float64)
        if np.all((real == np.rint(real)) & (np.abs(real) < 2**53) & ~(np.signbit(real) & (real == 0))):
            return 2, real.astype(np.int64)
        return 3, real.view(np.int64)
    return 4, np.array([others.setdefault(repr(value), len(others)) for value in values], dtype=np.int64)


def iterate_computed_points(declaration: Declaration) -> Iterator[tuple[int, dict[str, Any], BaseModel]]:
    """Yield index, written values and validated parameters of each computed point."""
    first = first_equal_points(declaration)
    for k, (given, settings) in enumerate(declaration.iterate_settings()):
        if first is None or first[k] == k:
            yield k, given, settings


def drop_repeated_points(scenario: Scenario, points: Iterable[Point]) -> list[Point]:
    """Drop points that repeat the runs of another: they are no further evidence."""
    if scenario.depends_on is None:
        return list(points)
    found: dict[str, Point] = {}
    for point in points:
        found.setdefault(sharing_key(scenario, point.parameters), point)
    return list(found.values())
