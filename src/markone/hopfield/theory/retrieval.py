"""Retrieval of a stored pattern at T = 0 with Hebbian couplings (1.11) (Amit, Gutfreund, Sompolinsky 1985).

Replica symmetric, alpha = P/N, N -> infinity. With m = erf(y)

    alpha = (1/2) [erf(y)/y - (2/sqrt(pi)) exp(-y^2)]^2,

which has a maximum alpha_c = 0.137906 at y_c: beyond it there is no state near a pattern. Broken replica
symmetry moves alpha_c to 0.1382 (Steffan and Kuehn 1994) and m hardly at all; at finite N the threshold is
rounded. Relative accuracy 1e-12 for m, 1e-8 very close to alpha_c, where m has a square-root end.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq
from scipy.special import erf, erfc

from markone.numerics.arrays import Floats, examples_per_weight, scalar_or_array

BELL = 2 / np.sqrt(np.pi)


def _root_of_load(y: Any) -> Any:
    """sqrt(2 alpha) of the state with m = erf(y), y > 0."""
    return erf(y) / y - BELL * np.exp(-y * y)


@cache
def _critical_y() -> float:
    """Where d sqrt(2 alpha)/dy = 0: (2/sqrt(pi)) exp(-y^2) (1/y + 2 y) = erf(y)/y^2."""
    return float(
        brentq(lambda y: BELL * np.exp(-y * y) * (y + 2 * y**3) - erf(y), 1, 2, xtol=1e-15, rtol=1e-14)
    )


def capacity() -> float:
    """alpha_c = 0.137905566: the largest load with retrieval states."""
    return float(0.5 * _root_of_load(_critical_y()) ** 2)


def critical_overlap() -> float:
    """m at alpha_c: 0.967417. The overlap jumps from there to zero."""
    return float(erf(_critical_y()))


def _solve_load(alpha: ArrayLike) -> tuple[Floats, Floats]:
    """alpha and y on the stable branch y > y_c, by bisection; NaN above alpha_c, infinite at 0."""
    a = examples_per_weight(alpha)
    load = np.sqrt(2 * a)
    with np.errstate(divide="ignore"):
        # erf(y)/y <= 1/y bounds y from above.
        low, high = np.full(a.shape, _critical_y()), np.maximum(1 / load, _critical_y())
    inside = (a > 0) & (a <= capacity())
    high = np.where(inside, high, 2.0)
    for _ in range(60):
        middle = 0.5 * (low + high)
        below = _root_of_load(middle) > load
        low, high = np.where(below, middle, low), np.where(below, high, middle)
    return a, np.where(inside, 0.5 * (low + high), np.where(a == 0, np.inf, np.nan))


def overlap(alpha: ArrayLike) -> Any:
    """m(alpha) of the retrieval state; NaN above alpha_c, where there is none."""
    return scalar_or_array(erf(_solve_load(alpha)[1]))


def error_fraction(alpha: ArrayLike) -> Any:
    """(1 - m)/2, the fraction of wrong neurons in the retrieval state, with all digits for small alpha."""
    return scalar_or_array(0.5 * erfc(_solve_load(alpha)[1]))


def energy(alpha: ArrayLike) -> Any:
    """H/N of the retrieval state: -m^2/2 + alpha (1 - r)/2 with r = (m/y)^2/(2 alpha); NaN above alpha_c.

    w_ii = 0 and w = (1/N) sum xi xi. alpha = 0 gives -1/2.
    """
    a, y = _solve_load(alpha)
    m = erf(y)
    return scalar_or_array(-0.5 * m * m + 0.5 * a - 0.25 * (m / y) ** 2)


def spin_glass_energy(alpha: ArrayLike) -> Any:
    """H/N of the states without overlap: -sqrt(2 alpha/pi) - 1/pi, replica symmetric."""
    a = examples_per_weight(alpha)
    return scalar_or_array(-np.sqrt(2 * a / np.pi) - 1 / np.pi)


@cache
def ground_state_capacity() -> float:
    """0.051854: below it the retrieval states have the lowest energy of all (replica symmetric)."""
    return float(brentq(lambda a: energy(a) - spin_glass_energy(a), 0.01, 0.13, xtol=1e-16, rtol=1e-14))
