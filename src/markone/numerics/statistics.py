"""Standard errors and tests used by all packages; intervals are in `intervals`."""

import math
from collections.abc import Sequence

import numpy as np

from markone.numerics.arrays import Floats


def standard_error(values: Floats) -> float:
    """Standard error of the mean; infinite for fewer than two values."""
    return float(np.std(values, ddof=1) / math.sqrt(len(values))) if len(values) > 1 else math.inf


def are_zero_or_one(values: Floats) -> bool:
    """Whether all values are 0 or 1."""
    return bool(np.all((values == 0) | (values == 1)))


def agresti_coull_error(values: Floats) -> float:
    """Standard error of a fraction, with two successes and two failures added.

    Ten successes in ten repeats do not give the error 0.
    """
    n = len(values) + 4
    p = (float(values.sum()) + 2) / n
    return math.sqrt(p * (1 - p) / n)


def sample_skewness(values: Floats) -> float:
    """Skewness (Fisher's G1) of the underlying distribution.

    0 for fewer than eight values, and where it is within the standard error that it has for Gaussian numbers.
    """
    n = len(values)
    off = values - values.mean() if n else values
    width = float(np.mean(off**2)) if n else 0.0
    if n < 8 or not width > 0:
        return 0.0
    found = float(np.mean(off**3)) / width**1.5 * math.sqrt(n * (n - 1)) / (n - 2)
    own_error = math.sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)))
    return found if abs(found) > own_error else 0.0


def hall_score(t: float, skew: float, n: int) -> float:
    """Student's t corrected for skewness, or t itself if that is nearer to 0; at least half of t.

    Hall (1992): t + a t^2 + a^2 t^3/3 + a/2 with a = skew/(3 sqrt n) is distributed like t of symmetric
    values, up to 1/n. The mean of ten exponential numbers is rejected in 6.1 % at the level 5 % (t: 10 %).
    """
    a = skew / (3 * math.sqrt(n))
    corrected = t + a * t * t + a * a * t**3 / 3 + a / 2
    return max(min(t, corrected, key=abs), t / 2, key=abs)


def hall_quantile(q: float, skew: float, n: int) -> float:
    """The t whose `hall_score` is q, limited to the range from q to 2 q."""
    if skew == 0:
        return q
    a = skew / (3 * math.sqrt(n))
    corrected = (float(np.cbrt(1 + 3 * a * (q - a / 2))) - 1) / a
    return min(max(q, corrected, key=abs), 2 * q, key=abs)


def holm_adjusted(chances: Sequence[float]) -> list[float]:
    """p-values adjusted so that, if all hypotheses are true, the smallest is below x with probability x at
    the most, however the tests depend on each other (Holm 1979). NaN, no test, stays NaN."""
    order = sorted((k for k, p in enumerate(chances) if not math.isnan(p)), key=lambda k: chances[k])
    adjusted, largest = [math.nan] * len(chances), 0.0
    for rank, k in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * chances[k]))
        adjusted[k] = largest
    return adjusted
