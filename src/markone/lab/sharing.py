"""Points that come to the same numbers: computed once, shown everywhere.

P = round(alpha N) is a whole number, so that in fine steps of alpha many points have the same data and the
same results, bit for bit. A scenario says by `depends_on` what decides; of points that are alike the first in
the grid is computed, under its own name as ever, and the others show what came out there.
"""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from markone.lab.scenario import Point, Scenario
from markone.lab.schema import Declaration


def decisive(scenario: Scenario, parameters: Mapping[str, Any]) -> str:
    """What the numbers depend on, as text."""
    deciding = scenario.depends_on(parameters) if scenario.depends_on else parameters
    return repr(sorted(deciding.items()))


def firsts(declaration: Declaration) -> NDArray[np.int64] | None:
    """For each point the number of the first one that is alike; None where each stands for itself.

    Hashes in one array: a million points need little memory.
    """
    scenario = declaration.scenario_object
    if scenario.depends_on is None:
        return None
    keys = (
        blake2b(decisive(scenario, parameters).encode(), digest_size=16).hexdigest().encode()
        for parameters in declaration.each_point()
    )
    _, first, which = np.unique(
        np.fromiter(keys, "S32", count=len(declaration)), return_index=True, return_inverse=True
    )
    return first[which].astype(np.int64)


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
