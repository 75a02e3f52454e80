"""Claims about the standard deviation of the runs, tested like those about means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from markone.lab.scenario import Point
from markone.numerics.arrays import Floats


def spread_points(points: Sequence[Point], measure: str) -> list[Point]:
    """Replace the measure by jackknife pseudo-values of its standard deviation, whose mean is the standard
    deviation and whose scatter gives its error."""
    return [
        replace(point, values={**point.values, measure: pseudo_values(point.values.get(measure, ()))})
        for point in points
    ]


def pseudo_values(values: Floats | Sequence[float]) -> Floats:
    """n s - (n - 1) s_(-i), with the standard deviation s_(-i) without value i; NaN for fewer than three."""
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
