"""Results at the points of a grid: what statistics, claims and reports ask of all of them together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from markone.lab.scenario import Point, Scenario, drop_repeated_points
from markone.lab.schema import matches_where
from markone.numerics.arrays import Floats

Ints = NDArray[np.integer[Any]]


class Points(Sequence[Point]):
    """Points as a list; those of a store are columns (store/points.py)."""

    def __init__(self, points: Iterable[Point]) -> None:
        self._points = list(points)

    def __len__(self) -> int:
        return len(self._points)

    @overload
    def __getitem__(self, k: int) -> Point: ...
    @overload
    def __getitem__(self, k: slice) -> Points: ...
    def __getitem__(self, k: int | slice) -> Point | Points:
        return Points(self._points[k]) if isinstance(k, slice) else self._points[k]

    @property
    def repeats(self) -> Ints:
        """Number of repeats of each point."""
        return np.array([point.repeats for point in self], dtype=np.int64)

    def iterate_parameters(self) -> Iterator[Mapping[str, Any]]:
        return (point.parameters for point in self)

    @property
    def measures(self) -> list[str]:
        """Measures with values at some point."""
        return list(dict.fromkeys(measure for point in self for measure in point.values))

    def pool_values(self, measure: str) -> Floats:
        """The values of a measure at all points in one array."""
        found = (np.asarray(point.values.get(measure, ()), dtype=float) for point in self)
        return np.concatenate([np.zeros(0), *found])

    def select(self, where: Mapping[str, Any], fixed: Mapping[str, Any]) -> Points:
        """Those that `where` selects; `fixed` are parameters that all share."""
        return Points(p for p in self if matches_where({**fixed, **p.parameters}, where))

    def with_results(self) -> Points:
        """Those with values or failures."""
        return Points(point for point in self if point.repeats or point.failures)

    def with_failures(self) -> Points:
        return Points(point for point in self if point.failures)

    def without_copies(self, scenario: Scenario) -> Points:
        """Those that do not repeat the runs of an earlier one."""
        return Points(drop_repeated_points(scenario, self))


def as_points(points: Sequence[Point]) -> Points:
    return points if isinstance(points, Points) else Points(points)
