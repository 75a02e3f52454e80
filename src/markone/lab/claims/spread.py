"""Claims about how much the runs scatter, judged like those about means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from markone.lab.scenario import Point
from markone.numerics.arrays import Floats


def of_spread(points: Sequence[Point], measure: str) -> list[Point]:
    """The same points with the jackknife's pseudo-values of the standard deviation in place of the measure:
    their mean is the standard deviation, and their scatter gives its error."""
    return [
        replace(point, values={**point.values, measure: pseudo_values(point.values.get(measure, ()))})
        for point in points
    ]


def pseudo_values(values: Floats | Sequence[float]) -> Floats:
    """n s - (n - 1) s_(-i), s_(-i) the standard deviation without value i; NaN for fewer than three."""
    x = np.asarray(values, dtype=float)
    x = x[np.isfinite(x)]
    n = len(x)
    if n < 3:
        return np.full(n, np.nan)
    x = x - x.mean()
    total, squares = x.sum(), (x**2).sum()
    mean = (total - x) / (n - 1)
    left = np.sqrt(np.maximum((squares - x**2 - (n - 1) * mean**2) / (n - 2), 0.0))
    found: Floats = n * x.std(ddof=1) - (n - 1) * left
    return found
