"""Intervals and standard errors, written once for all rooms."""

import math

import numpy as np
from scipy.special import betainccinv, betaincinv, ndtri

from markone.numerics.arrays import Floats


def wilson(p: float, n: int, level: float = 0.95, tail: float | None = None) -> tuple[float, float]:
    """Wilson's interval of a share p of n cases: the fractions from which p is not too many errors away.

    `tail` is what it leaves out on either side, (1 - level)/2; given itself where that is too small to be
    told by a level near 1.
    """
    z = -float(ndtri((1 - level) / 2 if tail is None else tail))
    shrink = 1 / (1 + z * z / n)
    centre = (p + z * z / (2 * n)) * shrink
    reach = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) * shrink
    # At p = 0 and 1 the interval ends there exactly; rounding must not lift it off.
    return (0.0 if p == 0 else centre - reach), (1.0 if p == 1 else centre + reach)


def clopper_pearson(hits: int, n: int, tail: float = 0.025) -> tuple[float, float]:
    """The exact interval of a share: all fractions that give so many hits, or so few, in more than `tail`."""
    low = 0.0 if hits == 0 else float(betaincinv(hits, n - hits + 1, tail))
    high = 1.0 if hits == n else float(betainccinv(hits + 1, n - hits, tail))
    return low, high


def standard_error(values: Floats) -> float:
    """Of the mean; infinite for fewer than two values."""
    return float(np.std(values, ddof=1) / math.sqrt(len(values))) if len(values) > 1 else math.inf


def is_fraction(values: Floats) -> bool:
    """Are all of them 0 or 1?"""
    return bool(np.all((values == 0) | (values == 1)))


def agresti_coull_error(values: Floats) -> float:
    """The standard error of a fraction: two successes and two failures added.

    Ten times "yes" in ten repeats do not make the fraction 1 with error 0.
    """
    n = len(values) + 4
    p = (float(values.sum()) + 2) / n
    return math.sqrt(p * (1 - p) / n)
